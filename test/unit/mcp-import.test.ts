import { expect, it } from 'vitest';
import { fillMcpInputs, readMcpFile } from '../../shared/mcp-import.ts';

it('reads the servers of Claude Desktop', () => {
  const command = { command: 'npx', args: ['-y', 'server-filesystem', '/tmp'] };
  const files = { ...command, env: { TOKEN: 's3cret' } };
  const env = [{ name: 'TOKEN', value: 's3cret' }];
  const transport = { type: 'stdio', ...command, cwd: null, env };
  expect(readMcpFile(JSON.stringify({ mcpServers: { files } }))).toEqual({
    servers: [{ id: null, name: 'files', enabled: true, transport }],
    inputs: [],
    problems: [],
  });
});

const vscode = `{
  // Secrets are asked for.
  "inputs": [{ "type": "promptString", "id": "key", "description": "API key", "password": true }],
  "servers": {
    "search": {
      "type": "http",
      "url": "https://example.com/mcp", /* "quoted" */
      "headers": { "Authorization": "Bearer \${input:key}" },
    },
  },
}`;

it('reads VS Code’s file with comments, and lists the inputs to ask for', () => {
  const found = readMcpFile(vscode);
  expect(found?.inputs).toEqual([
    { id: 'key', description: 'API key', isSecret: true, defaultValue: '' },
  ]);
  const [server = expect.fail()] = found?.servers ?? [];
  expect(fillMcpInputs(server, { key: 'abc' }).transport).toMatchObject({
    url: 'https://example.com/mcp',
    headers: [{ name: 'Authorization', value: 'Bearer abc' }],
  });
});

it('reports entries that can’t be added and keeps the others', () => {
  const old = { type: 'sse', url: 'https://a.example' };
  const servers = { old, bad: { args: 7 }, none: {}, ok: { command: 'x' } };
  const found = readMcpFile(JSON.stringify({ servers }));
  expect(found?.servers.map(({ name }) => name)).toEqual(['ok']);
  expect(found?.problems).toEqual([
    'old: the older SSE transport isn’t supported.',
    'bad: it has a field of the wrong type.',
    'none: it has neither a command nor a URL.',
  ]);
});

const secret = `\${input:key}`;
const folder = `\${input:dir}`;
it.for([
  ['command', { command: `run-${secret}` }, 'env'],
  ['args', { command: 'x', args: ['--dir', folder, `--key=${secret}`] }, 'env'],
  ['cwd', { command: 'x', cwd: `/srv/${secret}` }, 'env'],
  ['url', { url: `https://a.example/mcp?key=${secret}` }, 'headers'],
] as const)(
  'rejects a secret input in %s, which isn’t stored encrypted',
  ([field, entry, place]) => {
    const found = readMcpFile(
      JSON.stringify({
        inputs: [
          { id: 'key', password: true },
          { id: 'dir', description: 'Folder', default: '/tmp' },
        ],
        servers: { open: entry, ok: { command: 'x', args: [folder] } },
      }),
    );
    expect(found?.problems).toEqual([
      `open: its ${field} would store the secret “key” unencrypted. Put it into ${place}.`,
    ]);
    expect(found?.servers.map(({ name }) => name)).toEqual(['ok']);
    expect(found?.inputs).toEqual([
      { id: 'dir', description: 'Folder', isSecret: false, defaultValue: '/tmp' },
    ]);
  },
);

it.for(['', 'nothing', '[]', '{}', '{"servers":[]}'])('returns null for %j', (text) => {
  expect(readMcpFile(text)).toBeNull();
});
