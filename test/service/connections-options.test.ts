/** Checks on real sockets where a connection's options are sent, and how they are shown. */
import { createRouterClient } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { ConnectionInput } from '../../shared/connection.ts';
import { connectionOptionsInputSchema } from '../../shared/connection-options.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { notedPauses } from '../fixtures/video-run.ts';
import { jsonReply, reply, type Script } from '../fixtures/wire-server.ts';

const KEY = 'sk-own-0123456789';
const SECRET = 'team-secret-42';
const braced = (name: string) => `\${${name}}`;
const list = jsonReply({ data: [{ id: 'm' }] });
const answer = jsonReply({ choices: [{ index: 0, text: 'Hi' }] });

const header = (name: string, value: string | null, isSecret = true) => {
  return { id: `id-${name}`, name, value, isSecret };
};

function getOptions(options: Parameters<typeof connectionOptionsInputSchema.parse>[0]) {
  return connectionOptionsInputSchema.parse(options);
}

/** Starts services, and adds a connection to a gateway that runs `script`. */
async function start(
  options: object,
  {
    script = ({ send, request }) => send(request.startsWith('GET') ? list : answer),
    environment = {},
    key = KEY,
  }: { script?: Script; environment?: NodeJS.ProcessEnv; key?: string | null } = {},
) {
  const server = await serveScript(script);
  const services = await startTestServices({ environment, polling: notedPauses().polling });
  const { connections, engine, ledger } = services;
  const input = { name: 'Mine', baseUrl: `${server.url}/v1`, options: getOptions(options) };
  const { id } = await connections.create(input);
  if (key !== null) await connections.setKey(id, key, 'session');
  const request = { model: 'm', prompt: 'Hello' };
  const startRun = () =>
    engine.start({ connectionId: id, operation: 'completion', request, extraBody: {} });
  return {
    server,
    services,
    connections,
    id,
    input,
    startRun,
    async run() {
      const runId = await startRun();
      const view = await untilEnded(services, runId);
      const { events } = ledger.events(runId, { after: 0, limit: 100, kinds: ['request'] });
      const sent = events.flatMap((event) => (event.kind === 'request' ? [event] : []));
      return { view, sent };
    },
  };
}

