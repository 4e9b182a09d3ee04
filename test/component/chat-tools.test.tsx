import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { conversationQuery } from '../../renderer/features/chat/conversations/conversation-query.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { Conversation } from '../../shared/conversation.ts';
import type { CallRecord } from '../../shared/tool-answer.ts';
import { conversations, makeMessage, savedTools, sent, turnRequests } from './chat-fake-main.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';

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

describe('tool calls', () => {
  it('sends all results at once with their call IDs', async () => {
    const answer = conversationWithCalls();
    const { screen, button, message } = await openChat();
    await expect.element(screen.getByText('Arguments aren’t valid JSON.')).toBeVisible();
    await screen.getByRole('textbox', { name: 'Result for get_weather' }).fill('{"celsius": 4}');
    await screen.getByRole('textbox', { name: 'Result for get_time' }).fill('12:00');
    await button('Run with these results').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]).toMatchObject({
      parentId: answer?.id,
      earlier: [{ role: 'tool', content: '{"celsius": 4}', toolCallId: 'call_1' }],
      message: { role: 'tool', content: '12:00', toolCallId: 'call_2' },
    });
    await expect
      .element(screen.getByRole('form', { name: 'Tool results' }))
      .not.toBeInTheDocument();
    await expect.element(message).toHaveFocus();
  });

  it('warns about missing results before sending', async () => {
    conversationWithCalls();
    const { screen, button } = await openChat();
    await screen.getByRole('textbox', { name: 'Result for get_weather' }).fill('cold');
    await button('Run').click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/get_time/);
    const missing = screen.getByRole('textbox', { name: 'Result for get_time' });
    await expect.element(missing).toHaveFocus();
    await button('Run with these results').click();
    await expect.element(missing).toHaveFocus();
    expect(sent).toHaveLength(0);
    await button('Run anyway').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]).toMatchObject({ earlier: [], message: { toolCallId: 'call_1' } });
  });

  it('sends tools that were edited, saved and turned on', async () => {
    const { screen, button } = await openChat();
    await button('Tools').click();
    await button('New tool').click();
    const editor = screen.getByRole('textbox', { name: 'Tool definition' });
    await expect.element(editor).toHaveAttribute('contenteditable', 'true');
    await editor.fill('{"type": "function", "function": {"name": ""}}');
    await expect
      .element(screen.getByRole('list', { name: 'Errors in Tool definition' }))
      .toMatchTextContent(/function\.name must be a string/);
    await expect.element(button('Save tool')).toBeDisabled();
    await editor.fill('{"type": "function", "function": {"name": "look_up"}}');
    await button('Save tool').click();
    await expect.element(screen.getByRole('switch', { name: 'Use look_up' })).toBeChecked();
    await button('Done').click();
    await screen.getByRole('combobox', { name: 'Tool choice' }).selectOptions('Only look_up');
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('Look');
    await button('Run').click();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.request).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look_up' } }],
      tool_choice: { type: 'function', function: { name: 'look_up' } },
    });
    expect([...conversations.values()][0]?.options.toolIds).toEqual([savedTools[0]?.id]);
  });
});

