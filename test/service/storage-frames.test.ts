import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openStorage } from '../../electron/storage/database.ts';
import { openFrameFile } from '../../electron/storage/frames/frame-file.ts';
import { writeOnThread } from '../../electron/storage/frames/frame-writer.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { FLUSH_MS } from '../../electron/storage/write-buffer.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { all, chunk, chunks, openLedger, response, timings } from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';

const token = (seq: number) =>
  chunk(
    seq,
    `{"id":"chatcmpl-9f8a7b6c5d4e","object":"chat.completion.chunk","created":1732200000,"model":"m-2024-07-18","system_fingerprint":"fp_0ba0d124f1","choices":[{"index":0,"delta":{"content":" word${(seq * 7919) % 4001}"},"logprobs":null,"finish_reason":null}],"usage":null}`,
  );

const blocks = ({ frames }: ReturnType<typeof openLedger>) =>
  Number(frames.file.sql('SELECT count(*) AS n FROM frames').get()?.n);

/** Appends frames at 50 tokens per second. */
function recordSlowly(opened: ReturnType<typeof openLedger>, count: number): void {
  opened.ledger.createRun(testRun({ id: 'a', status: 'running' }));
  for (let seq = 1; seq <= count; seq += 3) {
    opened.ledger.append('a', [seq, seq + 1, seq + 2].map(token));
    opened.timer.advance(FLUSH_MS);
  }
}

test('stores the frames of a flush as one row, and reads them one by one', () => {
  const opened = openLedger();
  recordSlowly(opened, 30);
  expect(blocks(opened)).toBe(10);
  for (const after of [0, 1, 2, 3, 28, 29, 30]) {
    const { events } = opened.ledger.events('a', { after, limit: 100, kinds: ['chunk'] });
    expect(events.map(({ seq }) => seq)).toEqual(chunks(after + 1, 30).map(({ seq }) => seq));
  }
  expect(opened.ledger.events('a', { ...all, after: 13, limit: 2 })).toEqual({
    events: [token(14), token(15)],
    more: true,
  });
});

test('packs an ended run into less than 100 bytes per token', () => {
  const opened = openLedger();
  recordSlowly(opened, 3000);
  opened.ledger.pack('a');
  expect(blocks(opened)).toBeLessThan(20);
  const bytes = opened.frames.file.sql('SELECT sum(length(body)) AS n FROM frames').get()?.n;
  expect(Number(bytes) / 3000).toBeLessThan(100);
  const { events } = opened.ledger.events('a', { ...all, limit: 5000 });
  expect(events).toHaveLength(3000);
  expect(events[1499]).toEqual(token(1500));
  expect(opened.ledger.run('a')?.seq).toBe(3000);
});

test('packs around damaged blocks', () => {
  const opened = openLedger();
  recordSlowly(opened, 30);
  opened.frames.file.sql("UPDATE frames SET body = x'00' WHERE key % 64 = 10").run();
  opened.ledger.pack('a');
  expect(blocks(opened)).toBe(3);
  const { events } = opened.ledger.events('a', { ...all, after: 8 });
  expect(events.map(({ seq }) => seq).slice(0, 3)).toEqual([9, 13, 14]);
  expect(events).toHaveLength(19);
});

test('returns frames and events in order', () => {
  const { ledger, timer } = openLedger();
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  const end: RunEvent = { kind: 'finish', seq: 6, atMs: 9, exchange: 0, timings };
  ledger.append('a', [response, ...chunks(2, 5), end]);
  const order = () => ledger.events('a', all).events.map(({ seq, kind }) => [seq, kind]);
  const waiting = order();
  timer.advance(FLUSH_MS);
  expect(order()).toEqual(waiting);
  expect(waiting.map(([seq]) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('returns frames only once if they were stored twice', () => {
  const storage = openTestStorage();
  const writer = { ...storage.frames.writer };
  let isLost = true;
  // The thread crashes between the commit and its response.
  writer.write = (batches, done) => {
    storage.frames.writer.write(batches, (cause) => done(isLost ? new Error('ended') : cause));
  };
  const ledger = createLedger({ ...storage, frames: { ...storage.frames, writer } });
  ledger.createRun(testRun({ id: 'a' }));
  ledger.append('a', chunks(1, 3));
  ledger.flush();
  ledger.append('a', chunks(4, 5));
  isLost = false;
  ledger.flush();
  expect(ledger.events('a', all).events).toEqual(chunks(1, 5));
});

test('renames frames of another ledger, with a notice', async () => {
  const [home, other] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [home, other]) await openTestStorage(folder).close();
  copyFileSync(join(other, 'frames.sqlite'), join(home, 'frames.sqlite'));
  const storage = openTestStorage(home);
  expect(storage.notices).toMatchObject([{ id: 'frames-damaged', level: 'warning' }]);
  expect(storage.notices[0]?.message).toContain('frames-damaged-2023');
  expect(storage.inMemory).toBe(false);
});

test('rejects frames of a newer version', async () => {
  const home = temporaryFolder();
  await openTestStorage(home).close();
  const file = new DatabaseSync(join(home, 'frames.sqlite'));
  file.exec('PRAGMA user_version = 99');
  file.close();
  expect(() => openStorage({ home, now: Date.now })).toThrow('newer version of Gatehouse');
});

test('writes, packs and removes frames on the thread, in order', async () => {
  const path = join(temporaryFolder(), 'frames.sqlite');
  const file = openFrameFile(path, 'ledger');
  const writer = writeOnThread(path);
  onTestFinished(async () => {
    await writer.close();
    file.close();
  });
  const counted = () => file.prepare('SELECT count(*) AS n FROM frames').get()?.n;
  const block = (seq: number) => ({
    seq,
    exchange: 0,
    atMs: [seq],
    lengths: [4],
    text: 'word',
    names: [],
    comments: [],
  });
  // Starting the thread takes a while on a busy machine.
  await new Promise((resolve) => writer.write([], resolve));
  const answers: string[] = [];
  const written = new Promise<void>((resolve) => {
    writer.write([{ run: 1, blocks: [block(1)] }], () => undefined);
    writer.write([{ run: 1, blocks: [block(2), block(3)] }], (cause) => {
      answers.push(`first ${cause}`);
    });
    writer.write([{ run: 2, blocks: [block(1)] }], (cause) => {
      answers.push(`second ${cause}`);
      resolve();
    });
  });
  writer.settle();
  // The responses arrive even though this thread was blocked.
  expect([counted(), answers]).toEqual([4, ['first null', 'second null']]);
  await written;
  writer.pack(1);
  await new Promise((resolve) => writer.remove(2, resolve));
  expect(counted()).toBe(1);
});