describe('headers', () => {
  it('sends headers with every request, and hides their values', async () => {
    const { server, connections, id, run } = await start({
      headers: [header('X-Team', SECRET), header('X-Title', 'Gatehouse', false)],
    });
    await connections.test(id);
    const { view, sent } = await run();
    expect(view.status).toBe('succeeded');
    for (const request of server.requests) {
      expect(request).toContain(`X-Team: ${SECRET}\r\n`);
      expect(request).toContain('X-Title: Gatehouse\r\n');
    }
    const withKey = server.requests.filter((request) =>
      request.includes(`Authorization: Bearer ${KEY}\r\n`),
    );
    expect(withKey.length).toBeGreaterThan(1);
    // The test also asks for the models without the key.
    expect(server.requests.length - withKey.length).toBe(1);
    expect(sent[0]?.headers).toContainEqual(['X-Team', '[redacted]']);
    expect(sent[0]?.headers).toContainEqual(['X-Title', 'Gatehouse']);
    expect(JSON.stringify(connections.list())).not.toContain(SECRET);
  });

  it('overrides default headers, but not those of a Console request', async () => {
    const { server, services, id } = await start({
      headers: [header('User-Agent', 'Mine/1', false), header('X-A', 'connection', false)],
    });
    const runId = await services.engine.start({
      connectionId: id,
      operation: 'console',
      extraBody: {},
      request: { method: 'GET', path: '/v1/models', headers: [['X-A', 'request']], body: null },
    });
    await untilEnded(services, runId);
    const [request = ''] = server.requests;
    expect(request.match(/^user-agent: .*$/gim)).toEqual(['User-Agent: Mine/1']);
    expect(request.match(/^x-a: .*$/gim)).toEqual(['X-A: request']);
  });

  it('reads header variables when a request is sent, and never shows their values', async () => {
    const environment: NodeJS.ProcessEnv = { TEAM: 'first-team-1234', ORG: 'o' };
    const { server, run } = await start(
      { headers: [header('X-Team', `Token ${braced('TEAM')}, $ORG`)] },
      { environment },
    );
    const { sent } = await run();
    environment.TEAM = 'second-team-1234';
    await run();
    expect(server.requests[0]).toContain('X-Team: Token first-team-1234, o\r\n');
    expect(server.requests[1]).toContain('X-Team: Token second-team-1234, o\r\n');
    expect(JSON.stringify(sent)).not.toContain('first-team');
  });

  it.each([
    ['isn’t set', 'MISSING', '“X-Team” needs the environment variable MISSING, which isn’t set.'],
    ['is empty', 'EMPTY', 'needs the environment variable EMPTY'],
    ['is Gatehouse’s own key', 'GATEHOUSE_API_KEY', 'can’t use GATEHOUSE_API_KEY'],
  ])('rejects a run whose header variable %s', async (_name, variable, message) => {
    const environment = {
      EMPTY: '',
      GATEHOUSE_API_KEY: 'sk-environment-1',
      GATEHOUSE_BASE_URL: 'http://g.test',
    };
    const { server, startRun, connections, id } = await start(
      { headers: [header('X-Team', `$${variable}`)] },
      { environment },
    );
    await expect(startRun()).rejects.toThrow(message);
    await expect(connections.test(id)).rejects.toThrow(message);
    expect(server.requests).toEqual([]);
  });

  it('redacts header values in gateway responses', async () => {
    const { run, connections, id } = await start(
      { headers: [header('X-Team', `Bearer ${SECRET}`)] },
      {
        script: ({ send }) => send(jsonReply({ choices: [{ index: 0, text: `You: ${SECRET}` }] })),
      },
    );
    const { view } = await run();
    expect(JSON.stringify(view)).toContain('You: [redacted]');
    expect(JSON.stringify(await connections.test(id))).not.toContain(SECRET);
  });

  it('keeps header values by ID if the name changes, and shows only re-entered ones', async () => {
    const { connections, id, input, run, server } = await start({
      headers: [header('X-Team', SECRET)],
    });
    const rename = { ...header('X-Group', null), id: 'id-X-Team' };
    await connections.update(id, { ...input, options: getOptions({ headers: [rename] }) });
    await run();
    expect(server.requests[0]).toContain(`X-Group: ${SECRET}\r\n`);
    const shown = getOptions({ headers: [{ ...rename, isSecret: false }] });
    await expect(connections.update(id, { ...input, options: shown })).rejects.toMatchObject({
      error: { fields: [{ path: ['options', 'headers', '0', 'value'] }] },
    });
  });

  it('keeps header values for the same origin, and asks for them again at a new one', async () => {
    const { connections, id, input, startRun } = await start({
      headers: [header('X-Team', SECRET)],
    });
    const moved = { ...input, baseUrl: 'https://elsewhere.example/v1' };
    const options = getOptions({ headers: [header('X-Team', null)] });
    await expect(connections.update(id, { ...moved, options })).rejects.toThrow(
      'The saved one belongs to another address.',
    );
    expect(connections.list().find((each) => each.id === id)?.baseUrl).toBe(input.baseUrl);
    const { options: _, ...address } = moved;
    expect(await connections.update(id, address)).toMatchObject({
      key: null,
      lost: { key: false, values: true },
    });
    await expect(startRun()).rejects.toMatchObject({
      error: { kind: 'key-needed', missing: 'values', connection: { id, name: 'Mine' } },
    });
  });
});

