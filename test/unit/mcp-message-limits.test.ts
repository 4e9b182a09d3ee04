import { expect, it } from 'vitest';
import { limitRate, limitValues } from '../../electron/mcp/message-limits.ts';

const MiB = 1024 * 1024;

function start() {
  const clock = { ms: 0 };
  return { clock, ...limitRate(() => clock.ms) };
}

it('rejects more than 10,000 messages within ten seconds', () => {
  const { countMessage } = start();
  for (let sent = 0; sent < 10_000; sent += 1) countMessage(1);
  expect(() => countMessage(1)).toThrow('sent more than 10,000 messages within ten seconds.');
});

it('rejects more than 128 MiB within ten seconds', () => {
  const { countMessage } = start();
  for (let sent = 0; sent < 128; sent += 1) countMessage(MiB);
  expect(() => countMessage(1)).toThrow('sent more than 128 MiB within ten seconds.');
});

it('starts counting again after ten seconds', () => {
  const { clock, countMessage } = start();
  for (let sent = 0; sent < 128; sent += 1) countMessage(MiB);
  clock.ms = 10_001;
  for (let sent = 0; sent < 128; sent += 1) countMessage(MiB);
  expect(() => countMessage(1)).toThrow('128 MiB');
});

it('rejects more than 100 requests within ten seconds, apart from messages', () => {
  const { clock, countMessage, countRequest } = start();
  for (let sent = 0; sent < 100; sent += 1) countRequest();
  countMessage(1);
  expect(countRequest).toThrow('sent more than 100 requests within ten seconds.');
  clock.ms = 10_001;
  countRequest();
});

it('rejects more than two million values in a message', () => {
  const check = limitValues();
  const half = Buffer.from('[],'.repeat(500_000));
  check(half);
  check(half);
  expect(() => check(half)).toThrow('sent a message with more than 2 million values');
});
