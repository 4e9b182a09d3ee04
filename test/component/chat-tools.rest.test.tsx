import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import {
  openFind,
  selectConversation,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { getConversationQuery } from '../../renderer/features/chat/conversation/conversation-query.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import {
  type Conversation,
  defaultConversationOptions,
  type TreeMessage,
} from '../../shared/conversation.ts';
import { sent, turnRequests } from './chat-fake-conversations.ts';
import { savedTools } from './chat-fake-saved.ts';
import { addConversation, conversations, makeMessage } from './chat-fake-state.ts';
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

it('adds a tool result for an open call without starting a run', async () => {
  showExchange('Weather?', { toolCalls: [call('call_7', 'get_weather')] });
  const { message, screen, add } = await openChat();
  await message.fill('{"degrees":3}');
  await add('Role and name…');
  await screen.getByRole('combobox', { name: 'Role' }).selectOptions('tool');
  await userEvent.keyboard('{Escape}');
  await add('Add message only');
  const result = screen.getByRole('article', { name: 'tool' });
  await expect.element(result).toMatchTextContent(/for call_7/);
  await expect.element(result).toMatchTextContent(/"degrees": 3/);
  expect(sent).toHaveLength(0);
});

it('shows a hundred of two thousand tool calls and fields for their results at once', async () => {
  const toolCalls = Array.from({ length: 2000 }, (_, index) => call(`call_${index}`, 'get_time'));
  showExchange('All times?', { toolCalls });
  const { screen, button } = await openChat();
  const showMore = { name: 'Show 100 more of 2,000 tool calls' };
  const results = screen.getByRole('form', { name: 'Tool results' });
  const fields = results.getByRole('textbox');
  await expect.poll(() => fields.elements()).toHaveLength(100);
  await results.getByRole('button', showMore).click();
  await expect.poll(() => fields.elements()).toHaveLength(200);
  await button('Send these results').click();
  const names = [0, 1, 2, 3, 4].map((index) => `get_time call_${index}`).join(', ');
  const warning = results.getByRole('alert');
  await expect.element(warning).toMatchTextContent(`${names} and 1,995 more have no results.`);

  const log = screen.getByRole('log');
  log.element().scrollTo(0, 0);
  const calls = log.getByRole('list', { name: 'Tool calls' });
  await expect.poll(() => calls.getByText('get_time').elements()).toHaveLength(100);
  await calls.getByRole('button', showMore).click();
  await expect.poll(() => calls.getByText('get_time').elements()).toHaveLength(200);
});

