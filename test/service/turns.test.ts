/** Covers turns that call tools automatically, on a server whose answers the test writes. */
import { expect, it } from 'vitest';
import type { ConversationOptions, WrittenMessage } from '../../shared/conversation.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { type JsonObject, toJson } from '../../shared/json.ts';
import type { Tool } from '../../shared/operations/chat/message.ts';
import type { ToolAnswer } from '../../shared/tool-answer.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { everythingServer } from '../fixtures/mcp-server.ts';
import { serveScript, testKey } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { bodyOf, jsonReply } from '../fixtures/wire-server.ts';

const user = (content: string): WrittenMessage => ({ role: 'user', content });
const named = (name: string, parameters = {}): Tool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', ...parameters } },
});
const text = (content: string) =>
  jsonReply({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });

interface Called {
  name: string;
  args?: string;
  id?: string;
}

function calls(...called: Called[]) {
  const tool_calls = called.map(({ name, args = '{}', id }, index) => ({
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  const message = { role: 'assistant', content: null, tool_calls };
  return jsonReply({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
}

interface Saved {
  tool: Tool;
  answer?: ToolAnswer;
}

/**
 * Sends “Go” with the saved tools. The server sends `replies` in order and repeats the last one.
 */
async function start(
  replies: readonly Uint8Array[],
  saved: readonly Saved[],
  options: Partial<ConversationOptions> = {},
  fields: JsonObject = {},
  home = temporaryFolder(),
) {
  let sent = 0;
  const server = await serveScript(({ send }) => {
    const bytes = replies[Math.min(sent, replies.length - 1)];
    sent += 1;
    if (bytes !== undefined) void send(bytes);
  });
  const services = await startTestServices({ baseUrl: server.url, key: testKey, home });
  const { conversations } = services;
  const known = saved.map((tool) => services.saved.tools.save(tool));
  const { id: conversationId } = conversations.create({
    options: { ...defaultConversationOptions, toolIds: known.map(({ id }) => id), ...options },
  });
  const request = { model: 'm', ...fields, tools: known.map(({ tool }) => toJson(tool)) };
  const input = { conversationId, connectionId: 'environment', extraBody: {} };
  await conversations.send({ ...input, request, parentId: null, message: user('Go') });
  const get = () => conversations.get(conversationId);
  return {
    services,
    server,
    conversationId,
    get,
    shown: () => get().messages.map(({ role, content }) => `${role}: ${String(content)}`),
    /** Resolves when the last run has ended and no turn continues. */
    over: () =>
      expect
        .poll(() => {
          const { turns, messages } = get();
          const isOver = turns.every(({ problem }) => problem !== null);
          return isOver && messages.findLast(({ run }) => run !== null)?.run?.status;
        })
        .toBe('succeeded'),
  };
}

/** Calls `act` once a tool has answered, before the next request is sent. */
function onceAnswered({ services, get }: Awaited<ReturnType<typeof start>>, act: () => void) {
  let isDone = false;
  services.changes.listen(() => {
    if (isDone || get().messages.at(-1)?.role !== 'tool') return;
    isDone = true;
    act();
  });
}

const weather: Saved = {
  tool: named('weather'),
  answer: { by: 'canned', result: '{"place":{{place}},"degrees":14}' },
};
const script = (name: string, code: string): Saved => ({
  tool: named(name),
  answer: { by: 'script', code },
});
const endless = script('endless', '() => { for (;;); }');
const failing: ToolAnswer = { by: 'script', code: '() => { throw new Error(); }' };
const asked = (name: string): Saved => ({ tool: named(name) });

it('answers parallel calls and requests the next answers until no tool is called', async () => {
  const twice = calls(
    { name: 'weather', args: '{"place":"Oslo"}' },
    { name: 'weather', args: '{"place":"Rome"}' },
  );
  const { over, shown, server, get } = await start(
    [twice, calls({ name: 'weather', args: '{"place":"Bern"}' }), text('Mild.')],
    [weather],
  );
  await over();
  expect(shown().slice(-5)).toEqual([
    'tool: {"place":"Oslo","degrees":14}',
    'tool: {"place":"Rome","degrees":14}',
    'assistant: ',
    'tool: {"place":"Bern","degrees":14}',
    'assistant: Mild.',
  ]);
  expect(server.requests).toHaveLength(3);
  expect(bodyOf(server.requests[1]).messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_0', content: '{"place":"Oslo","degrees":14}' },
    { role: 'tool', tool_call_id: 'call_1', content: '{"place":"Rome","degrees":14}' },
  ]);
  expect(get().activeLeafId).toBe(get().messages.at(-1)?.id);
  expect(get().messages.find(({ role }) => role === 'tool')?.callRecord).toMatchObject({
    by: 'canned',
    failed: false,
  });
});

it('lets the user answer calls that no tool handles, then continues', async () => {
  const both = calls({ name: 'weather', args: '{"place":1}' }, { name: 'ask', id: 'mine' });
  const { over, services, conversationId, get, server, shown } = await start(
    [both, calls({ name: 'weather' }), text('Done.')],
    [weather, asked('ask')],
  );
  await over();
  expect(server.requests).toHaveLength(1);
  expect(shown().at(-1)).toBe('tool: {"place":1,"degrees":14}');
  await services.conversations.send({
    conversationId,
    connectionId: 'environment',
    extraBody: {},
    request: { model: 'm', tools: services.saved.tools.list().map(({ tool }) => toJson(tool)) },
    parentId: get().activeLeafId,
    message: { role: 'tool', content: 'Yes', toolCallId: 'mine' },
  });
  await over();
  expect(server.requests).toHaveLength(3);
  expect(shown().at(-1)).toBe('assistant: Done.');
});

it('sends at most the chosen number of requests, and more if the user continues', async () => {
  const { over, services, conversationId, get, server } = await start(
    [calls({ name: 'weather' })],
    [weather],
    { maxRounds: 3 },
  );
  await over();
  expect(server.requests).toHaveLength(3);
  services.conversations.continueTurn(conversationId, get().activeLeafId ?? '', false);
  await expect.poll(() => server.requests.length).toBe(6);
  await over();
  expect(server.requests).toHaveLength(6);
});

it('answers calls that no tool can handle with errors, if the user wants that', async () => {
  const bad = calls(
    { name: 'nothing' },
    { name: 'weather', args: '{"place":' },
    { name: 'weather', args: '{}', id: 'call_0' },
  );
  const { over, shown } = await start([bad, text('Sorry.')], [weather], { rejectsBadCalls: true });
  await over();
  expect(shown().slice(2)).toEqual([
    'tool: {"error":"There is no tool named nothing."}',
    'tool: {"error":"The arguments aren’t a JSON object."}',
    'tool: {"error":"Another call of this answer has the same ID, call_0."}',
    'assistant: Sorry.',
  ]);
});

it('leaves invalid calls to the user by default', async () => {
  const turn = await start([calls({ name: 'nothing' })], [weather]);
  const { over, shown, server, services, conversationId, get } = turn;
  await over();
  expect(shown()).toHaveLength(2);
  expect(server.requests).toHaveLength(1);
  services.conversations.continueTurn(conversationId, get().activeLeafId ?? '', false);
  await expect.poll(() => get().turns[0]?.problem?.message).toBe('No tool can answer these calls.');
});

it('asks once about parallel calls of an MCP tool that the user always allows', async () => {
  const name = 'everything__get-sum';
  const sums = calls({ name, args: '{"a":1,"b":1}' }, { name, args: '{"a":2,"b":2}' });
  const turn = await start([text('Hi.'), sums, text('Done.')], []);
  await turn.over();
  const { services, conversationId, get } = turn;
  const { id: serverId } = await services.mcp.save(everythingServer());
  await services.mcp.connect(serverId);
  const mcpTools = [{ serverId, name: 'get-sum' }];
  services.conversations.update(conversationId, {
    options: { ...defaultConversationOptions, mcpTools },
  });
  await services.conversations.send({
    conversationId,
    connectionId: 'environment',
    extraBody: {},
    request: { model: 'm', tools: [toJson(named(name))] },
    parentId: get().activeLeafId,
    message: user('Add'),
  });
  const getCalls = () => get().turns[0]?.calls.map((call) => `${call.name} ${call.status}`);
  await expect.poll(getCalls).toEqual(['get-sum asking', 'get-sum asking']);
  const answerId = get().turns[0]?.answerId ?? '';
  services.conversations.decideCall(conversationId, answerId, 1, 'always');
  await turn.over();
  expect(turn.shown().slice(-3).toSorted()).toEqual([
    'assistant: Done.',
    'tool: The sum of 1 and 1 is 2.',
    'tool: The sum of 2 and 2 is 4.',
  ]);
});

it('forces a tool only in the first request', async () => {
  const { over, server } = await start(
    [calls({ name: 'weather' }), text('Mild.')],
    [weather],
    {},
    {
      tool_choice: 'required',
    },
  );
  await over();
  const [first, second] = server.requests.map(bodyOf);
  expect(first).toMatchObject({ tool_choice: 'required' });
  expect(second).not.toHaveProperty('tool_choice');
});

it('sends a queued message after the last answer of the turn', async () => {
  const turn = await start([calls({ name: 'weather' }), text('Done.')], [weather]);
  const { services, conversationId, get, server } = turn;
  onceAnswered(turn, () => {
    const afterRunId = get().turns[0]?.runId ?? '';
    void services.conversations.queue({
      conversationId,
      connectionId: 'environment',
      extraBody: {},
      wireNames: {},
      request: { model: 'm' },
      sourceRunId: null,
      afterRunId,
      message: user('Next'),
    });
  });
  await expect.poll(() => server.requests.length).toBe(3);
  expect(bodyOf(server.requests[2]).messages).toMatchObject([
    { content: 'Go' },
    { role: 'assistant' },
    { role: 'tool' },
    { content: 'Done.' },
    { content: 'Next' },
  ]);
});

it('stops while a tool works, and lets the user continue', async () => {
  const { services, conversationId, get, server, over } = await start(
    [calls({ name: 'weather' }, { name: 'endless' }), text('Done.')],
    [weather, endless],
  );
  await expect.poll(() => get().turns[0]?.calls.map(({ name }) => name)).toEqual(['endless']);
  services.conversations.stopTurns(conversationId);
  await expect.poll(() => get().turns).toEqual([]);
  expect(get().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(server.requests).toHaveLength(1);
  const [saved] = services.saved.tools
    .list()
    .filter(({ tool }) => tool.function.name === 'endless');
  services.saved.tools.save({ id: saved?.id ?? null, tool: endless.tool, answer: failing });
  services.conversations.continueTurn(conversationId, get().activeLeafId ?? '', false);
  await over();
  expect(get().messages.map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'tool', 'tool', 'assistant'],
  ]);
  expect(get().messages[3]?.callRecord).toMatchObject({ by: 'script', failed: true });
});

it('keeps the results of finished calls across a restart, and resends nothing', async () => {
  const home = temporaryFolder();
  const both = calls({ name: 'weather' }, { name: 'endless' });
  const first = await start([both], [weather, endless], {}, {}, home);
  await expect.poll(() => first.get().messages.length).toBe(3);
  await first.services.close();
  const again = await startTestServices({ baseUrl: first.server.url, key: testKey, home });
  const { messages, turns } = again.conversations.get(first.conversationId);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(turns).toEqual([]);
  expect(first.server.requests).toHaveLength(1);
});

it('shows why the next request couldn’t be sent, and sends it on retry', async () => {
  const turn = await start([calls({ name: 'weather' }), text('Done.')], [weather]);
  const { services, conversationId, get, over } = turn;
  const rates = {
    inputPerMillionTokens: 1000,
    cachedInputPerMillionTokens: null,
    cacheWritePerMillionTokens: null,
    hourCacheWritePerMillionTokens: null,
    outputPerMillionTokens: 1000,
    perImage: null,
    perVideoSecond: null,
    perMillionCharacters: null,
    perSoundMinute: null,
  };
  services.prices.save(null, { connectionId: 'environment', model: 'm', rates });
  onceAnswered(turn, () => services.settings.update({ dailyCaps: { environment: 0 } }));
  await expect.poll(() => get().turns[0]?.problem?.kind).toBe('beyond-cap');
  services.conversations.continueTurn(conversationId, get().activeLeafId ?? '', true);
  await over();
  expect(get().messages.at(-1)?.content).toBe('Done.');
});

it('sends nothing if the user stops while the next request is prepared', async () => {
  const turn = await start([calls({ name: 'weather' }), text('Done.')], [weather]);
  const { services, conversationId, get, server } = turn;
  onceAnswered(turn, () => services.conversations.stopTurns(conversationId));
  await expect.poll(() => get().messages.at(-1)?.role).toBe('tool');
  await expect.poll(() => get().turns).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

it('stops the calls of an answer that is deleted', async () => {
  const { services, conversationId, get } = await start([calls({ name: 'endless' })], [endless]);
  await expect.poll(() => get().turns[0]?.calls.length).toBe(1);
  await services.conversations.removeMessage(conversationId, get().messages[1]?.id ?? '');
  await expect.poll(() => get().turns).toEqual([]);
});
