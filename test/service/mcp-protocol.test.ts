/** Tests what MCP servers ask for, report and return, and the list of their messages. */
import { spawn } from 'node:child_process';
import { createRouterClient } from '@orpc/server';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { McpServerInput } from '../../shared/mcp.ts';
import type { McpMessage } from '../../shared/mcp-messages.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { serveMcp } from '../fixtures/mcp-http-server.ts';
import {
  everythingArguments,
  everythingServer,
  findFreePort,
  hostileServer,
} from '../fixtures/mcp-server.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const never = new AbortController().signal;

afterEach(() => void vi.useRealTimers());

async function start(input: McpServerInput) {
  const services = await startTestServices({ home: temporaryFolder() });
  const { mcp } = services;
  const { id } = await mcp.save(input);
  const call = (name: string, args: JsonObject = {}, signal = never, callId = 'call') =>
    mcp.callTool({ serverId: id, name, args, signal, callId });
  const all = { id, callId: null, search: '' };
  const getQuestion = async () => {
    await expect.poll(() => mcp.activity().questions).toHaveLength(1);
    const [question] = mcp.activity().questions;
    if (question === undefined) throw new Error('There is no question.');
    return question;
  };
  const answer = async (content: JsonObject | null) => {
    const { id: questionId } = await getQuestion();
    await mcp.answer({ questionId, content });
  };
  return { services, mcp, id, call, all, getQuestion, answer };
}