describe('the key', () => {
  it.each([
    [{ name: 'api-key', scheme: '' }, `api-key: ${KEY}`, ['api-key', '[redacted]']],
    [{ name: 'x-api-key', scheme: '' }, `x-api-key: ${KEY}`, ['x-api-key', '[redacted]']],
    [{ name: 'X-Auth', scheme: 'Token' }, `X-Auth: Token ${KEY}`, ['X-Auth', 'Token [redacted]']],
  ])('sends the key in %o', async (keyHeader, line, shown) => {
    const { server, run } = await start({ keyHeader });
    const { sent } = await run();
    expect(server.requests[0]).toContain(`${line}\r\n`);
    expect(server.requests[0]).not.toMatch(/^authorization:/im);
    expect(sent[0]?.headers).toContainEqual(shown);
  });

  it('reads Basic credentials from a base URL, and shows only its address', async () => {
    const password = 'pa:ss wörd-1';
    const server = await serveScript(({ send, request }) =>
      send(jsonReply({ data: [{ id: request.slice(0, 400) }] })),
    );
    const { connections } = await startTestServices();
    const baseUrl = server.url.replace('//', `//ann:${encodeURIComponent(password)}@`);
    const connection = await connections.create({ name: 'Mine', baseUrl, keeping: 'file' });
    expect(connection).toMatchObject({
      baseUrl: server.url,
      key: { lastFour: '', protection: 'file' },
      options: { keyHeader: { name: 'Authorization', scheme: 'Basic' } },
    });
    const test = await connections.test(connection.id);
    const login = Buffer.from(`ann:${password}`).toString('base64');
    expect(server.requests[0]).toContain(`Authorization: Basic ${login}\r\n`);
    expect(test.models?.[0]).toContain('Authorization: Basic [redacted]');
    expect(JSON.stringify([connection, test])).not.toMatch(/wörd|w%C3%B6rd/);
  });

  it('reads credentials from GATEHOUSE_BASE_URL too', async () => {
    const server = await serveScript(({ send }) => send(list));
    const { connections } = await startTestServices({
      baseUrl: server.url.replace('//', '//ann:secret-word@'),
    });
    await connections.test('environment');
    expect(server.requests[0]).toContain(`Authorization: Basic ${btoa('ann:secret-word')}`);
    expect(connections.list()[1]).toMatchObject({ baseUrl: server.url });
  });

  it('requires user:password for Basic authentication, without cleaning it', async () => {
    const { connections, id, server, run } = await start(
      { keyHeader: { name: 'Authorization', scheme: 'Basic' } },
      { key: null },
    );
    await expect(connections.setKey(id, KEY, 'session')).rejects.toMatchObject({
      error: { fields: [{ path: ['key'], message: 'Enter user:password for Basic.' }] },
    });
    await connections.setKey(id, 'ann:"quoted"', 'session');
    await run();
    expect(server.requests[0]).toContain(`Authorization: Basic ${btoa('ann:"quoted"')}\r\n`);
  });

  it('cleans up a pasted key', async () => {
    const { server, connections, id, run } = await start({});
    await connections.setKey(id, `export OPENAI_API_KEY="${KEY}"\n`, 'session');
    await run();
    expect(server.requests[0]).toContain(`Authorization: Bearer ${KEY}\r\n`);
    await expect(connections.setKey(id, '""', 'session')).rejects.toMatchObject({
      error: { fields: [{ path: ['key'] }] },
    });
  });
});

