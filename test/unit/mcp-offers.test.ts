import { expect, it } from 'vitest';
import { limitOffers, readTools } from '../../electron/mcp/read-offers.ts';

it('keeps at most 2 MiB of what an MCP server offers', () => {
  const inputSchema = { type: 'object', description: 'x'.repeat(200 * 1024) };
  const tools = readTools(Array.from({ length: 50 }, (_, at) => ({ name: `t${at}`, inputSchema })));
  expect(tools).toHaveLength(50);
  const resource = { uri: 'a:b', name: 'b', title: null, description: '', mimeType: null };
  const kept = limitOffers({ tools, prompts: [], resources: [resource], cut: [], repeated: [] });
  expect(kept.tools).toHaveLength(10);
  expect(kept.resources).toEqual([]);
  expect(kept.cut).toEqual(['tools', 'resources']);
});
