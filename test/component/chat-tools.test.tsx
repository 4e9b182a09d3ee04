import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import { sent, turnRequests } from './chat-fake-conversations.ts';
import { savedTools, toolSets } from './chat-fake-saved.ts';
import { conversations } from './chat-fake-state.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';

describe('tool calls', () => {
  beforeEach(() => resetChat({ listOpen: false }));

  const call = (id: string, name: string, args = '{"place":"Oslo"}') => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  });

  function conversationWithCalls() {
    const toolCalls = [call('call_1', 'get_weather'), call('call_2', 'get_time', '{"place": "Os')];
    return showExchange('Weather and time?', { toolCalls }).answers[0];
  }

  it('warns about missing results before sending, then sends all results with their IDs', async () => {
    const earlier = conversationWithCalls();
    const { screen, button, message } = await openChat();
    await expect.element(screen.getByText('Arguments aren’t valid JSON.')).toBeVisible();
    const result = (name: string) => screen.getByRole('textbox', { name: `Result for ${name}` });
    await result('get_weather').fill('cold');
    await button('Send').click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/get_time/);
    await expect.element(result('get_time')).toHaveFocus();
    await button('Send these results').click();
    await expect.element(result('get_time')).toHaveFocus();
    expect(sent).toHaveLength(0);
    await button('Send anyway').click();
    await expect.poll(() => sent.length).toBe(1);
    const weather = { role: 'tool', content: 'cold', toolCallId: 'call_1' };
    expect(sent[0]).toMatchObject({ parentId: earlier?.id, earlier: [], message: weather });

    const answer = conversationWithCalls();
    await result('get_time').fill('12:00');
    await result('get_weather').fill('cold');
    await button('Send these results').click();
    await expect.poll(() => sent.length).toBe(2);
    const time = { role: 'tool', content: '12:00', toolCallId: 'call_2' };
    expect(sent[1]).toMatchObject({ parentId: answer?.id, earlier: [weather], message: time });
    const form = screen.getByRole('form', { name: 'Tool results' });
    await expect.element(form).not.toBeInTheDocument();
    await expect.element(message).toHaveFocus();
  });

  it('shows arguments that are text in JSON as the object that they mean', async () => {
    const toolCalls = [call('call_1', 'get_weather', JSON.stringify('{"place":"Oslo"}'))];
    showExchange('Weather?', { toolCalls });
    const { screen } = await openChat();
    const shown = screen.getByRole('tree', { name: 'Arguments' });
    await expect.element(shown).toMatchTextContent(/"place": "Oslo"/);
    await expect.element(screen.getByText('Arguments aren’t valid JSON.')).not.toBeInTheDocument();
  });

  /** Returns the turn of an answer whose calls run or wait for approval. */
  function turnOf(answer: TreeMessage | undefined) {
    const runId = answer?.run?.id ?? '';
    return { id: runId, answerId: answer?.id ?? '', runId, problem: null };
  }

  it('asks before an MCP tool call, shows what runs, and can be stopped', async () => {
    const answer = conversationWithCalls();
    const call = { serverId: 'weather', callId: 'call' };
    const asked = {
      by: 'mcp',
      server: 'Weather',
      call,
      status: 'asking',
      startedAt: null,
    } as const;
    const running = {
      by: 'script',
      server: null,
      call: null,
      status: 'running',
      startedAt: 0,
    } as const;
    [...conversations.values()][0]?.turns.push({
      ...turnOf(answer),
      calls: [
        { place: 0, id: 'call_1', name: 'get_weather', ...asked },
        { place: 1, id: 'call_2', name: 'get_time', ...running },
      ],
    });
    const { screen, button } = await openChat();
    await expect.element(screen.getByText('get_time is running…')).toBeVisible();
    const question = screen.getByRole('group', { name: 'Allow get_weather' });
    await expect.element(question).toMatchTextContent(/on Weather/);
    await question.getByRole('button', { name: 'Always allow' }).click();
    await expect.poll(() => turnRequests).toHaveLength(1);
    expect(turnRequests[0]).toMatchObject({ answerId: answer?.id, place: 0, decision: 'always' });
    await button('Stop').click();
    await expect.poll(() => turnRequests).toHaveLength(2);
  });
});

describe('tool sets', () => {
  beforeEach(() => {
    resetChat({ listOpen: false });
    for (const name of ['get_time', 'get_weather', 'look_up']) {
      const tool = { type: 'function' as const, function: { name, description: `About ${name}.` } };
      savedTools.push({ id: name, tool, answer: { by: 'you' } });
    }
  });

  const getToolIds = () => getConversationForm(null).state.getState().values.input.options.toolIds;

  async function openTools() {
    const { screen, button, add } = await openChat();
    await add('Tools…');
    const use = (name: string) => screen.getByRole('switch', { name: `Use ${name}` });
    const menuItem = (name: string) => screen.getByRole('menuitem', { name });
    const openMenu = () => button('Tool sets').click();
    return { screen, button, use, menuItem, openMenu };
  }

  it('saves the active tools as a set, and later turns on exactly these', async () => {
    const { screen, button, use, menuItem, openMenu } = await openTools();
    await openMenu();
    await expect.element(menuItem('Save these as a set…')).toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('{Escape}');
    await use('get_time').click();
    await use('get_weather').click();
    await openMenu();
    await menuItem('Save these as a set…').click();
    await screen.getByRole('textbox', { name: 'Name' }).fill('Travel');
    await button('Save').click();
    const tools = [{ name: 'get_time' }, { name: 'get_weather' }];
    await expect.poll(() => toolSets).toMatchObject([{ name: 'Travel', tools, mcpTools: [] }]);
    await expect.element(button('Tool sets')).toHaveFocus();

    await use('get_time').click();
    await use('look_up').click();
    await openMenu();
    await menuItem('Travel (2)').click();
    await expect.poll(getToolIds).toEqual(['get_time', 'get_weather']);
    await expect.element(use('look_up')).not.toBeChecked();
    await button('Undo').click();
    await expect.poll(getToolIds).toEqual(['get_weather', 'look_up']);
  });
});