describe('query parameters', () => {
  const query = [header('api-version', '2024-10-21', false), header('sig', 'a/b+c=1234567')];

  it('adds query parameters to every request, and hides secret values', async () => {
    const { server, connections, id, run } = await start({ query });
    const { url } = await connections.test(id);
    const { sent } = await run();
    for (const request of server.requests) {
      expect(request).toMatch(/^\w+ \S+\?api-version=2024-10-21&sig=a%2Fb%2Bc%3D1234567 HTTP/);
    }
    expect(url).toBe(`${server.url}/v1/models?api-version=2024-10-21&sig=[redacted]`);
    expect(sent[0]?.url).toMatch(/\?api-version=2024-10-21&sig=\[redacted\]$/);
  });

  it('reads query parameters from the base URL', async () => {
    const server = await serveScript(({ send }) => send(list));
    const { connections } = await startTestServices();
    const baseUrl = `${server.url}/openai/chat/completions?api-version=1&api-key=azure-$ecret-1`;
    const { id, options, baseUrl: kept } = await connections.create({ name: 'Azure', baseUrl });
    expect(kept).toBe(`${server.url}/openai`);
    expect(options.query).toMatchObject([
      { name: 'api-version', value: '1', isSecret: false },
      { name: 'api-key', value: null, isSecret: true },
    ]);
    await connections.test(id);
    expect(server.requests[0]).toContain('?api-version=1&api-key=azure-%24ecret-1 HTTP');
  });

  it('doesn’t repeat query parameters that a redirect already has', async () => {
    const { server, connections, id } = await start(
      { query: [header('api-version', '1', false)] },
      {
        script: ({ send, request }) =>
          send(
            request.includes('/moved')
              ? list
              : reply('307 Temporary Redirect', { Location: '/moved?api-version=2' }, ''),
          ),
      },
    );
    expect((await connections.test(id)).ok).toBe(true);
    expect(server.requests[1]).toContain('GET /moved?api-version=2 HTTP');
  });

  it('sends query parameters again after a redirect that repeats a secret one', async () => {
    const { server, run } = await start(
      { query: [header('sig', 'a/b+c=1234567')] },
      {
        script: ({ send, request }) =>
          send(
            request.includes('/moved')
              ? answer
              : reply(
                  '307 Temporary Redirect',
                  { Location: '/moved?sig=a%2Fb%2Bc%3D1234567&page=2' },
                  '',
                ),
          ),
      },
    );
    const { view, sent } = await run();
    expect(view.status).toBe('succeeded');
    expect(server.requests[1]).toContain('POST /moved?page=2&sig=a%2Fb%2Bc%3D1234567 HTTP');
    expect(JSON.stringify([view, sent])).not.toContain('1234567');
  });

  it('hides the value of a variable, even if it isn’t marked as secret', async () => {
    const secret = 'AIza-variable-93f1';
    const { run } = await start(
      { query: [header('key', '$GOOGLE_KEY', false)], headers: [header('X-Team', '$TEAM', false)] },
      {
        environment: { GOOGLE_KEY: secret, TEAM: 'eu' },
        script: ({ send }) =>
          send(jsonReply({ error: { message: `eu: bad key ${secret}` } }, '400 Bad Request')),
      },
    );
    const { view, sent } = await run();
    expect(JSON.stringify([view, sent])).not.toContain(secret);
    expect(view.error?.message).toContain('eu: bad key [redacted]');
  });
});

describe('another origin', () => {
  it('receives no key, headers or query parameters of the connection', async () => {
    const stranger = await serveScript(({ send }) => send(jsonReply('{}', '404 Not Found')));
    const { connections, id, run, server } = await start(
      {
        keyHeader: { name: 'x-api-key', scheme: '' },
        headers: [header('X-Team', SECRET)],
        query: [header('sig', 'query-secret-1')],
      },
      {
        script: ({ send }) =>
          send(reply('307 Temporary Redirect', { Location: `${stranger.url}/moved` }, '')),
      },
    );
    await connections.test(id);
    await run();
    expect(server.requests.length).toBeGreaterThan(1);
    expect(stranger.requests.join('\n')).not.toMatch(/x-api-key|X-Team|sig=/i);
  });
});

describe('a file at another origin', () => {
  it('downloads a foreign file without credentials, but the gateway’s own files with them', async () => {
    const stranger = await serveScript(({ send }) => send(jsonReply('{}', '404 Not Found')));
    let address = `${stranger.url}/speech.wav`;
    const { server, services, id } = await start(
      { headers: [header('X-Team', SECRET)], query: [header('sig', 'query-secret-1')] },
      {
        script: ({ send, request }) =>
          send(
            request.startsWith('POST')
              ? jsonReply({ audio: { url: address } })
              : jsonReply('{}', '404 Not Found'),
          ),
      },
    );
    const speak = async () => {
      const runId = await services.engine.start({
        connectionId: id,
        operation: 'speech',
        extraBody: {},
        request: { model: 'm', input: 'Hello', voice: 'a' },
      });
      await untilEnded(services, runId);
    };
    await speak();
    expect(stranger.requests[0]).toContain('GET /speech.wav HTTP');
    expect(stranger.requests.join('\n')).not.toMatch(/authorization|X-Team|sig=/i);
    address = '/files/speech.wav';
    await speak();
    const download = server.requests.find((request) => request.startsWith('GET /files/'));
    expect(download).toContain('GET /files/speech.wav?sig=query-secret-1 HTTP');
    expect(download).toContain(`X-Team: ${SECRET}\r\n`);
    expect(download).toContain(`Authorization: Bearer ${KEY}\r\n`);
  });
});