it('gives saved tools one Tab stop, and restores deleted ones with one Undo', async () => {
  for (const name of ['get_time', 'get_weather', 'look_up'])
    savedTools.push({
      id: name,
      tool: { type: 'function', function: { name } },
      answer: { by: 'you' },
    });
  const { screen, button, add } = await openChat();
  await add('Tools…');
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

it('offers to let tools answer calls that a restart left open, if they can', async () => {
  const turnOn = (name: string) => {
    savedTools.push({
      id: name,
      answer: { by: 'canned', result: '4' },
      tool: { type: 'function', function: { name } },
    });
    return { ...defaultConversationOptions, toolIds: [name] };
  };
  const answered = showExchange('Weather?', { toolCalls: [call('call_1', 'get_weather')] });
  answered.conversation.options = turnOn('get_weather');
  const broken = call('call_2', 'get_time', '{"place": "Os');
  showExchange('Time?', { toolCalls: [broken] }).conversation.options = turnOn('get_time');
  const { button } = await openChat();
  await expect.element(button('Send this result')).toBeVisible();
  await expect.element(button('Let tools answer')).not.toBeInTheDocument();

  selectConversation(answered.conversation.id);
  await button('Let tools answer').click();
  await expect.poll(() => turnRequests).toHaveLength(1);
  expect(turnRequests[0]).toMatchObject({ leafId: answered.answers[0]?.id, overCap: false });
});

/** Returns the turn of an answer whose calls run or wait for approval. */
function turnOf(answer: TreeMessage | undefined) {
  const runId = answer?.run?.id ?? '';
  return { id: runId, answerId: answer?.id ?? '', runId, problem: null };
}

it('allows or declines all calls at once, also by keyboard, and shows how long a tool runs', async () => {
  const answer = conversationWithCalls();
  const [shown = expect.fail()] = conversations.values();
  const call = (place: number) => ({
    place,
    id: `call_${place}`,
    name: 'get-sum',
    by: 'mcp' as const,
    server: 'Sums',
    call: { serverId: 'sums', callId: `call ${place}` },
    status: 'asking' as const,
    startedAt: null,
  });
  const startedAt = Date.now() - 65_000;
  const running = { ...call(2), status: 'running' as const, startedAt };
  shown.turns.push({ ...turnOf(answer), calls: [call(0), call(1), running] });
  const { screen, button, message } = await openChat();
  await expect.element(screen.getByText(/^1:\d\d$/)).toBeVisible();
  await button('Allow all').click();
  await message.click();
  await userEvent.keyboard('{Control>}{Shift>}{Backspace}{/Shift}{/Control}');
  await expect
    .poll(() => turnRequests)
    .toMatchObject([
      { place: 0, decision: 'once' },
      { place: 1, decision: 'once' },
      { place: 0, decision: 'decline' },
      { place: 1, decision: 'decline' },
    ]);
});

it('folds finished calls to a line that opens their arguments and results', async () => {
  const toolCalls = [call('call_1', 'get_temp', '{"city":"Oslo"}')];
  const question = makeMessage({ content: 'How warm?' });
  const step = makeMessage({ parentId: question.id, role: 'assistant', toolCalls });
  const result = makeMessage({
    parentId: step.id,
    role: 'tool',
    content: '{"celsius":14}',
    toolCallId: 'call_1',
  });
  const last = makeMessage({ parentId: result.id, role: 'assistant', content: '14 °C.' });
  selectConversation(addConversation([question, step, result, last]).id);
  const { screen, button } = await openChat();
  const tool = screen.getByRole('article', { name: 'tool' });
  const line = button('get_temp("Oslo") → 14');
  await expect.element(line).toHaveAttribute('aria-expanded', 'false');
  expect(tool.elements()).toEqual([]);
  await line.click();
  await expect.element(tool).toMatchTextContent(/"celsius": 14/);
  await expect.element(screen.getByRole('list', { name: 'Tool calls' })).toBeVisible();
  await expect.element(button('1 tool call')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(line).toHaveFocus();
  // Search looks at whole results.
  openFind();
  await expect.element(tool).toBeVisible();
});

it('keeps focus on the questions as results arrive, then moves it to the message box', async () => {
  const answer = conversationWithCalls();
  const [shown = expect.fail()] = conversations.values();
  const calls = [0, 1].map((place) => ({
    place,
    id: `call_${place}`,
    name: 'get-sum',
    by: 'mcp' as const,
    server: 'Sums',
    call: { serverId: 'sums', callId: `call ${place}` },
    status: 'asking' as const,
    startedAt: null,
  }));
  shown.turns.push({ ...turnOf(answer), calls });
  const { screen, message } = await openChat();
  const show = (change: Partial<Conversation>) =>
    queryClient.setQueryData(
      getConversationQuery(shown.id).queryKey,
      (known) => known && { ...known, ...change },
    );
  const allow = screen
    .getByRole('group', { name: 'Allow get-sum call_0' })
    .getByRole('button', { name: 'Allow once' });
  await expect.element(allow).toBeVisible();
  allow.element().focus();
  const result = makeMessage({
    parentId: answer?.id ?? null,
    role: 'tool',
    content: '3',
    toolCallId: 'call_1',
    callRecord: {
      by: 'script',
      server: null,
      call: null,
      failed: true,
      misfit: null,
      console: ['one', 'two'],
      durationMs: 12,
    },
  });
  const messages = [...shown.messages, result];
  show({
    messages,
    activeLeafId: result.id,
    turns: [{ ...turnOf(answer), calls: calls.slice(1) }],
  });
  await expect.element(screen.getByRole('group', { name: 'Allow get-sum' })).toHaveFocus();
  show({ turns: [] });
  await expect.element(message).toHaveFocus();
  // The result shows what answered the call, how long it took and what a function printed.
  const article = screen.getByRole('article', { name: 'tool' });
  await expect.element(article).toMatchTextContent(/JavaScript.*12 ms.*Failed/);
  await article.getByText('2 console lines').click();
  await expect.element(article.getByText('one two')).toBeVisible();
});
