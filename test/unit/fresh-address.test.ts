import { expect, it } from 'vitest';
import { parseLoginUrl } from '../../renderer/app/session-ended.tsx';

it.each([
  ['an address', 'http://127.0.0.1:4100/?token=abc', 'http://127.0.0.1:4100/?token=abc'],
  ['a line of the terminal', 'Open http://localhost:1/?token=a now', 'http://localhost:1/?token=a'],
  ['the host of the page', 'http://box.local:9/?token=a', 'http://box.local:9/?token=a'],
  ['no token', 'http://127.0.0.1:4100/', null],
  ['an empty token', 'http://127.0.0.1:4100/?token=', null],
  ['another machine', 'http://example.com/?token=abc', null],
  ['a script', 'javascript:alert(1)', null],
  ['no address', 'hello', null],
])('reads the login URL from %s', (_what, pasted, address) => {
  expect(parseLoginUrl(pasted, 'box.local')).toBe(address);
});
