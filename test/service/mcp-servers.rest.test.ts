import { expect, it, vi } from 'vitest';
import type { McpServerInput } from '../../shared/mcp.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { hostileServer } from '../fixtures/mcp-server.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const never = new AbortController().signal;

async function start(input: McpServerInput, home = temporaryFolder()) {
  const services = await startTestServices({ home });
  const { id } = await services.mcp.save(input);
  const call = (name: string, args = {}, signal = never) =>
    services.mcp.callTool({ serverId: id, name, args, signal });
  return { services, mcp: services.mcp, id, call };
}

it.for([
  ['huge', 'hostile sent a message that is larger than 32 MiB, which is the limit.'],
  ['crowded', 'hostile sent a message with more than 2 million values, which is the limit.'],
  ['heavy', 'hostile sent more than 128 MiB within ten seconds.'],
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

it('reports a server that starts with an endless message', async () => {
  const message = 'hostile sent a message that is larger than 32 MiB, which is the limit.';
  const { mcp, id, call } = await start(hostileServer('endless'));
  await expect(call('fine')).rejects.toThrow(message);
  expect(mcp.server(id)).toMatchObject({ status: 'failed', error: { message } });
});
