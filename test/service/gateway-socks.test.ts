import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSocksTunnel } from '../../electron/gateway/connector.ts';
import { createNetwork } from '../../electron/gateway/network.ts';
import type { ProxyServer } from '../../electron/gateway/proxy-route.ts';
import type { Timeouts } from '../../shared/settings.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { startSocksProxy } from '../fixtures/socks-proxy.ts';
import { always, jsonReply, readWire, startWireServer } from '../fixtures/wire-server.ts';

const certificate = {
  key: readWire('self-signed-key.pem'),
  cert: readWire('self-signed-cert.pem'),
};
const okay = jsonReply('{"choices":[]}');
const login = { user: 'ann', password: 'pa:ss%1' };
const named = `ann:${encodeURIComponent(login.password)}@`;

/** Sends a request to `url` through the proxy that the environment sets. */
async function ask(
  url: string,
  more: Partial<Parameters<typeof startSocksProxy>[0]>,
  environment: (host: string) => Record<string, string>,
  timeouts?: Timeouts,
) {
  const isSecure = url.startsWith('https:');
  const gateway = await startWireServer(always(okay), ...(isSecure ? [certificate] : []));
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
  const { outcome } = await observeExchange(url, { network, ...(timeouts && { timeouts }) });
  return { outcome, requests: proxy.requests, received: gateway.requests };
}

describe('a SOCKS proxy', () => {
  it.each([
    ['socks5', 'http', '', '5  gateway.test:80'],
    ['socks5h', 'http', '', '5  gateway.test:80'],
    ['socks4a', 'http', '', '4  gateway.test:80'],
    ['socks4', 'http', 'ann@', '4 ann gateway.test:80'],
  ])(
    'connects through %s to the gateway by its host name',
    async (scheme, protocol, user, asked) => {
      const { outcome, requests, received } = await ask(
        `${protocol}://gateway.test/v1/models`,
        {},
        (host) => ({ ALL_PROXY: `${scheme}://${user}${host}` }),
      );
      expect(outcome.status).toBe('succeeded');
      expect(requests).toEqual([asked]);
      // The request must look the same as without a proxy.
      expect(received[0]).toMatch(/^POST \/v1\/models HTTP\/1\.1\r\nhost: gateway\.test\r\n/);
      expect(received[0]).not.toContain('Proxy-Authorization');
    },
  );

  it('sends user name and password, and accepts replies in single bytes', async () => {
    const { outcome, requests } = await ask(
      'http://gateway.test:8080/',
      { login, slow: true },
      (host) => ({ all_proxy: `socks5://${named}${host}` }),
    );
    expect(outcome.status).toBe('succeeded');
    expect(requests).toEqual(['5 ann gateway.test:8080']);
  });

  it('tunnels HTTPS, and checks the certificate against the gateway’s name', async () => {
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
      'it couldn’t connect to gateway.test:80 (HostUnreachable)',
    ],
    [
      'of version 4 cannot reach the gateway',
      { reply: 1 },
      'socks4://',
      'it couldn’t connect to gateway.test:80 (Failed)',
    ],
  ])('reports a proxy that %s', async (_name, more, scheme, reason) => {
    const { outcome, received } = await ask('http://gateway.test/', more, (host) => ({
      ALL_PROXY: `${scheme}${host}`,
    }));
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'unreachable' } });
    expect(outcome).toHaveProperty('error.message', expect.stringContaining(`failed: ${reason}.`));
    expect(outcome).toHaveProperty('error.nextStep', expect.stringContaining('ALL_PROXY'));
    expect(received).toEqual([]);
  });

  it.each([
    ['user name', `${'u'.repeat(256)}:pw`],
    // Each character takes two bytes.
    ['password', `ann:${encodeURIComponent('é'.repeat(128))}`],
  ])('rejects a %s of more than 255 bytes with an error', async (field, pair) => {
    const { outcome, requests, received } = await ask(
      'http://gateway.test/',
      { login },
      (host) => ({
        ALL_PROXY: `socks5://${pair}@${host}`,
      }),
    );
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'unreachable' } });
    expect(outcome).toHaveProperty(
      'error.message',
      expect.stringContaining(
        `failed: the ${field} is longer than the 255 bytes that SOCKS allows.`,
      ),
    );
    expect([...requests, ...received]).toEqual([]);
  });

  it('accepts a user name and a password of 255 bytes', async () => {
    const longest = { user: 'u'.repeat(255), password: 'p'.repeat(255) };
    const { outcome } = await ask('http://gateway.test/', { login: longest }, (host) => ({
      ALL_PROXY: `socks5://${longest.user}:${longest.password}@${host}`,
    }));
    expect(outcome.status).toBe('succeeded');
  });

  it.each([
    ['of 90 seconds', 90],
    ['that is off', 0],
  ])('waits longer than 30 seconds with a connect timeout %s', async (_name, connectSeconds) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const hold = async () => void (await vi.advanceTimersByTimeAsync(80_000));
    const { outcome } = await ask(
      'http://gateway.test/',
      { hold },
      (host) => ({ ALL_PROXY: `socks5://${host}` }),
      { connectSeconds, firstByteSeconds: 0, stallSeconds: 0 },
    );
    expect(outcome.status).toBe('succeeded');
  });

  it('reports at once that a proxy closed the socket before its client was loaded', async () => {
    const { host, close } = await startSocksProxy({ port: 9 });
    onTestFinished(close);
    const port = Number(host.split(':')[1]);
    const socket = createConnection(port, '127.0.0.1');
    await once(socket, 'connect');
    // A closed socket means that the proxy hung up or the request was stopped.
    socket.destroy();
    await once(socket, 'close');
    const proxy: ProxyServer = { protocol: 'socks5:', hostname: '127.0.0.1', port, login: null };
    const opening = openSocksTunnel(socket, proxy, { host: 'gateway.test', port: 80 }, 0);
    await expect(opening).rejects.toThrow('failed: it closed the connection.');
  });

  it('reports a proxy that speaks HTTP', async () => {
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
    expect(outcome).toHaveProperty('error.message', expect.stringContaining('isn’t SOCKS'));
  });
});
