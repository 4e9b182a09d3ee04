import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startApplication } from '../fixtures/electron/desktop-under-test.ts';

test("takes the page from Vite in development, at the page's own address", async () => {
  const vite = createServer((request, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(`// ${request.url}`);
  });
  vite.listen(0, '127.0.0.1');
  await once(vite, 'listening');
  onTestFinished(() => void vite.close());
  const address = vite.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  const devUrl = `http://127.0.0.1:${address.port}`;

  const { electron } = await startApplication({ page: { devUrl } });
  const response = await electron.protocol.load('app://gatehouse/main.tsx?t=1');
  expect(await response.text()).toBe('// /main.tsx?t=1');
  expect(response.headers.get('content-type')).toBe('text/javascript');
  expect(response.headers.get('content-security-policy')).toContain(
    `connect-src 'self' ${devUrl} ws://127.0.0.1:${address.port}`,
  );
  expect((await electron.protocol.load('app://elsewhere/main.tsx')).status).toBe(404);
});
