import { expect, it } from 'vitest';
import type { McpServerInput } from '../../shared/mcp.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { serveMcp } from '../fixtures/mcp-http-server.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const never = new AbortController().signal;

function httpServer(url: string, headers: Record<string, string> = {}): McpServerInput {
  const entries = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    id: null,
    name: 'remote',
    enabled: true,
    transport: { type: 'http', url, headers: entries },
  };
}

async function start(input: McpServerInput, home = temporaryFolder()) {
  const lines: string[] = [];
  const services = await startTestServices({ home, log: (line) => lines.push(line) });
  const { mcp } = services;
  const { id } = await mcp.save(input);
  const call = (name: string, args = {}) =>
    mcp.callTool({ serverId: id, name, args, signal: never });
  return { services, mcp, id, call, home, lines };
}

it.for(['application/json', 'text/event-stream'])(
  'rejects a response with millions of values as %s',
  async (type) => {
    const server = await serveMcp({
      respond(message, response) {
        if (message.method !== 'tools/call') return false;
        response.writeHead(200, { 'Content-Type': type });
        if (type === 'text/event-stream') response.write(': "\n\ndata: ');
        response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"rest":[`);
        response.end(`${'{},'.repeat(3_000_000)}{}]}}\n\n`);
        return true;
      },
    });
    const { call, mcp, id } = await start(httpServer(server.url));
    await expect(call('fine')).rejects.toThrow('more than 2 million values');
    expect(mcp.server(id)).toMatchObject({ status: 'failed' });
  },
);

it.for(['application/json', 'text/event-stream'])(
  'aborts a 100 MB response as %s',
  async (type) => {
    const server = await serveMcp({
      respond(message, response) {
        if (message.method !== 'tools/call') return false;
        response.writeHead(200, { 'Content-Type': type });
        response.write(type === 'application/json' ? '{"jsonrpc":"2.0","result":"' : 'data: ');
        const piece = 'x'.repeat(1024 * 1024);
        let left = 100;
        const write = () => {
          while (left > 0 && response.write(piece)) left -= 1;
          left -= 1;
          if (left > 0) response.once('drain', write);
        };
        write();
        return true;
      },
    });
    const { call, mcp, id } = await start(httpServer(server.url));
    await expect(call('fine')).rejects.toThrow('larger than 32 MiB');
    expect(mcp.server(id)).toMatchObject({ status: 'failed' });
  },
);
