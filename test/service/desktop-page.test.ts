import { expect, test } from 'vitest';
import { startApplication } from '../fixtures/electron/desktop-under-test.ts';

test('serves the page with its type and a policy that blocks foreign scripts', async () => {
  const { electron } = await startApplication();
  const response = await electron.protocol.load('app://gatehouse/');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = response.headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).toContain("frame-src 'none'");
  expect(await response.text()).toContain('<title>Gatehouse</title>');
});

const served = [
  ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
  ['/assets/index-1a2b.js', 'text/javascript; charset=utf-8', 'immutable'],
  ['/assets/index-1a2b.js?worker', 'text/javascript; charset=utf-8', 'immutable'],
  ['/assets/inter-3c4d.woff2', 'font/woff2', 'immutable'],
] as const;
const missing = [
  'app://gatehouse/nothing.js',
  'app://gatehouse/assets',
  'app://gatehouse/../ledger.sqlite',
  'app://gatehouse/..%2fledger.sqlite',
  'app://gatehouse/%2e%2e/ledger.sqlite',
  'app://gatehouse/assets/..%5c..%5cledger.sqlite',
  'app://gatehouse//etc/passwd',
  'app://elsewhere/index.html',
];

test('serves the page’s files, and a plain-text 404 for any other path', async () => {
  const { electron } = await startApplication();
  for (const [path, type, caching] of served) {
    const response = await electron.protocol.load(`app://gatehouse${path}`);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toContain(caching);
    expect(Number(response.headers.get('content-length'))).toBe((await response.bytes()).length);
  }
  for (const url of missing) {
    const response = await electron.protocol.load(url);
    expect(response.status, url).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  // Host names are case-insensitive.
  expect((await electron.protocol.load('app://GateHouse/')).status).toBe(200);
});

test('answers HEAD without a body and rejects other methods', async () => {
  const { electron } = await startApplication();
  const head = await electron.protocol.load('app://gatehouse/', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
  const post = await electron.protocol.load('app://gatehouse/', { method: 'POST', body: 'x' });
  expect(post.status).toBe(405);
  expect(post.headers.get('allow')).toBe('GET, HEAD');
});

test('keeps serving files after a page leaves before the body arrives', async () => {
  const { electron } = await startApplication();
  await electron.protocol.loadAndLeave('app://gatehouse/assets/index-1a2b.js');
  expect((await electron.protocol.load('app://gatehouse/assets/index-1a2b.js')).status).toBe(200);
});
