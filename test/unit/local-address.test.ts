import { expect, it } from 'vitest';
import { isLocalAddress } from '../../electron/gateway/local-address.ts';

it.each([
  ['http://127.0.0.1:8080/', true],
  ['http://0x7f.1/', true],
  ['http://localhost/', true],
  ['http://printer.local/', true],
  ['http://192.168.0.1/reboot', true],
  ['http://169.254.169.254/latest', true],
  ['http://[::1]/', true],
  ['http://[::ffff:127.0.0.1]/', true],
  ['http://[fd00::1]/', true],
  ['https://example.com/a.png', false],
  ['https://8.8.8.8/', false],
  ['https://[2606:4700::1111]/', false],
])('recognizes whether %s is local: %s', (address, expected) => {
  expect(isLocalAddress(new URL(address))).toBe(expected);
});
