import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';
import { listenOnLoopback } from '../fixtures/loopback.ts';
import { startSocksProxy } from '../fixtures/socks-proxy.ts';

async function startProxy() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end('{"object":"list","data":[{"id":"behind-the-proxy"}]}');
  });
  return { requests, host: `127.0.0.1:${await listenOnLoopback(server)}` };
}

test("sends gateway requests through the system's proxy", async () => {
  const proxy = await startProxy();
  const desktop = await startApplication();
  desktop.electron.session.defaultSession.proxy = `PROXY ${proxy.host}; DIRECT`;
  const { api } = await connect(desktop);
  const { id } = await api.connections.create({ name: 'Far', baseUrl: 'http://gateway.invalid' });
  expect(await api.connections.test({ id })).toMatchObject({ ok: true, modelCount: 1 });
  expect(proxy.requests).toEqual(['http://gateway.invalid/v1/models']);
});

test("sends gateway requests through the system's SOCKS proxy", async () => {
  const gateway = await startProxy();
  const proxy = await startSocksProxy({ port: Number(gateway.host.split(':')[1]) });
  onTestFinished(proxy.close);
  const desktop = await startApplication();
  desktop.electron.session.defaultSession.proxy = `SOCKS5 ${proxy.host}; DIRECT`;
  const { api } = await connect(desktop);
  const { id } = await api.connections.create({ name: 'Far', baseUrl: 'http://gateway.invalid' });
  expect(await api.connections.test({ id })).toMatchObject({ ok: true, modelCount: 1 });
  expect(proxy.requests).toEqual(['5  gateway.invalid:80']);
  expect(gateway.requests).toEqual(['/v1/models']);
});

test('never uses a proxy for the demo gateway on this machine', async () => {
  const proxy = await startProxy();
  const desktop = await startApplication();
  desktop.electron.session.defaultSession.proxy = `PROXY ${proxy.host}`;
  const { api } = await connect(desktop);
  expect(await api.connections.test({ id: 'demo' })).toMatchObject({ ok: true });
  expect(proxy.requests).toEqual([]);
});
