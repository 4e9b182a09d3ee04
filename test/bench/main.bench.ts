import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { startDemoGateway } from '../../electron/demo/server.ts';
import { createRedactor } from '../../electron/redaction/redactor.ts';
import { openStorage } from '../../electron/storage/database.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import type { RunEvent } from '../../shared/run.ts';
import { testRun } from '../fixtures/test-run.ts';
import { makeTimings } from '../fixtures/timings.ts';
import { note } from './harness/figures.ts';

const KEY = 'sk-a8Zk29QmT4xW-0123456789';

test('ranks 2,000 documents in about a second with the demo gateway', async ({}, testInfo) => {
  const gateway = await startDemoGateway({ port: 0, key: KEY, speed: 1000 });
  const documents = Array.from(
    { length: 2000 },
    (_, at) => `Document ${at} tells of gates, rivers and ${'long '.repeat(100)} winters.`,
  );
  const startedAt = performance.now();
  await fetch(`${gateway.baseUrl}/v1/rerank`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo-rerank', query: 'the flood gate', documents }),
  }).then((response) => response.text());
  const ms = performance.now() - startedAt;
  note(testInfo, 'The demo gateway ranks 2,000 documents', ms, 'ms', { atMost: 1500 });
  await gateway.close();
});

test('redacts text with many backslashes as fast as other text', async ({}, testInfo) => {
  const redactor = createRedactor(KEY);
  const startedAt = performance.now();
  redactor.text('\\'.repeat(300_000));
  const ms = performance.now() - startedAt;
  note(testInfo, 'Redaction of 300,000 backslashes', ms, 'ms', { atMost: 500 });
});

test('reads a page of many exchanges in a few milliseconds', async ({}, testInfo) => {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const storage = openStorage({ home, now: Date.now });
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a' }));
  for (let exchange = 0; exchange < 3000; exchange += 1) {
    ledger.append('a', pollEvents(4 * exchange, exchange));
  }
  ledger.flush();
  const times = Array.from({ length: 20 }, (_, page) => {
    const startedAt = performance.now();
    ledger.exchanges('a', { from: 100 * page, limit: 100 });
    return performance.now() - startedAt;
  });
  await ledger.close();
  await storage.close();
  rmSync(home, { recursive: true });
  note(testInfo, 'A page of 100 of 3,000 exchanges', times, 'ms', { atMost: 20 });
});

function pollEvents(seq: number, exchange: number): RunEvent[] {
  const at = (offset: number) => ({ seq: seq + offset, atMs: 10 * seq + offset, exchange });
  const url = 'http://x/v1/video/generations/t-1';
  const timings = makeTimings({ receivedBytes: 19 });
  return [
    { ...at(1), kind: 'request', method: 'GET', url, headers: [['Accept', '*/*']], body: null },
    { ...at(2), kind: 'response', status: 200, headers: [['Date', 'now']] },
    { ...at(3), kind: 'body', text: '{"status":"queued"}', truncated: false },
    { ...at(4), kind: 'exchange-end', status: 'succeeded', error: null, timings },
  ];
}
