import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

vi.mock('../../renderer/lib/api.ts', () => import('./chat-fake-main.ts'));

import { conversations, savedTools, sent } from './chat-fake-main.ts';
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
