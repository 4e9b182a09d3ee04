import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../electron/gateway/network.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { startSocksProxy } from '../fixtures/socks-proxy.ts';
import { reply, startWireServer } from '../fixtures/wire-server.ts';

const pem = (name: string) =>
  readFileSync(new URL(`../fixtures/wire/${name}`, import.meta.url), 'utf8');
const certificate = { key: pem('self-signed-key.pem'), cert: pem('self-signed-cert.pem') };
const okay = reply('200 OK', { 'Content-Type': 'application/json' }, '{"choices":[]}');
const login = { user: 'ann', password: 'pa:ss%1' };
const named = `ann:${encodeURIComponent(login.password)}@`;

/** A gateway behind a proxy, and what comes of a request to `url` by the proxy that is named. */
async function ask(
  url: string,
  more: Partial<Parameters<typeof startSocksProxy>[0]>,
  environment: (host: string) => Record<string, string>,
) {
  const isSecure = url.startsWith('https:');
  const gateway = await startWireServer(
    ({ send }) => send(okay),
    ...(isSecure ? [certificate] : []),
  );
  const proxy = await startSocksProxy({ port: gateway.port, ...more });
  const network = createNetwork({
    environment: environment(proxy.host),
    systemProxy: null,
    certificates: () => [certificate.cert],
  });
  onTestFinished(async () => {
    await network.close();
    proxy.close();
    await gateway.close();
  });
  const { outcome } = await observeExchange(url, { network });
  return { outcome, requests: proxy.requests, received: gateway.requests };
}

describe('a SOCKS proxy', () => {
  it.each([
    ['socks5', 'http', '', '5  gateway.test:80'],
    ['socks5h', 'http', '', '5  gateway.test:80'],
    ['socks4a', 'http', '', '4  gateway.test:80'],
    ['socks4', 'http', 'ann@', '4 ann gateway.test:80'],
  ])('%s leads to the gateway by its name', async (scheme, protocol, user, asked) => {
    const { outcome, requests, received } = await ask(
      `${protocol}://gateway.test/v1/models`,
      {},
      (host) => ({ ALL_PROXY: `${scheme}://${user}${host}` }),
    );
    expect(outcome.status).toBe('succeeded');
    expect(requests).toEqual([asked]);
    // As it would be sent without a proxy.
    expect(received[0]).toMatch(/^POST \/v1\/models HTTP\/1\.1\r\nhost: gateway\.test\r\n/);
    expect(received[0]).not.toContain('Proxy-Authorization');
  });

  it('is told the user and the password where they are named, its replies in single bytes', async () => {
    const { outcome, requests } = await ask(
      'http://gateway.test:8080/',
      { login, slow: true },
      (host) => ({ all_proxy: `socks5://${named}${host}` }),
    );
    expect(outcome.status).toBe('succeeded');
    expect(requests).toEqual(['5 ann gateway.test:8080']);
  });

  it('carries https, whose certificate is checked against the gateway', async () => {
    const { outcome, requests } = await ask('https://localhost.gateway.test/', {}, (host) => ({
      HTTPS_PROXY: `socks5://${host}`,
    }));
    expect(requests).toEqual(['5  localhost.gateway.test:443']);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { kind: 'unreachable', detail: expect.stringContaining('ALTNAME') },
    });
  });

  it.each([
    ['asks for a login', { login }, 'socks5://', 'it requires a user name and password'],
    [
      'rejects the login',
      { login: { ...login, password: 'other' } },
      `socks5://${named}`,
      'it rejected the user name and password',
    ],
    [
      'cannot reach the gateway',
      { reply: 4 },
      'socks5://',
      'it could not connect to gateway.test:80 (HostUnreachable)',
    ],
    [
      'of version 4 cannot reach the gateway',
      { reply: 1 },
      'socks4://',
      'it could not connect to gateway.test:80 (Failed)',
    ],
  ])('that %s is what failed', async (_name, more, scheme, reason) => {
    const { outcome, received } = await ask('http://gateway.test/', more, (host) => ({
      ALL_PROXY: `${scheme}${host}`,
    }));
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'unreachable' } });
    expect(outcome).toHaveProperty('error.message', expect.stringContaining(`used: ${reason}.`));
    expect(outcome).toHaveProperty('error.nextStep', expect.stringContaining('ALL_PROXY'));
    expect(received).toEqual([]);
  });

  it('that speaks HTTP is what failed', async () => {
    const server = createServer((_request, response) => response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const environment = { ALL_PROXY: `socks5://127.0.0.1:${port}` };
    const network = createNetwork({ environment, systemProxy: null });
    onTestFinished(async () => {
      await network.close();
      server.close();
    });
    const { outcome } = await observeExchange('http://gateway.test/', { network });
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'unreachable' } });
    expect(outcome).toHaveProperty('error.message', expect.stringContaining('is not SOCKS'));
  });
});