/** Starts the SDK's example server as a command or over HTTP. */
async function startEverything(transport: 'stdio' | 'http') {
  if (transport === 'stdio')
    return start(everythingServer({ EVERYTHING_TOKEN: 'secret-9f8e7d6c' }));
  const port = await findFreePort();
  const child = spawn(process.execPath, everythingArguments('streamableHttp'), {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/mcp`;
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp).toBe(true);
  const headers = [{ name: 'X-Token', value: 'secret-9f8e7d6c' }];
  const server = { type: 'http' as const, url, headers };
  return start({ id: null, name: 'everything', enabled: true, transport: server });
}

const both = ['stdio', 'http'] as const;

it.for(both)(
  'asks the user for a server’s form over %s, and sends a valid answer',
  async (kind) => {
    const { call, getQuestion, answer } = await startEverything(kind);
    const result = call('trigger-elicitation-request');
    expect(await getQuestion()).toMatchObject({
      mode: 'form',
      server: 'everything',
      tool: 'trigger-elicitation-request',
      message: 'Please provide inputs for the following fields:',
      schema: { required: ['name'] },
    });
    await expect(answer({ check: true })).rejects.toThrow('The form isn’t complete.');
    await expect(answer({ name: 'secret-9f8e7d6c' })).rejects.toThrow('which everything must not');
    await answer({ name: 'Ada', integer: 7 });
    const { content, isError } = await result;
    expect(isError).toBe(false);
    expect(content).toContain('Name: Ada');
  },
);

it.for(both)('tells a server over %s that the user declined', async (kind) => {
  const { call, answer, mcp } = await startEverything(kind);
  const result = call('trigger-elicitation-request');
  await answer(null);
  expect((await result).content).toContain('declined');
  expect(mcp.activity()).toEqual({ calls: [], questions: [] });
});

it.for(both)('asks before a page is opened for a server over %s', async (kind) => {
  const { call, getQuestion, answer } = await startEverything(kind);
  const args = { url: 'https://example.com/step', message: 'Open it.' };
  const result = call('trigger-url-elicitation', args);
  expect(await getQuestion()).toMatchObject({ mode: 'url', ...args, server: 'everything' });
  await answer({});
  expect((await result).content).toContain('accept');

  const needed = call('trigger-url-elicitation', { ...args, errorPath: true });
  const failed = expect(needed).rejects.toThrow('finish a step in your browser first');
  expect(await getQuestion()).toMatchObject({ url: 'https://modelcontextprotocol.io/' });
  await answer({});
  await failed;
});

it('lets the user only decline a form that asks for a secret', async () => {
  const { call, answer } = await start(hostileServer());
  const result = call('key-form');
  await expect(answer({ key: 'x' })).rejects.toThrow('hostile asks for a secret');
  await answer(null);
  expect(await result).toMatchObject({ content: '{"action":"decline"}' });
});

it('declines a page that isn’t on the web, and sampling by name', async () => {
  const { call, mcp, id } = await start(hostileServer());
  expect(await call('bad-link')).toMatchObject({ content: '{"action":"decline"}' });
  const { content } = await call('samples');
  expect(content).toContain('Gatehouse doesn’t offer sampling.');
  expect(mcp.log(id).map(({ text }) => text)).toContain('Declined a request for sampling.');
});

it('withdraws the question of a call that the user stops', async () => {
  const { call, mcp, id, getQuestion } = await start(hostileServer());
  const abort = new AbortController();
  const result = call('key-form', {}, abort.signal);
  await getQuestion();
  abort.abort(new Error('Stopped.'));
  await expect(result).rejects.toThrow('Stopped.');
  await mcp.stop(id);
  await expect.poll(() => mcp.activity().questions).toEqual([]);
});

it('ends a silent call after a minute, but not while the user is asked', async () => {
  const { call, getQuestion, answer } = await start(hostileServer());
  await call('fine');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const asked = call('key-form');
  await getQuestion();
  await vi.advanceTimersByTimeAsync(3_600_000);
  await answer(null);
  expect(await asked).toMatchObject({ isError: false });
  const late = expect(call('hang')).rejects.toThrow('hostile didn’t answer in time.');
  await vi.advanceTimersByTimeAsync(60_000);
  await late;
});

it.for(both)('reports the progress of a call over %s', async (kind) => {
  const { call, mcp } = await startEverything(kind);
  const abort = new AbortController();
  const args = { duration: 60, steps: 1200 };
  const result = call('trigger-long-running-operation', args, abort.signal);
  await expect.poll(() => mcp.activity().calls[0]?.progress?.done ?? 0).toBeGreaterThan(0);
  expect(mcp.activity().calls).toMatchObject([
    { callId: 'call', tool: 'trigger-long-running-operation', progress: { total: 1200 } },
  ]);
  abort.abort(new Error('Stopped.'));
  await expect(result).rejects.toThrow('Stopped.');
  expect(mcp.activity().calls).toEqual([]);
});

it('shows a call’s progress and log messages as plain text', async () => {
  const { call, mcp } = await start(hostileServer());
  const result = call('works');
  await expect
    .poll(() => mcp.activity().calls)
    .toMatchObject([
      {
        progress: { done: 3, total: 10, message: 'Reading' },
        lines: [{ level: 'warning', text: 'slow disk' }],
      },
    ]);
  await call('finish', {}, never, 'other');
  expect(await result).toMatchObject({ content: 'finished' });
});

it.for(both)('lists the messages of a server over %s, and those of each call', async (kind) => {
  const { call, mcp, id, all } = await startEverything(kind);
  await call('echo', { message: 'Hello' }, never, 'first');
  await call('get-sum', { a: 2, b: 3 }, never, 'second');
  const { messages, firstNumber, more } = mcp.messages(all, 0);
  expect(firstNumber).toBe(1);
  expect(more).toBe(false);
  const describe = ({ direction, kind: form, method }: McpMessage) =>
    `${direction} ${form} ${method}`;
  expect(messages.map(describe)).toEqual(
    expect.arrayContaining([
      'sent request initialize',
      'received result initialize',
      'sent notification notifications/initialized',
      'sent request tools/list',
      'received result tools/list',
    ]),
  );
  const first = mcp.messages({ id, callId: 'first', search: '' }, 0).messages;
  const ofCall = first.filter(({ method }) => method === 'tools/call');
  expect(ofCall.map(describe)).toEqual(['sent request tools/call', 'received result tools/call']);
  expect(ofCall[0]?.id).toBe(ofCall[1]?.id);
  const [sent, received] = ofCall.map(({ number }) => mcp.readMessage(id, number));
  expect(sent?.body).toContain('"message":"Hello"');
  expect(received?.body).toContain('Echo: Hello');
  const second = mcp.messages({ id, callId: 'second', search: 'TOOLS/call' }, 0).messages;
  expect(second).toHaveLength(2);

  if (kind === 'http') {
    expect(ofCall.map(({ status }) => status)).toEqual([200, 200]);
    expect(sent?.headers).toContainEqual(['x-token', '[redacted]']);
    expect(received?.headers.map(([name]) => name)).toContain('content-type');
  } else expect(ofCall.map(({ status }) => status)).toEqual([null, null]);

  const lines: JsonObject[] = [];
  for await (const line of mcp.exportMessages(all)) lines.push(JSON.parse(line));
  expect(lines).toHaveLength(messages.length);
  expect(lines[0]).toMatchObject({ direction: 'sent', message: { method: 'initialize' } });
  expect(JSON.stringify(lines)).not.toContain('secret-9f8e7d6c');
});

it('lists error pages and refused calls with their status', async () => {
  const server = await serveMcp({
    respond({ method }, response) {
      if (method !== 'tools/call') return false;
      response.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>Down</h1>');
      return true;
    },
  });
  const transport = { type: 'http' as const, url: server.url, headers: [] };
  const { call, mcp, id } = await start({ id: null, name: 'remote', enabled: true, transport });
  await expect(call('fine')).rejects.toThrow('remote failed (HTTP 503).');
  expect(mcp.messages({ id, callId: 'call', search: '' }, 0).messages).toMatchObject([
    { direction: 'sent', method: 'tools/call', status: 503 },
    { direction: 'received', kind: 'other', status: 503, preview: '<h1>Down</h1>' },
  ]);
});

it('marks results that don’t fit the output schema, and keeps them', async () => {
  const { call, mcp, id } = await start(hostileServer('outputs'));
  await mcp.connect(id);
  expect(await call('structured')).toMatchObject({
    content: '{"degrees":"warm"}',
    isError: false,
    misfit: expect.stringContaining('degrees'),
  });
  expect(await call('unstructured')).toMatchObject({
    content: 'done',
    misfit: 'It has no structured content.',
  });
  expect(await call('structured-error')).toMatchObject({ isError: true, misfit: null });
  expect(await call('fine')).toMatchObject({ misfit: null });
});

it.for(both)('calls a tool over %s that the user tries, and checks its structure', async (kind) => {
  const { services, id, mcp } = await startEverything(kind);
  const page = createRouterClient(createRouter(services), { context: {} });
  const args = { location: 'New York' };
  const tried = await page.mcp.try({ id, name: 'get-structured-content', args, callId: 'tried' });
  expect(tried).toMatchObject({ isError: false, misfit: null });
  expect(tried.content).toContain('temperature');
  expect(mcp.messages({ id, callId: 'tried', search: '' }, 0).messages.length).toBeGreaterThan(1);
});

it('lists and calls a tool whose schema has no properties', async () => {
  const server = await serveMcp();
  const transport = { type: 'http' as const, url: server.url, headers: [] };
  const { call, mcp, id } = await start({ id: null, name: 'remote', enabled: true, transport });
  expect(await mcp.listTools(id)).toMatchObject([
    { name: 'fine', inputSchema: { type: 'object' }, problem: null },
  ]);
  expect(await call('fine')).toMatchObject({ content: 'done' });
});

// https://github.com/DeusData/codebase-memory-mcp/issues/1247
it('ends a list whose cursor repeats, without its repeated tools', async () => {
  const { mcp, id, all } = await start(hostileServer('repeats'));
  const { offers } = await mcp.connect(id);
  expect(offers.tools.map(({ name, problem }) => [name, problem])).toEqual([['fine', null]]);
  expect(offers).toMatchObject({ cut: [], repeated: ['tools'] });
  const { messages } = mcp.messages({ ...all, search: 'tools/list' }, 0);
  expect(messages.filter(({ direction }) => direction === 'sent')).toHaveLength(2);
});

it('asks to sign in for the missing scope, and keeps those granted before', async () => {
  const server = await serveMcp({ asksForSignIn: true, neededScope: 'files:write' });
  const transport = { type: 'http' as const, url: server.url, headers: [] };
  const { call, mcp, id } = await start({ id: null, name: 'remote', enabled: true, transport });
  await fetch((await mcp.signIn(id)).url);
  await expect.poll(() => mcp.server(id)?.status).toBe('ready');
  await expect(call('fine')).rejects.toThrow('remote asks for more access: files:write.');
  expect(mcp.server(id)).toMatchObject({ status: 'sign-in', signedIn: true });

  const { url } = await mcp.signIn(id);
  expect(new URL(url).searchParams.get('scope')).toBe('files:read files:write');
  await fetch(url);
  await expect.poll(() => mcp.server(id)?.status).toBe('ready');
  expect(await call('fine')).toMatchObject({ content: 'done' });
});