describe('timeouts', () => {
  it('prefers the connection’s timeouts to those in Settings', async () => {
    const { connections, id } = await start(
      { timeouts: { connectSeconds: null, firstByteSeconds: 0.2, stallSeconds: null } },
      { script: () => undefined },
    );
    expect((await connections.test(id)).error?.message).toBe('No response after 0.2 seconds.');
  });
});

describe('a draft', () => {
  const draft = (baseUrl: string, more: object = {}) => ({ id: null, baseUrl, key: KEY, ...more });

  it('tests a draft without storing anything', async () => {
    const server = await serveScript(({ send }) => send(list));
    const services = await startTestServices();
    const api = createRouterClient(createRouter(services));
    const before = JSON.stringify([await api.connections.list(), await api.settings.get()]);
    const options = { headers: [header('X-Team', SECRET)] };
    const test = await api.connections.testDraft(draft(`${server.url}/v1`, { options }));
    expect(test).toMatchObject({
      ok: true,
      status: 200,
      modelCount: 1,
      models: ['m'],
      certificate: null,
      error: null,
      url: `${server.url}/v1/models`,
    });
    expect(test.durationMs).toBeGreaterThan(0);
    expect(server.requests[0]).toContain(`X-Team: ${SECRET}\r\n`);
    expect(JSON.stringify([await api.connections.list(), await api.settings.get()])).toBe(before);
  });

  it('sends the saved key and values to the saved origin only', async () => {
    const { server, connections, id } = await start({ headers: [header('X-Team', SECRET)] });
    const stranger = await serveScript(({ send }) => send(list));
    const options = getOptions({ headers: [header('X-Team', null)] });
    await connections.testDraft({ id, baseUrl: `${server.url}/other`, options });
    expect(server.requests[0]).toContain(`Authorization: Bearer ${KEY}\r\n`);
    expect(server.requests[0]).toContain(`X-Team: ${SECRET}\r\n`);
    await expect(connections.testDraft({ id, baseUrl: stranger.url })).rejects.toMatchObject({
      error: { kind: 'key-needed', missing: 'values' },
    });
    await connections.testDraft({ id, baseUrl: stranger.url, options: getOptions({}) });
    expect(stranger.requests[0]).not.toMatch(/authorization|x-team/i);
    const asked = stranger.requests.length;
    await expect(connections.testDraft({ id, baseUrl: stranger.url, options })).rejects.toThrow(
      'belongs to another address',
    );
    expect(stranger.requests).toHaveLength(asked);
  });

  it('tests the saved key with one chat request, and stores nothing', async () => {
    const { server, connections, id, input } = await start({});
    const before = JSON.stringify(connections.list());
    const result = await connections.testKey({ id, baseUrl: input.baseUrl }, 'm');
    expect(result.ok).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatch(/^POST \/v1\/chat\/completions /);
    expect(server.requests[0]).toContain(`Authorization: Bearer ${KEY}\r\n`);
    expect(JSON.stringify(connections.list())).toBe(before);
  });

  it('tests a draft without a key if its key is empty', async () => {
    const { server, connections, id, input } = await start({});
    await connections.testDraft({ id, baseUrl: input.baseUrl, key: '' });
    expect(server.requests[0]).not.toMatch(/authorization/i);
  });

  it('reports the requested URL and why it failed', async () => {
    const { connections } = await startTestServices();
    const test = await connections.testDraft(draft('http://127.0.0.1:9'));
    expect(test).toMatchObject({
      ok: false,
      status: null,
      models: null,
      certificate: null,
      url: 'http://127.0.0.1:9/v1/models',
      error: { kind: 'unreachable' },
    });
  });
});

