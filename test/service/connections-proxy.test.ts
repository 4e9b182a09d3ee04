/** Tests a connection's proxy on real sockets: forwarding, tunnels, logins and no proxy. */
import { expect, it, onTestFinished } from 'vitest';
import { connectionOptionsInputSchema } from '../../shared/connection-options.ts';
import { createAuthority } from '../fixtures/certificates.ts';
import { startHttpProxy } from '../fixtures/http-proxy.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { startSocksProxy } from '../fixtures/socks-proxy.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply, startWireServer } from '../fixtures/wire-server.ts';

const KEY = 'sk-proxy-0123456789';
const list = jsonReply({ data: [{ id: 'm' }] });
const getOptions = (options: object) => connectionOptionsInputSchema.parse(options);
const via = (url: string, keepsLogin = false) => ({ proxy: { kind: 'url', url, keepsLogin } });

async function testDraft(baseUrl: string, options: object, environment: NodeJS.ProcessEnv = {}) {
  const { connections } = await startTestServices({ environment });
  return connections.testDraft({ id: null, baseUrl, key: KEY, options: getOptions(options) });
}

it('forwards plain requests with the proxy’s login, and hides both credentials', async () => {
  const server = await serveScript(({ send }) => send(list));
  const proxy = await startHttpProxy(server.port, 'ann:pa ss/1');
  const { connections } = await startTestServices();
  const connection = await connections.create({
    name: 'Mine',
    baseUrl: 'http://gateway.test/v1',
    options: getOptions(via(`http://ann:${encodeURIComponent('pa ss/1')}@${proxy.host}`)),
  });
  expect(connection.options.proxy).toEqual({
    kind: 'url',
    url: `http://${proxy.host}`,
    hasLogin: true,
  });
  expect(await connections.test(connection.id)).toMatchObject({ ok: true });
  expect(proxy.asked[0]).toBe('GET http://gateway.test/v1/models');
});

it('tunnels HTTPS so that the proxy never sees the key', async () => {
  const authority = createAuthority('Test Authority');
  const server = await startWireServer(({ send }) => send(list), authority.issue('gateway.test'));
  onTestFinished(() => server.close());
  const proxy = await startHttpProxy(server.port, 'ann:secret-1');
  const test = await testDraft('https://gateway.test', {
    ...via(`http://ann:secret-1@${proxy.host}`),
    caCertificate: { kind: 'pem', text: authority.cert },
  });
  expect(test.ok).toBe(true);
  expect(server.requests[0]).toContain(`Bearer ${KEY}`);
  expect(proxy.asked[0]).toBe('CONNECT gateway.test:443');
  expect(proxy.heads.join('')).not.toContain(KEY);
});

it('connects through SOCKS, even to this computer', async () => {
  const server = await serveScript(({ send }) => send(list));
  const login = { user: 'ann', password: 'secret-1' };
  const socks = await startSocksProxy({ port: server.port, login });
  onTestFinished(() => socks.close());
  const test = await testDraft('http://127.0.0.1:9', via(`socks5://ann:secret-1@${socks.host}`));
  expect(test.ok).toBe(true);
  // Nothing listens on port 9, so each request went through SOCKS.
  expect(server.requests.length).toBeGreaterThan(0);
  expect(socks.requests).not.toEqual([]);
});

it('reports a missing or wrong login', async () => {
  const server = await serveScript(({ send }) => send(list));
  const proxy = await startHttpProxy(server.port, 'ann:secret-1');
  for (const url of [`http://${proxy.host}`, `http://ann:other@${proxy.host}`]) {
    const tunneled = await testDraft('https://gateway.test', via(url));
    expect(tunneled.error?.message).toMatch(/it requires a user name and password/);
    const plain = await testDraft('http://gateway.test', via(url));
    expect(plain.error?.message).toBe('The proxy requires a user name and password.');
  }
  expect(server.requests).toEqual([]);
});

it('overrides the environment’s proxy, which is the default', async () => {
  const server = await serveScript(({ send }) => send(list));
  const [own, other] = [await startHttpProxy(server.port), await startHttpProxy(server.port)];
  const environment = { HTTP_PROXY: `http://${other.host}`, NO_PROXY: 'elsewhere.test' };
  await testDraft('http://gateway.test', via(own.host), environment);
  expect(own.asked.length).toBeGreaterThan(0);
  expect(other.asked).toEqual([]);
  await testDraft('http://gateway.test', {}, environment);
  expect(other.asked.length).toBeGreaterThan(0);
});

it('uses no proxy if set to none, even if the environment has one', async () => {
  const server = await serveScript(({ send }) => send(list));
  const proxy = await startHttpProxy(server.port);
  const test = await testDraft(
    `http://localhost.test:${server.port}`,
    { proxy: { kind: 'none' } },
    { HTTP_PROXY: `http://${proxy.host}` },
  );
  expect(proxy.asked).toEqual([]);
  expect(test.error?.message).toMatch(/Can’t find localhost\.test/);
});

it('keeps a saved login for the same proxy only', async () => {
  const server = await serveScript(({ send }) => send(list));
  const proxy = await startHttpProxy(server.port, 'ann:secret-1');
  const stranger = await startHttpProxy(server.port);
  const { connections } = await startTestServices();
  const input = { name: 'Mine', baseUrl: 'http://gateway.test' };
  const options = getOptions(via(`http://ann:secret-1@${proxy.host}`));
  const { id } = await connections.create({ ...input, options });
  const kept = getOptions(via(`http://${proxy.host}`, true));
  await connections.update(id, { ...input, options: kept });
  expect((await connections.test(id)).ok).toBe(true);
  const moved = getOptions(via(`http://${stranger.host}`, true));
  const { options: shown } = await connections.update(id, { ...input, options: moved });
  expect(shown.proxy).toMatchObject({ hasLogin: false });
  await connections.test(id);
  expect(stranger.heads.join('')).not.toMatch(/proxy-authorization/i);
});
