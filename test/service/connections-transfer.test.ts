/** Checks that exports contain no secrets, and that imports add all connections or none. */
import { createRouterClient } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import { connectionOptionsInputSchema } from '../../shared/connection-options.ts';
import { createAuthority } from '../fixtures/certificates.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const authority = createAuthority('Test Authority');
const braced = `\${TEAM}`;

const plain = {
  name: 'Mine',
  baseUrl: 'https://gateway.example/v1',
  keyHeader: { name: 'Authorization', scheme: 'Bearer' },
  headers: [],
  query: [],
  caCertificate: null,
  timeouts: { connectSeconds: null, firstByteSeconds: null, stallSeconds: null },
  proxy: { kind: 'default' },
};

const endpoint = {
  operation: 'chat',
  format: 'messages',
  path: '/anthropic/v1/messages',
  taskPath: null,
  keyHeader: { name: 'x-api-key', scheme: '' },
};

const toText = (...connections: unknown[]) =>
  JSON.stringify({ format: 'gatehouse-connections', version: 1, connections });

const open = (services: Services) => createRouterClient(createRouter(services)).connections;

async function createFull() {
  const services = await startTestServices();
  const options = connectionOptionsInputSchema.parse({
    keyHeader: { name: 'api-key', scheme: '' },
    headers: [
      { id: 'a', name: 'X-Secret', value: 'header-secret-1' },
      { id: 'b', name: 'X-Title', value: 'Gatehouse', isSecret: false },
      { id: 'c', name: 'X-Team', value: braced, isSecret: false },
    ],
    query: [
      { id: 'd', name: 'api-version', value: '1' },
      { id: 'e', name: 'sig', value: 'query-secret-1', isSecret: true },
    ],
    caCertificate: { kind: 'pem', text: authority.cert },
    clientCertificate: { kind: 'pem', certificate: authority.cert, key: authority.key },
    acceptedFingerprint: Array.from({ length: 32 }, () => 'AB').join(':'),
    timeouts: { connectSeconds: 5, firstByteSeconds: null, stallSeconds: 0 },
    endpoints: [endpoint],
    proxy: { kind: 'url', url: 'http://ann:proxy-secret-1@proxy.example:3128' },
  });
  const { baseUrl } = plain;
  const { id } = await services.connections.create({ name: 'Mine', baseUrl, options });
  await services.connections.setKey(id, 'sk-key-secret-1', 'session');
  return { services, api: open(services) };
}

describe('an export', () => {
  it('exports everything except secrets and settings that only this user trusts', async () => {
    const { api } = await createFull();
    const file = await api.export();
    expect(file).toEqual({
      format: 'gatehouse-connections',
      version: 1,
      connections: [
        {
          ...plain,
          keyHeader: { name: 'api-key', scheme: '' },
          headers: [
            { name: 'X-Secret', isSecret: true, value: null },
            { name: 'X-Title', isSecret: false, value: 'Gatehouse' },
            { name: 'X-Team', isSecret: false, value: null },
          ],
          query: [
            { name: 'api-version', isSecret: false, value: '1' },
            { name: 'sig', isSecret: true, value: null },
          ],
          caCertificate: authority.cert,
          timeouts: { connectSeconds: 5, firstByteSeconds: null, stallSeconds: 0 },
          endpoints: [endpoint],
          proxy: { kind: 'url', url: 'http://proxy.example:3128' },
        },
      ],
    });
    const text = JSON.stringify(file);
    expect(text).not.toMatch(/secret-1|ann|AB:AB|PRIVATE KEY/);
  });

  it('leaves out Demo and Environment', async () => {
    const services = await startTestServices({ baseUrl: 'http://127.0.0.1:9', key: 'sk-0123456' });
    expect((await open(services).export()).connections).toEqual([]);
  });
});