describe('a key error', () => {
  it.each<[string, string, string, boolean]>([
    ['401 Unauthorized', 'no', 'unauthorized', true],
    ['400 Bad Request', 'API key not valid. Please pass a valid API key.', 'unauthorized', true],
    ['403 Forbidden', 'This API key has no access to the model.', 'forbidden', true],
    ['403 Forbidden', 'Your country is not supported.', 'forbidden', false],
  ])(
    'on %s with “%s”, names the connection only if the key is the cause',
    async (status, message, kind, isNamed) => {
      const { run, id, connections } = await start(
        {},
        { script: ({ send }) => send(jsonReply({ error: { message } }, status)) },
      );
      const { view } = await run();
      const { error } = await connections.test(id);
      for (const each of [view.error, error]) {
        expect(each).toMatchObject({ kind });
        const connection = each !== null && 'connection' in each ? each.connection : undefined;
        expect(connection).toEqual(isNamed ? { id, name: 'Mine' } : undefined);
        if (isNamed) expect(each?.nextStep).toBe('Check the key of “Mine”.');
      }
    },
  );
});

describe('after a restart without a keyring', () => {
  async function restart(options: object, keeping: ConnectionInput['keeping']) {
    const home = temporaryFolder();
    const server = await serveScript(({ send, request }) =>
      send(request.startsWith('GET') ? list : answer),
    );
    const open = () => startTestServices({ home });
    const first = await open();
    const input = { name: 'Mine', baseUrl: server.url, options: getOptions(options), keeping };
    const { id } = await first.connections.create(input as ConnectionInput);
    await first.connections.setKey(id, KEY, keeping ?? 'session');
    expect(first.connections.list().at(-1)?.lost).toEqual({ key: false, values: false });
    await first.close();
    const services = await open();
    const startRun = () =>
      services.engine.start({
        connectionId: id,
        operation: 'completion',
        extraBody: {},
        request: { model: 'm', prompt: 'Hello' },
      });
    return { services, connections: services.connections, id, startRun, server, input };
  }

  it('rejects a run whose session-only key is lost until the user enters it again', async () => {
    const { connections, id, startRun, server, services } = await restart({}, 'session');
    expect(connections.list().at(-1)).toMatchObject({ key: null, lost: { key: true } });
    await expect(startRun()).rejects.toMatchObject({
      error: {
        kind: 'key-needed',
        missing: 'key',
        connection: { id, name: 'Mine' },
        message: 'The key was kept for the session only. Enter it again.',
      },
    });
    expect(server.requests).toEqual([]);
    expect((await connections.setKey(id, KEY, 'session')).lost.key).toBe(false);
    expect((await untilEnded(services, await startRun())).status).toBe('succeeded');
  });

  it('sends runs without a key once the lost key is removed', async () => {
    const { connections, id, startRun, services, server } = await restart({}, 'session');
    expect((await connections.removeKey(id)).lost.key).toBe(false);
    expect((await untilEnded(services, await startRun())).status).toBe('succeeded');
    expect(server.requests[0]).not.toMatch(/authorization/i);
  });

  it('rejects a run whose session-only secret values are gone', async () => {
    const options = { headers: [header('X-Team', SECRET)] };
    const { connections, id, startRun, input } = await restart(options, 'session');
    await connections.setKey(id, KEY, 'session');
    expect(connections.list().at(-1)).toMatchObject({ lost: { key: false, values: true } });
    await expect(startRun()).rejects.toMatchObject({
      error: {
        kind: 'key-needed',
        missing: 'values',
        connection: { id, name: 'Mine' },
        message: 'The secret values of “Mine” were kept for the session only. Enter them again.',
      },
    });
    const kept = getOptions({ headers: [header('X-Team', null)] });
    await expect(
      connections.update(id, { name: 'Mine', baseUrl: input.baseUrl, options: kept }),
    ).rejects.toThrow('It was kept for an earlier session only.');
    await connections.update(id, { ...input, keeping: 'session' });
    expect(connections.list().at(-1)?.lost.values).toBe(false);
  });

  it('keeps keys and values in the file if the user chooses so', async () => {
    const options = { headers: [header('X-Team', SECRET)] };
    const { services, startRun, server } = await restart(options, 'file');
    expect((await untilEnded(services, await startRun())).status).toBe('succeeded');
    expect(server.requests[0]).toContain(`X-Team: ${SECRET}\r\n`);
    expect(server.requests[0]).toContain(`Authorization: Bearer ${KEY}\r\n`);
  });
});
