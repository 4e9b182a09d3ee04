import { expect, it } from 'vitest';
import { limitRate } from '../../electron/mcp/message-limits.ts';

const MiB = 1024 * 1024;

function start() {
  const clock = { ms: 0 };
  return { clock, count: limitRate(() => clock.ms) };
}

it('rejects more than 10,000 messages within ten seconds', () => {
  const { count } = start();
  for (let sent = 0; sent < 10_000; sent += 1) count(1);
  expect(() => count(1)).toThrow('sent more than 10,000 messages within ten seconds.');
});

it('rejects more than 128 MiB within ten seconds', () => {
  const { count } = start();
  for (let sent = 0; sent < 128; sent += 1) count(MiB);
  expect(() => count(1)).toThrow('sent more than 128 MiB within ten seconds.');
});

it('counts anew after ten seconds', () => {
  const { clock, count } = start();
  for (let sent = 0; sent < 128; sent += 1) count(MiB);
  clock.ms = 10_001;
  for (let sent = 0; sent < 128; sent += 1) count(MiB);
  expect(() => count(1)).toThrow('128 MiB');
});
