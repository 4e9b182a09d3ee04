/** MCP servers as child processes: the official example server, and one that breaks every rule. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { McpServerInput } from '../../shared/mcp.ts';
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

it('connects to the example server on first use and lists what it offers', async () => {
  const { mcp, id, call } = await start(everythingServer());
  expect(mcp.server(id)).toMatchObject({ status: 'stopped', offers: { tools: [] } });
  expect(await call('echo', { message: 'Hello' })).toEqual({
    content: 'Echo: Hello',
    isError: false,
  });
  const server = mcp.server(id);
  expect(server).toMatchObject({ status: 'ready', error: null });
  expect(server?.offers.tools.map(({ name }) => name)).toContain('get-sum');
  expect(server?.offers.prompts.map(({ name }) => name)).toContain('simple-prompt');
  expect(server?.offers.resources.length).toBeGreaterThan(0);
});

it('stores images as media and keeps structured content', async () => {
  const { services, call } = await start(everythingServer());
  const { content } = await call('get-tiny-image');
  const image = (Array.isArray(content) ? content : []).find(({ type }) => type === 'image_url');
  const url = image?.type === 'image_url' ? image.image_url.url : '';
  expect(url).toMatch(/^media:/);
  expect(services.media.get(url.slice('media:'.length))).toMatchObject({ kind: 'image' });
  const weather = await call('get-structured-content', { location: 'New York' });
  expect(JSON.parse(String(weather.content))).toMatchObject({ temperature: 33 });
});

it('returns a tool’s own error as its result', async () => {
  const { call } = await start(everythingServer());
  const result = await call('echo', {});
  expect(result.isError).toBe(true);
});

it('cancels a call through the signal', async () => {
  const { call } = await start(everythingServer());
  const abort = new AbortController();
  const long = call('trigger-long-running-operation', { duration: 30, steps: 30 }, abort.signal);
  await setTimeout(200);
  abort.abort(new Error('Stopped.'));
  await expect(long).rejects.toThrow('Stopped.');
  expect(await call('echo', { message: 'on' })).toMatchObject({ content: 'Echo: on' });
});

it.for([
  ['die', 'hostile stopped with exit code 3.'],
  ['huge', 'hostile sent a message that is larger than 32 MiB, which is the limit.'],
  ['flood', 'hostile sent more than 10,000 messages within ten seconds.'],
] as const)(
  'ends a server that does “%s” and starts it again on next use',
  async ([way, message]) => {
    const { mcp, id, call } = await start(hostileServer());
    await expect(call(way)).rejects.toThrow(message);
    expect(mcp.server(id)).toMatchObject({ status: 'failed', error: { message } });
    expect(await call('fine')).toEqual({ content: 'done', isError: false });
    expect(mcp.server(id)).toMatchObject({ status: 'ready', error: null });
  },
);

it.for([
  ['garbage', 'hostile prints text that isn’t MCP to its standard output.'],
  ['endless', 'hostile sent a message that is larger than 32 MiB, which is the limit.'],
  ['exits', 'hostile stopped with exit code 1.'],
] as const)('reports a server that starts with “%s”', async ([way, message]) => {
  const { mcp, id, call } = await start(hostileServer(way));
  await expect(call('fine')).rejects.toThrow(message);
  expect(mcp.server(id)).toMatchObject({ status: 'failed', error: { message } });
});

it('accepts a banner before the first message', async () => {
  const { mcp, id, call } = await start(hostileServer('banner'));
  expect(await call('fine')).toMatchObject({ content: 'done' });
  expect(mcp.log(id).map(({ text }) => text)).toContain('Welcome!');
});

it('gives the server only a safe environment and what the user entered', async () => {
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

it('finds the tool that a model calls by the name that was sent', async () => {
  const { mcp, id } = await start(everythingServer());
  const choices = [{ serverId: id, name: 'get-sum' }];
  expect(mcp.findTool(choices, 'everything__get-sum')).toEqual({
    ...{ serverId: id, server: 'everything', name: 'get-sum' },
  });
  expect(mcp.findTool(choices, 'everything__echo')).toBeNull();
});
