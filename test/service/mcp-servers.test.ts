/** Tests MCP servers as child processes: the official example and one that breaks every rule. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createServerCalls } from '../../electron/tools/server-calls.ts';
import type { CallDecision } from '../../shared/contract/conversations.ts';
import type { McpServerInput } from '../../shared/mcp.ts';
import { readMcpFile } from '../../shared/mcp-import.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { everythingServer, hostileServer } from '../fixtures/mcp-server.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const never = new AbortController().signal;

async function start(input: McpServerInput, home = temporaryFolder()) {
  const services = await startTestServices({ home });
  const { id } = await services.mcp.save(input);
  const call = (name: string, args = {}, signal = never) =>
    services.mcp.callTool({ serverId: id, name, args, signal });
  return { services, mcp: services.mcp, id, call };
}

it('connects to the example server on first use, lists its features and calls its tools', async () => {
  const { services, mcp, id, call } = await start(everythingServer());
  expect(mcp.server(id)).toMatchObject({ status: 'stopped', offers: { tools: [] } });
  expect(await call('echo', { message: 'Hello' })).toMatchObject({
    content: 'Echo: Hello',
    isError: false,
  });
  const server = mcp.server(id);
  expect(server).toMatchObject({ status: 'ready', error: null });
  expect(server?.offers.tools.map(({ name }) => name)).toContain('get-sum');
  expect(server?.offers.prompts.map(({ name }) => name)).toContain('simple-prompt');
  expect(server?.offers.resources.length).toBeGreaterThan(0);

  // Images become media items, structured content stays, and an error becomes a result.
  const { content } = await call('get-tiny-image');
  const image = (Array.isArray(content) ? content : []).find(({ type }) => type === 'image_url');
  const url = image?.type === 'image_url' ? image.image_url.url : '';
  expect(url).toMatch(/^media:/);
  expect(services.media.get(url.slice('media:'.length))).toMatchObject({ kind: 'image' });
  const weather = await call('get-structured-content', { location: 'New York' });
  expect(JSON.parse(String(weather.content))).toMatchObject({ temperature: 33 });
  expect(await call('echo', {})).toMatchObject({ isError: true });

  // A model calls a tool by the name that the request gave it.
  const choices = [{ serverId: id, name: 'get-sum' }];
  expect(mcp.findTool(choices, 'everything__get-sum')).toEqual({
    serverId: id,
    server: 'everything',
    name: 'get-sum',
  });
  expect(mcp.findTool(choices, 'everything__echo')).toBeNull();

  const abort = new AbortController();
  const long = call('trigger-long-running-operation', { duration: 30, steps: 30 }, abort.signal);
  // The server reads calls in order, so once it answers this one, it has read the long one.
  await call('echo', { message: 'next' });
  abort.abort(new Error('Stopped.'));
  await expect(long).rejects.toThrow('Stopped.');
  expect(await call('echo', { message: 'on' })).toMatchObject({ content: 'Echo: on' });
});

it.for([
  ['die', 'hostile stopped with exit code 3.'],
  ['deep', 'hostile sent a message that isn’t valid JSON, or is nested too deeply.'],
  ['pings', 'hostile sent more than 100 requests within ten seconds.'],
  ['flood', 'hostile sent more than 10,000 messages within ten seconds.'],
] as const)(
  'ends a server that does “%s” and starts it again on next use',
  async ([way, message]) => {
    const { mcp, id, call } = await start(hostileServer());
    // On a slow machine, the server needs more than ten seconds to send this much.
    vi.spyOn(Date, 'now').mockReturnValue(0);
    await expect(call(way)).rejects.toThrow(message);
    expect(mcp.server(id)).toMatchObject({ status: 'failed', error: { message } });
    expect(await call('fine')).toMatchObject({ content: 'done', isError: false });
    expect(mcp.server(id)).toMatchObject({ status: 'ready', error: null });
  },
);

it.for([
  ['garbage', 'hostile prints text that isn’t MCP to its standard output.'],
  ['exits', 'hostile stopped with exit code 1.'],
] as const)('reports a server that starts with “%s”', async ([way, message]) => {
  const { mcp, id, call } = await start(hostileServer(way));
  await expect(call('fine')).rejects.toThrow(message);
  expect(mcp.server(id)).toMatchObject({ status: 'failed', error: { message } });
});

it.for([
  ['text-result', 'hostile returned a result that couldn’t be read.'],
  ['text-error', 'hostile returned a result that couldn’t be read.'],
  ['colors', 'hostile returned an error: red bell'],
] as const)('fails a call at once if its response is “%s”', async ([way, message]) => {
  const { mcp, id, call } = await start(hostileServer());
  const failed: unknown = await call(way).catch((cause: unknown) => cause);
  expect(failed).toMatchObject({ error: { message } });
  expect(mcp.server(id)).toMatchObject({ status: 'ready', error: null });
  expect(await call('fine')).toMatchObject({ content: 'done' });
});

it.for(['many', 'pages'])('says that it cut the tools of a server with “%s”', async (way) => {
  const { mcp, id } = await start(hostileServer(way));
  const { offers, error } = await mcp.connect(id);
  expect(error).toBeNull();
  expect(offers.tools).toHaveLength(way === 'many' ? 1000 : 20);
  expect(offers.cut).toEqual(['tools']);
});

it.for([
  [
    'a missing command',
    'missing',
    'its command, a program that it needs, or its folder wasn’t found.',
  ],
  ['a folder', '.', 'its command is a folder.'],
  ['a file without permission', 'data.txt', 'its command isn’t executable.'],
  [
    'a NUL character',
    'a\0b',
    'its command, arguments, folder or variables contain a NUL character.',
  ],
] as const)('explains why it can’t start %s', async ([, command, reason]) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'data.txt'), 'text', { mode: 0o600 });
  const transport = {
    type: 'stdio' as const,
    command: `${folder}/${command}`,
    args: [],
    cwd: null,
    env: [],
  };
  const { mcp, id } = await start({ id: null, name: 'odd', transport, enabled: true });
  const { status, error } = await mcp.connect(id);
  expect(status).toBe('failed');
  expect(error?.message).toBe(`odd couldn’t be started, because ${reason}`);
});

it('lists a tool that the server adds while it is connected', async () => {
  const { mcp, id, call } = await start(hostileServer());
  await call('extend');
  const names = () => mcp.server(id)?.offers.tools.map(({ name }) => name);
  await expect.poll(names).toEqual(['fine', 'extra']);
});

it('logs how many lines it dropped, even if the server exits first', async () => {
  const { mcp, id, call } = await start(hostileServer());
  await expect(call('chatter')).rejects.toThrow('hostile stopped with exit code 3.');
  const lines = mcp.log(id).map(({ text }) => text);
  expect(lines.length).toBeLessThanOrEqual(500);
  expect(lines.at(-2)).toMatch(/^… \d+ lines left out$/);
  expect(lines.at(-1)).toBe('hostile stopped with exit code 3.');
});

it('accepts a banner before the first message', async () => {
  const { mcp, id, call } = await start(hostileServer('banner'));
  expect(await call('fine')).toMatchObject({ content: 'done' });
  expect(mcp.log(id).map(({ text }) => text)).toContain('Welcome!');
});

it('passes the server only a safe environment and the user’s variables', async () => {
  process.env.GATEHOUSE_API_KEY = 'gatehouse-key-1';
  process.env.OPENAI_API_KEY = 'openai-key-1';
  try {
    const input = hostileServer();
    if (input.transport.type !== 'stdio') throw new Error('It runs as a process.');
    input.transport.env = [{ name: 'TOKEN', value: 'entered' }];
    const { call } = await start(input);
    const names = Object.keys(JSON.parse(String((await call('environment')).content)));
    expect(names).toContain('TOKEN');
    expect(names).toContain('PATH');
    expect(names.filter((name) => /GATEHOUSE|OPENAI/.test(name))).toEqual([]);
  } finally {
    delete process.env.GATEHOUSE_API_KEY;
    delete process.env.OPENAI_API_KEY;
  }
});

it('skips malformed tools and keeps valid ones', async () => {
  const { mcp, id } = await start(hostileServer('markup', 'schemas'));
  await mcp.connect(id);
  const tools = mcp.server(id)?.offers.tools ?? [];
  expect(tools.map(({ problem }) => problem)).toEqual([
    ...[null, null, 'Its name has control characters.'],
    ...['Its name is longer than 128 characters.', 'The server lists this name twice.'],
    ...['Its schema isn’t a JSON object.', 'Its schema isn’t a JSON object.'],
    ...['Its schema isn’t of an object.', 'Its schema is longer than 256 KiB, which is the limit.'],
    null,
  ]);
  expect(JSON.stringify(tools).length).toBeLessThan(10_000);
  expect(JSON.stringify(tools)).not.toMatch(/\\u0000|\\u0007|\u202e/);
  expect((await mcp.listTools(id)).map(({ name }) => name)).toEqual([
    ...['fine', '<img src=x onerror=alert(1)>', 'cycle'],
  ]);
});

it('shows unknown results as text, explains unreadable prompts, and stops an endless call', async () => {
  const { mcp, id, call } = await start(hostileServer());
  const { content } = await call('odd');
  expect(JSON.stringify(content)).toContain('<script>');
  expect(JSON.stringify(content)).toContain('unknown');
  await expect(mcp.getPrompt(id, 'odd', {})).rejects.toThrow(
    'hostile returned a result that couldn’t be read.',
  );
  const abort = new AbortController();
  const hung = call('hang', {}, abort.signal);
  await call('fine');
  abort.abort(new Error('Stopped.'));
  await expect(hung).rejects.toThrow('Stopped.');
  expect(await call('fine')).toMatchObject({ content: 'done' });
});

it('ends a server that never responds, and pending calls, at once', async () => {
  const { mcp, id, call } = await start(hostileServer('silent', 'stays'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const abort = new AbortController();
  const waiting = call('fine', {}, abort.signal);
  await expect.poll(() => mcp.server(id)?.status).toBe('starting');
  abort.abort(new Error('Stopped.'));
  await expect(waiting).rejects.toThrow('Stopped.');
  const stopping = mcp.stop(id);
  // A server has 30 s to start, but only 2 s to exit if it ignores signals.
  await vi.advanceTimersByTimeAsync(2000);
  await stopping;
  expect(mcp.server(id)).toMatchObject({ status: 'stopped', error: null });
});

it('ends a server and its child processes with Gatehouse, even if it ignores signals', async () => {
  const { services, call } = await start(hostileServer('stays'));
  const { content } = await call('children');
  const child = Number(content);
  expect(isRunning(child)).toBe(true);
  await services.close();
  await expect.poll(() => isRunning(child)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function withToken(input: McpServerInput): McpServerInput {
  if (input.transport.type !== 'stdio') throw new Error('It runs as a process.');
  const env = [
    { name: 'TOKEN', value: 'secret-token-12345' },
    { name: 'FOLDER', value: '/home/ann/projects-2026' },
    { name: 'MODE', value: 'production' },
  ];
  return { ...input, transport: { ...input.transport, env } };
}

it('keeps secret environment values out of the database, results, logs and errors', async () => {
  const home = temporaryFolder();
  const { mcp, id, call } = await start(withToken(hostileServer()), home);
  const { content } = await call('environment');
  expect(String(content)).toContain('"TOKEN":"[redacted]"');
  expect(String(content)).toContain('"FOLDER":"/home/ann/projects-2026"');
  expect(String(content)).toContain('"MODE":"production"');
  await mcp.save({ ...withToken(hostileServer('exits')), id });
  await expect(call('fine')).rejects.toThrow('hostile stopped');
  expect(JSON.stringify(mcp.log(id))).toContain('[redacted]: no such database');
  expect(JSON.stringify([mcp.list(), mcp.log(id)])).not.toContain('secret-token-12345');
  for (const name of readdirSync(home).filter((file) => file.includes('sqlite'))) {
    expect(readFileSync(join(home, name), 'latin1')).not.toContain('secret-token-12345');
  }
});

it('deletes a server with its values, unless the deletion is undone', async () => {
  const { services, mcp, id, call } = await start(withToken(hostileServer()));
  const deletionId = await mcp.remove(id);
  expect(mcp.list()).toEqual([]);
  await expect(call('fine')).rejects.toThrow('This MCP server was deleted.');
  services.deletions.undo([deletionId ?? '']);
  expect(mcp.server(id)).toMatchObject({ name: 'hostile', missing: [] });
  expect(String((await call('environment')).content)).toContain('"TOKEN"');
});

it('asks for session-only values again after a restart', async () => {
  const home = temporaryFolder();
  const input: McpServerInput = { ...withToken(hostileServer()), keeping: 'session' };
  const first = await start(input, home);
  await first.services.close();
  const { mcp } = await startTestServices({ home });
  expect(mcp.server(first.id)).toMatchObject({ missing: ['TOKEN', 'FOLDER', 'MODE'] });
  const called = mcp.callTool({ serverId: first.id, name: 'fine', args: {}, signal: never });
  await expect(called).rejects.toThrow(
    'hostile needs its secret values again: TOKEN, FOLDER, MODE.',
  );
});

it('runs no command of an imported mcp.json until the user connects or calls its server', async () => {
  const ran = join(temporaryFolder(), 'ran');
  const args = ['-e', `fs.writeFileSync(${JSON.stringify(ran)}, '')`];
  const file = { mcpServers: { imported: { command: process.execPath, args } } };
  const [server] = readMcpFile(JSON.stringify(file))?.servers ?? [];
  if (server === undefined) throw new Error('The file has a server.');
  const { mcp, id } = await start(server);
  expect(mcp.list()).toMatchObject([{ name: 'imported', status: 'stopped' }]);
  expect(existsSync(ran)).toBe(false);
  await mcp.connect(id);
  expect(existsSync(ran)).toBe(true);
});

it('asks before each call until the user always allows the tool, and again if it changes', async () => {
  const { mcp, id } = await start(hostileServer());
  await mcp.connect(id);
  const calls = createServerCalls(mcp);
  const tool = { serverId: id, server: 'hostile', name: 'fine' };
  const decisions: CallDecision[] = [];
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return decisions.shift() ?? 'decline';
  };
  const call = () => calls.call(tool, {}, { callId: 'call', signal: never, ask });
  expect(await call()).toMatchObject({ failed: true });
  decisions.push('once', 'always');
  expect(await call()).toMatchObject({ content: 'done', failed: false });
  expect(await call()).toMatchObject({ content: 'done', failed: false });
  expect(asked).toBe(3);
  expect(await call()).toMatchObject({ content: 'done', failed: false });
  expect(asked).toBe(3);
  await mcp.save({ ...hostileServer('markup'), id });
  expect(mcp.approval(id, 'fine')).toBe('ask');
  mcp.setApproval(id, 'fine', 'always');
  await mcp.save({ ...hostileServer('changed'), id });
  await mcp.connect(id);
  expect(mcp.approval(id, 'fine')).toBe('ask');
  mcp.setApproval(id, 'fine', 'never');
  expect(await call()).toMatchObject({ failed: true });
  expect(asked).toBe(3);
  mcp.resetApprovals(id);
  expect(mcp.approval(id, 'fine')).toBe('ask');
});
