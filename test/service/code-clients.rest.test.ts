import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCode, getCodeClients } from '../../renderer/run/code/code-export.ts';
import type { HeaderList, SentRequest } from '../../shared/run.ts';
import { type CodeRunner, canImport, startCodeRunner } from '../fixtures/code-runner.ts';
import { listenOnLoopback } from '../fixtures/loopback.ts';

const secrets = {
  GATEHOUSE_API_KEY: 'sk-the-key',
  GATEHOUSE_API_KEY_BASE64: 'dTpw',
  X_TEAM_TOKEN: 'it\'s "$x"',
  SIG: 's 1',
};

const kept = ['authorization', 'api-key', 'x-api-key', 'x-team-token', 'anthropic-version'];

interface Access {
  name: string;
  query?: string;
  headers: HeaderList;
  arrives: Record<string, string>;
}

const accesses: Access[] = [
  {
    name: 'a bearer key and a query',
    query: '?api-version=1%202&sig=[redacted]',
    headers: [['Authorization', 'Bearer [redacted]']],
    arrives: { authorization: 'Bearer sk-the-key' },
  },
  {
    name: 'another header for the key',
    headers: [
      ['api-key', '[redacted]'],
      ['X-Team-Token', 'a [redacted]'],
    ],
    arrives: { 'api-key': 'sk-the-key', 'x-team-token': 'a it\'s "$x"' },
  },
  {
    name: 'x-api-key',
    headers: [['x-api-key', '[redacted]']],
    arrives: { 'x-api-key': 'sk-the-key' },
  },
  {
    name: 'a user and password',
    headers: [['Authorization', 'Basic [redacted]']],
    arrives: { authorization: 'Basic dTpw' },
  },
  { name: 'no key', headers: [], arrives: {} },
];

const clients = [
  { client: 'openai', path: '/v1/chat/completions', version: {} },
  {
    client: 'anthropic',
    path: '/v1/messages',
    version: { 'anthropic-version': '2023-06-01' },
  },
] as const;

/** Starts a server that records every request and always sends the same response. */
async function listen() {
  const arrived: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    arrived.push({ path: request.url ?? '', headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{}');
  });
  return { arrived, baseUrl: `http://127.0.0.1:${await listenOnLoopback(server)}` };
}

const languages = ['python', 'typescript'] as const;

describe.each(languages)('official %s clients', (language) => {
  if (language === 'python' && !canImport('openai', 'anthropic')) {
    it('is skipped because the clients aren’t installed', ({ skip }) => skip());
    return;
  }
  let runner: CodeRunner;
  beforeAll(() => {
    runner = startCodeRunner(language, secrets);
  });
  afterAll(() => runner.close());

  const cases = clients.flatMap((client) => accesses.map((access) => ({ ...client, ...access })));
  it.each(cases)('$client sends $name', async (given) => {
    const { client, path, version, query = '', headers, arrives } = given;
    const { arrived, baseUrl } = await listen();
    const sent: SentRequest = {
      method: 'POST',
      url: baseUrl + path + query,
      headers: [['Content-Type', 'application/json'], ...headers, ...Object.entries(version)],
      body: '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}',
    };
    const response = { kind: 'text' } as const;
    expect(getCodeClients(language, sent, response).map(({ value }) => value)).toContain(client);
    await runner.run(getCode(language, sent, response, client));
    expect(arrived).toHaveLength(1);
    const target = new URL(arrived[0]?.path ?? '', baseUrl);
    expect(target.pathname).toBe(path);
    expect(Object.fromEntries(target.searchParams)).toEqual(
      query === '' ? {} : { 'api-version': '1 2', sig: 's 1' },
    );
    const sentHeaders = Object.entries(arrived[0]?.headers ?? {});
    expect(Object.fromEntries(sentHeaders.filter(([name]) => kept.includes(name)))).toEqual({
      ...arrives,
      ...version,
    });
  });
});