describe('an import', () => {
  it('adds imported connections alongside those with the same name', async () => {
    const { api } = await createFull();
    const text = JSON.stringify(await api.export());
    const [first] = await api.import({ text });
    expect(first).toMatchObject({
      name: 'Mine 2',
      baseUrl: plain.baseUrl,
      key: null,
      lost: { key: false, values: true },
      options: {
        keyHeader: { name: 'api-key', scheme: '' },
        headers: [
          { name: 'X-Secret', isSecret: true, value: null },
          { name: 'X-Title', isSecret: false, value: 'Gatehouse' },
          { name: 'X-Team', isSecret: true, value: null },
        ],
        caCertificates: [{ subject: 'CN=Test Authority' }],
        clientCertificate: null,
        acceptedFingerprint: null,
        endpoints: [endpoint],
        proxy: { kind: 'url', url: 'http://proxy.example:3128', hasLogin: false },
      },
    });
    expect((await api.import({ text }))[0]?.name).toBe('Mine 3');
    const names = (await api.list()).map(({ name }) => name);
    expect(names).toEqual(['Demo', 'Mine', 'Mine 2', 'Mine 3']);
  });

  it('gives every connection in a file a unique name', async () => {
    const api = open(await startTestServices());
    const long = 'x'.repeat(60);
    const text = toText(
      plain,
      plain,
      { ...plain, name: 'Demo' },
      ...[1, 2].map(() => ({ ...plain, name: long })),
    );
    const names = (await api.import({ text })).map(({ name }) => name);
    expect(names).toEqual(['Mine', 'Mine 2', 'Demo 2', long, `${'x'.repeat(58)} 2`]);
  });

  it('makes a connection usable once its values are entered', async () => {
    const services = await startTestServices();
    const api = open(services);
    const headers = [{ name: 'X-Secret', isSecret: true, value: null }];
    const [imported] = await api.import({ text: toText({ ...plain, headers }) });
    const id = imported?.id ?? '';
    await expect(services.connections.resolve(id)).rejects.toMatchObject({
      error: { kind: 'key-needed', missing: 'values' },
    });
    const [header] = imported?.options.headers ?? [];
    await api.update({
      id,
      name: 'Mine',
      baseUrl: plain.baseUrl,
      options: { headers: [{ id: header?.id ?? '', name: 'X-Secret', value: 'v-1234567' }] },
    });
    expect((await services.connections.resolve(id)).access.headers).toMatchObject([
      { name: 'X-Secret', value: 'v-1234567', shown: '[redacted]' },
    ]);
  });

  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  it.each<[string, string, string, string]>([
    ['nothing', '', 'text', 'doesn’t have Gatehouse connections'],
    ['garbage', '\u0000\u0001PNG', 'text', 'doesn’t have Gatehouse connections'],
    ['a web page', '<script>alert(1)</script>', 'text', 'doesn’t have Gatehouse connections'],
    ['a list nested 100,000 times', deep, 'text', 'doesn’t have Gatehouse connections'],
    ['another format', '{"format":"other","version":1}', 'text', 'doesn’t have'],
    [
      'a newer version',
      toText(plain).replace('"version":1', '"version":2'),
      'text',
      'another version',
    ],
    ['no list', '{"format":"gatehouse-connections","version":1}', 'connections', 'Expected a list'],
    ['an entry that isn’t one', toText(plain, null), 'connections.1', 'Expected an object'],
    [
      'a script as base URL',
      toText({ ...plain, baseUrl: 'javascript:alert(1)' }),
      'connections.0.baseUrl',
      'Enter a URL',
    ],
    [
      'a file as base URL',
      toText({ ...plain, baseUrl: 'file:///etc/passwd' }),
      'connections.0.baseUrl',
      'Enter a URL',
    ],
    [
      'a login in the base URL',
      toText({ ...plain, baseUrl: 'https://a:b@g.example' }),
      'connections.0.baseUrl',
      'can’t contain a user name',
    ],
    [
      'a path as certificate',
      toText({ ...plain, caCertificate: '/etc/ssl/cert.pem' }),
      'connections.0.caCertificate',
      'Paths aren’t read',
    ],
    ['a key', toText({ ...plain, key: 'sk-1' }), 'connections.0.key', 'Keys can’t be imported'],
    [
      'an unknown field',
      toText({ ...plain, onload: 'x' }),
      'connections.0.onload',
      'Unknown field “onload”',
    ],
    [
      'a prototype',
      toText(plain).replace('"name"', '"__proto__":{"a":1},"name"'),
      'connections.0',
      'Unknown field',
    ],
    [
      'a name with control characters',
      toText({ ...plain, name: 'a\u202eb' }),
      'connections.0.name',
      'control character',
    ],
    [
      'a header with a line break',
      toText({ ...plain, headers: [{ name: 'X', isSecret: false, value: 'a\r\nHost: b' }] }),
      'connections.0.headers.0.value',
      'line breaks',
    ],
    [
      'a header of the framing',
      toText({ ...plain, headers: [{ name: 'Content-Length', isSecret: false, value: '1' }] }),
      'connections.0.headers.0.name',
      'Gatehouse sets this header',
    ],
    [
      'a header twice',
      toText({
        ...plain,
        headers: [
          { name: 'X-Team', isSecret: false, value: 'a' },
          { name: 'x-team', isSecret: false, value: 'b' },
        ],
      }),
      'connections.0.headers.1.name',
      'already listed',
    ],
    [
      'a header that the key is sent in',
      toText({ ...plain, headers: [{ name: 'AUTHORIZATION', isSecret: false, value: 'a' }] }),
      'connections.0.headers.0.name',
      'The key is sent in this header',
    ],
    [
      'an environment variable',
      toText({ ...plain, headers: [{ name: 'X', isSecret: false, value: braced }] }),
      'connections.0.headers.0.value',
      'Environment variables can’t be imported',
    ],
    [
      'a script as proxy',
      toText({ ...plain, proxy: { kind: 'url', url: 'javascript:x' } }),
      'connections.0.proxy.url',
      'Enter a proxy',
    ],
    [
      'a login of a proxy',
      toText({ ...plain, proxy: { kind: 'url', url: 'http://a:b@proxy' } }),
      'connections.0.proxy.url',
      'can’t contain a user name',
    ],
  ])('rejects %s and adds nothing', async (_name, text, path, message) => {
    const api = open(await startTestServices());
    const error = await api.import({ text }).catch((cause: unknown) => cause);
    const data = error !== null && typeof error === 'object' && 'data' in error ? error.data : null;
    expect(data).toMatchObject({ kind: 'invalid-request', nextStep: expect.stringMatching(/\.$/) });
    const fields = JSON.stringify(data);
    expect(fields).toContain(message);
    expect(data).toHaveProperty(
      'fields.0.path',
      path.split('.').concat(path === 'connections.0' ? ['__proto__'] : []),
    );
    expect((await api.list()).map(({ name }) => name)).toEqual(['Demo']);
  });

  it('reports every invalid entry', async () => {
    const api = open(await startTestServices());
    const text = toText(plain, { ...plain, name: '' }, { ...plain, baseUrl: 'x' });
    await expect(api.import({ text })).rejects.toMatchObject({
      data: {
        message: 'Connection 2, name: Enter a name.',
        nextStep: 'Nothing was imported. Fix the file and try again.',
        fields: [{ path: ['connections', '1', 'name'] }, { path: ['connections', '2', 'baseUrl'] }],
      },
    });
  });

  it('rejects a 100 MB file before reading it', async () => {
    const api = open(await startTestServices());
    const text = toText({ ...plain, name: 'x'.repeat(100_000_000) });
    await expect(api.import({ text })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await api.list()).toHaveLength(1);
  });
});