describe('saved tools', () => {
  it('gives saved tools one Tab stop, and restores them with one Undo', async () => {
    for (const name of ['get_time', 'get_weather', 'look_up'])
      savedTools.push({
        id: name,
        tool: { type: 'function', function: { name } },
        answer: { by: 'you' },
        createdAt: 0,
      });
    const { screen, button } = await openChat();
    await button('Tools').click();
    const use = (name: string) => screen.getByRole('switch', { name: `Use ${name}` });
    await expect.element(use('get_time')).toBeVisible();
    use('get_time').element().focus();
    await userEvent.tab({ shift: true });
    await userEvent.tab();
    await expect.element(use('get_time')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{ArrowRight}');
    await expect.element(button('Edit get_weather')).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(button('Delete get_weather')).toHaveFocus();
    await userEvent.tab();
    await expect.element(screen.getByRole('link', { name: 'MCP servers' })).toHaveFocus();

    await button('Delete get_weather').click();
    await expect.element(use('get_weather')).not.toBeInTheDocument();
    const offers = screen.getByRole('dialog').getByRole('status');
    await expect.element(offers).toMatchTextContent(/“get_weather” deleted/);
    await button('Delete get_time').click();
    await expect.element(offers).toMatchTextContent(/2 tools deleted/);
    await button('Undo').click();
    await expect.element(use('get_weather')).toBeVisible();
    await expect.element(use('get_time')).toBeVisible();
    expect(savedTools.map(({ id }) => id)).toEqual(['get_time', 'get_weather', 'look_up']);
  });
});

describe('a turn', () => {
  const conversation = () => [...conversations.values()][0];

  it('lets tools answer calls that a restart left open', async () => {
    savedTools.push({
      ...{ id: 'weather', createdAt: 0, answer: { by: 'canned', result: '4' } },
      tool: { type: 'function', function: { name: 'get_weather' } },
    });
    const answer = conversationWithCalls();
    const shown = conversation();
    if (shown !== undefined) shown.options = { ...shown.options, toolIds: ['weather'] };
    const { button } = await openChat();
    await button('Let tools answer').click();
    await expect.poll(() => turnRequests).toHaveLength(1);
    expect(turnRequests[0]).toMatchObject({ leafId: answer?.id, beyondCap: false });
  });

  it('asks before a call of an MCP tool, shows what runs, and can be stopped', async () => {
    const answer = conversationWithCalls();
    const shown = conversation();
    shown?.turns.push({
      ...{ answerId: answer?.id ?? '', runId: answer?.run?.id ?? '', problem: null },
      calls: [
        {
          place: 0,
          id: 'call_1',
          name: 'get_weather',
          by: 'mcp',
          server: 'Weather',
          status: 'asking',
        },
        { place: 1, id: 'call_2', name: 'get_time', by: 'script', server: null, status: 'running' },
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

  it('keeps the focus at the questions while results arrive, then in the message box', async () => {
    const answer = conversationWithCalls();
    const shown = conversation();
    const asking = [0, 1].map((place) => ({
      ...{ place, id: `call_${place}`, name: 'get-sum', by: 'mcp' as const, server: 'Sums' },
      status: 'asking' as const,
    }));
    const turn = { answerId: answer?.id ?? '', runId: answer?.run?.id ?? '', problem: null };
    shown?.turns.push({ ...turn, calls: asking });
    const { screen, message } = await openChat();
    const show = (change: Partial<Conversation>) =>
      queryClient.setQueryData(
        conversationQuery(shown?.id ?? null).queryKey,
        (known) => known && { ...known, ...change },
      );
    const allow = screen
      .getByRole('group', { name: 'Allow get-sum call_0' })
      .getByRole('button', { name: 'Allow once' });
    await expect.element(allow).toBeVisible();
    allow.element().focus();
    const result = makeMessage({
      ...{ parentId: answer?.id ?? null, role: 'tool', content: '3', toolCallId: 'call_1' },
    });
    const messages = [...(shown?.messages ?? []), result];
    show({ messages, activeLeafId: result.id, turns: [{ ...turn, calls: asking.slice(1) }] });
    await expect.element(screen.getByRole('group', { name: 'Allow get-sum' })).toHaveFocus();
    show({ turns: [] });
    await expect.element(message).toHaveFocus();
  });

  it('offers tools only calls that they can answer', async () => {
    savedTools.push({
      ...{ id: 'time', createdAt: 0, answer: { by: 'canned', result: '12:00' } },
      tool: { type: 'function', function: { name: 'get_time' } },
    });
    conversationWithCalls();
    const shown = conversation();
    if (shown !== undefined) shown.options = { ...shown.options, toolIds: ['time'] };
    const { button } = await openChat();
    await expect.element(button('Run with these results')).toBeVisible();
    await expect.element(button('Let tools answer')).not.toBeInTheDocument();
  });

  it('shows who answered a call, how long it took and what a function printed', async () => {
    const { screen } = await openTurn({
      ...{ by: 'script', server: null, failed: true, console: ['one', 'two'], durationMs: 12 },
    });
    const result = screen.getByRole('article', { name: 'tool' });
    await expect.element(result).toMatchTextContent(/get_weather.*JavaScript.*12 ms.*Failed/);
    await result.getByText('2 console lines').click();
    await expect.element(result.getByText('one two')).toBeVisible();
  });
});

async function openTurn(callRecord: CallRecord) {
  const answer = conversationWithCalls();
  const shown = [...conversations.values()][0];
  const result = makeMessage({
    ...{ parentId: answer?.id ?? null, role: 'tool', content: 'Bad', toolCallId: 'call_1' },
    callRecord,
  });
  shown?.messages.push(result);
  if (shown !== undefined) shown.activeLeafId = result.id;
  return openChat();
}
