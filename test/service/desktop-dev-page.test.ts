import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { listenOnLoopback } from '../fixtures/loopback.ts';

test("serves the page from Vite in development, at the page's own address", async () => {
  const vite = createServer((request, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(`// ${request.url}`);
  });
  const port = await listenOnLoopback(vite);
  const devUrl = `http://127.0.0.1:${port}`;

  const { electron } = await startApplication({ page: { devUrl } });
  const response = await electron.protocol.load('app://gatehouse/main.tsx?t=1');
  expect(await response.text()).toBe('// /main.tsx?t=1');
  expect(response.headers.get('content-type')).toBe('text/javascript');
  expect(response.headers.get('content-security-policy')).toContain(
    `connect-src 'self' ${devUrl} ws://127.0.0.1:${port}`,
  );
  expect((await electron.protocol.load('app://elsewhere/main.tsx')).status).toBe(404);
});
