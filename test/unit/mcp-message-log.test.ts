import { expect, it } from 'vitest';
import { createMessageLog, type MessageLog } from '../../electron/mcp/message-log.ts';
import { MAX_KEPT_BYTES } from '../../shared/mcp-messages.ts';

const all = { callId: null, search: '' };
const rpc = (fields: object) => JSON.stringify({ jsonrpc: '2.0', ...fields });

function createLog() {
  const notified: string[] = [];
  const log = createMessageLog({
    now: () => 1_700_000_000_000,
    redact: (text) => text.replaceAll('sk-secret-1234', '[redacted]'),
    onNotification: (callId, method) => void notified.push(`${callId} ${method}`),
  });
  return { log, notified };
}

const listCalls = (log: MessageLog) =>
  log.list(all, 0).messages.map(({ method, callId }) => [method, callId]);

it('keeps the latest 10,000 messages', () => {
  const { log } = createLog();
  for (let id = 1; id <= 10_003; id += 1) log.addSent(rpc({ id, method: 'ping' }), []);
  expect(log.list(all, 0).firstNumber).toBe(4);
  expect(log.read(3)).toBeNull();
  expect(log.read(10_003)?.body).toBe(rpc({ id: 10_003, method: 'ping' }));
  const { revision } = log.list(all, 9_500);
  expect(log.list(all, revision).messages).toEqual([]);
});

it('keeps at most 16 MiB, and cuts long bodies but names their size', () => {
  const { log } = createLog();
  const text = rpc({ method: 'note', params: { text: 'é'.repeat(300_000) } });
  for (let count = 0; count < 40; count += 1) log.addReceived(text, null);
  const { messages, firstNumber } = log.list(all, 0);
  expect(firstNumber).toBeGreaterThan(1);
  const bytes = messages.map(({ number }) => Buffer.byteLength(log.read(number)?.body ?? ''));
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_KEPT_BYTES);
  expect(log.read(40)).toMatchObject({ isCut: true, body: text.slice(0, 256 * 1024) });
  expect(messages.at(-1)?.sizeBytes).toBe(Buffer.byteLength(text));
});

it('masks secrets in bodies, headers and previews before anything is cut', () => {
  const { log } = createLog();
  const params = { pad: 'x'.repeat(256 * 1024 - 60), key: 'sk-secret-1234' };
  log.addSent(rpc({ id: 1, method: 'tools/call', params }), [['x-key', 'sk-secret-1234']]);
  log.addReceived(rpc({ id: 1, result: 'sk-secret-1234' }), null);
  const shown = JSON.stringify([log.list(all, 0), log.read(1), log.read(2), log.exportLines(all)]);
  expect(shown).not.toContain('sk-');
  expect(log.read(1)?.headers).toEqual([['x-key', '[redacted]']]);
});

it('finds the call of each message, even if two calls run at once', async () => {
  const { log, notified } = createLog();
  const call = (id: number, callId: string, end: Promise<void>) =>
    log.runCall(callId, async () => {
      log.addSent(rpc({ id, method: 'tools/call' }), []);
      await end;
      // Handlers of a call's messages inherit its context.
      log.addSent(rpc({ id: id + 100, method: 'tools/list' }), []);
    });
  const gate = Promise.withResolvers<void>();
  const calls = [call(1, 'one', gate.promise), call(2, 'two', gate.promise)];
  const progress = { progressToken: 2, progress: 1 };
  log.addReceived(rpc({ method: 'notifications/progress', params: progress }), null);
  log.addReceived(rpc({ method: 'notifications/message', params: {} }), null);
  const stream = { status: 200, headers: [], callId: 'one' };
  log.addReceived(rpc({ id: 'q', method: 'elicitation/create' }), stream);
  expect(log.findCall('q')).toBe('one');
  log.addSent(rpc({ id: 'q', result: {} }), []);
  log.addReceived(rpc({ id: 1, result: {} }), null);
  gate.resolve();
  await Promise.all(calls);
  expect(listCalls(log)).toEqual([
    ['tools/call', 'one'],
    ['tools/call', 'two'],
    ['notifications/progress', 'two'],
    ['notifications/message', null],
    ['elicitation/create', 'one'],
    ['elicitation/create', 'one'],
    ['tools/call', 'one'],
    ['tools/list', null],
    ['tools/list', null],
  ]);
  expect(notified).toEqual(['two notifications/progress']);
});

it('gives the progress of a stopped call to no other call', async () => {
  const { log, notified } = createLog();
  await log.runCall(
    'stopped',
    async () => void log.addSent(rpc({ id: 1, method: 'tools/call' }), []),
  );
  await log.runCall('running', async () => {
    log.addSent(rpc({ id: 2, method: 'tools/call' }), []);
    const progress = { progressToken: 1, progress: 11 };
    log.addReceived(rpc({ method: 'notifications/progress', params: progress }), null);
  });
  expect(listCalls(log).at(-1)).toEqual(['notifications/progress', null]);
  expect(notified).toEqual([]);
});

it('lists a sent message again once it has a status', () => {
  const { log } = createLog();
  const sent = log.addSent(rpc({ id: 1, method: 'ping' }), []);
  log.addSent(rpc({ id: 2, method: 'ping' }), []);
  const { revision } = log.list(all, 0);
  sent.setStatus(202);
  expect(log.list(all, revision).messages).toMatchObject([{ number: 1, status: 202 }]);
});

it('selects by call and by the text of method, body and headers', () => {
  const { log } = createLog();
  log.addReceived('<h1>Down</h1>', { status: 503, headers: [['Server', 'Nginx']], callId: 'one' });
  log.addSent(rpc({ id: 1, method: 'tools/call', params: { city: 'Oslo' } }), []);
  const find = (search: string, callId: string | null = null) =>
    log.list({ callId, search }, 0).messages.map(({ number }) => number);
  expect(find('oslo')).toEqual([2]);
  expect(find('NGINX')).toEqual([1]);
  expect(find('Tools')).toEqual([2]);
  expect(find('', 'one')).toEqual([1]);
  expect(log.exportLines({ callId: null, search: 'oslo' }).map((line) => JSON.parse(line))).toEqual(
    [
      expect.objectContaining({
        at: '2023-11-14T22:13:20.000Z',
        direction: 'sent',
        method: 'tools/call',
        id: 1,
        message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { city: 'Oslo' } },
      }),
    ],
  );
});
