/** Covers journals: failed writes, kills at any moment, recovery, deletion and paging. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { RETRY_MS } from '../../electron/base/timer.ts';
import { decodeEvents } from '../../electron/storage/event-lines.ts';
import { FLUSH_MS, MAX_WAITING_LENGTH } from '../../electron/storage/event-writer.ts';
import { SLICE_BYTES } from '../../electron/storage/journal.ts';
import { createJournals } from '../../electron/storage/journals.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { journalPath, listJournals } from '../fixtures/journal-files.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { copyHome, fileError, openJournals } from '../fixtures/open-journals.ts';
import {
  all,
  chunk,
  chunks,
  exchangeEnd,
  noSecrets,
  openLedger,
  recoverLedger,
  removeRun,
  response,
} from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';

const numbers = (events: readonly RunEvent[]) => events.map(({ seq }) => seq);

/** Begins a stream whose first events are on disk. */
function begin(opened: ReturnType<typeof openJournals>, count = 3) {
  opened.ledger.createRun(testRun({ id: 'a', status: 'running' }));
  opened.ledger.append('a', [response, ...chunks(2, count)]);
  opened.ledger.save('a');
}

test('begins with the run’s row, and keeps events in order until they are rows', async () => {
  const opened = openJournals();
  const { ledger, db, home, pack } = opened;
  begin(opened);
  const [first] = readFileSync(journalPath(home, 'a'), 'utf8').split('\n');
  expect(JSON.parse(first ?? '')).toMatchObject({ run: { id: 'a', status: 'running' } });
  ledger.append('a', [exchangeEnd(4)]);
  const expected = [response, ...chunks(2, 3), exchangeEnd(4)];
  expect(ledger.events('a', all).events).toEqual(expected);
  expect(ledger.exchanges('a', { from: 0, limit: 9 }).exchanges).toEqual([]);
  await pack();
  expect(db.sql('SELECT count(*) AS n FROM chunk_blocks').get()?.n).toBe(1);
  expect(ledger.events('a', all).events).toEqual(expected);
  expect(ledger.run('a')?.seq).toBe(4);
});

test('makes no journal for a run without a stream', () => {
  const { ledger, home, written } = openJournals();
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', [response, exchangeEnd(2)]);
  ledger.update('a', { status: 'succeeded' });
  expect([written(), listJournals(home)]).toEqual([2, []]);
});

test('packs an ended exchange while its run continues', async () => {
  const opened = openJournals();
  const { ledger, pack, home } = opened;
  begin(opened);
  ledger.append('a', [exchangeEnd(4)]);
  ledger.save('a');
  await pack();
  ledger.append('a', [{ ...response, seq: 5, exchange: 1 }]);
  ledger.save('a');
  expect(listJournals(home)).toEqual([]);
  ledger.append('a', [{ ...chunk(6), exchange: 1 }]);
  ledger.save('a');
  expect(listJournals(home)).toHaveLength(1);
  expect(numbers(ledger.events('a', all).events)).toEqual([1, 2, 3, 4, 5, 6]);
  const { events } = ledger.events('a', { ...all, kinds: ['chunk'], exchange: 1 });
  expect(numbers(events)).toEqual([6]);
});

test('packs at most 100 events besides chunks at a time', async () => {
  const opened = openJournals();
  const { ledger, db, pack } = opened;
  begin(opened);
  ledger.append(
    'a',
    Array.from({ length: 350 }, (_, at) => exchangeEnd(4 + at, at)),
  );
  const write = db.write.bind(db);
  const counts = [0];
  vi.spyOn(db, 'write').mockImplementation((work) => {
    const result = write(work);
    counts.push(Number(db.sql('SELECT count(*) AS n FROM events').get()?.n));
    return result;
  });
  ledger.save('a');
  await pack();
  expect(counts.at(-1)).toBe(351);
  const added = counts.map((count, at) => count - (counts[at - 1] ?? 0));
  expect(Math.max(...added)).toBe(100);
});

test('packs no piece of a secret that was found while its line was compressed', async () => {
  const opened = openJournals();
  const { ledger, timer, pack } = opened;
  begin(opened);
  ledger.append('a', [{ ...chunk(4), exchange: 1 }, exchangeEnd(5)]);
  ledger.save('a');
  timer.advance(50);
  await ledger.cut('a', new Map([[4, [{ start: 0, end: 4 }]]]));
  ledger.append('a', [exchangeEnd(6, 1)]);
  ledger.save('a');
  await pack();
  const [found] = ledger.events('a', { ...all, kinds: ['chunk'], exchange: 1 }).events;
  expect(found).toMatchObject({ seq: 4, data: '**** 4' });
});

test('reads a line of several slices at each step of its packing', async () => {
  const { ledger, db, timer } = openJournals();
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  const long = { ...chunk(3), data: 'x'.repeat(5 * SLICE_BYTES) };
  ledger.append('a', [long]);
  ledger.append('a', [chunk(4), exchangeEnd(5)]);
  ledger.save('a');
  const read: number[][] = [];
  await vi.waitFor(() => {
    timer.advance(50);
    read.push(numbers(ledger.events('a', all).events));
    expect(db.sql('SELECT count(*) AS n FROM chunk_blocks').get()?.n).toBeGreaterThan(0);
  });
  expect(read).toEqual(read.map(() => [3, 4, 5]));
});

test('pages through a long stream the same way during and after the run', async () => {
  const opened = openJournals();
  const { ledger, timer, pack } = opened;
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  const text = 'x'.repeat(200);
  for (let seq = 1; seq <= 3000; seq += 10) {
    ledger.append('a', chunks(seq, seq + 9, text));
    timer.advance(FLUSH_MS);
  }
  const read = () => {
    const found: number[] = [];
    for (;;) {
      const page = ledger.events('a', { after: found.at(-1) ?? 0, limit: 170, kinds: null });
      found.push(...numbers(page.events));
      if (!page.more) return found;
    }
  };
  const live = read();
  expect(live).toEqual(Array.from({ length: 3000 }, (_, at) => at + 1));
  ledger.append('a', [exchangeEnd(3001)]);
  expect(read()).toEqual([...live, 3001]);
  await pack();
  expect(read()).toEqual([...live, 3001]);
});

type Write = (file: number, bytes: Uint8Array, position: number) => number;
const writeHalf: Write = (file, bytes, position) =>
  writeSync(file, bytes, 0, bytes.length >> 1, position);
const failures: [how: string, write: Write][] = [
  ['takes half of a line', writeHalf],
  [
    'fails after half of a line',
    (file, bytes, position) => {
      writeHalf(file, bytes, position);
      throw fileError('ENOSPC');
    },
  ],
  [
    'takes nothing',
    () => {
      throw fileError('EIO');
    },
  ],
];

test.each(failures)('keeps events in memory while the disk %s', (_how, write) => {
  const opened = openJournals();
  const { ledger, timer, files, problems, written, home } = opened;
  begin(opened);
  const real = files.writeSync;
  files.writeSync = ((
    file: number,
    bytes: Uint8Array,
    _from: number,
    _length: number,
    at: number,
  ) => write(file, bytes, at)) as typeof files.writeSync;
  ledger.append('a', chunks(4, 6));
  ledger.update('a', { status: 'succeeded' });
  timer.advance(3 * RETRY_MS);
  ledger.append('a', chunks(7, 8));
  expect(written()).toBeLessThan(6);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain('they’re in memory for now');
  expect(numbers(ledger.events('a', all).events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(openLedgerStatus(opened)).toBe('running');

  files.writeSync = real;
  timer.advance(RETRY_MS);
  expect(written()).toBe(8);
  expect(openLedgerStatus(opened)).toBe('succeeded');
  for (const line of listJournals(home)[0]?.lines ?? [])
    expect(decodeEvents(line, () => undefined)).not.toEqual([]);
  expect(numbers(ledger.events('a', all).events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

function openLedgerStatus({ db }: ReturnType<typeof openJournals>) {
  return db.sql('SELECT status FROM runs').get()?.status;
}

test('pauses reading only once the disk rejects every write and 64 MiB wait', async () => {
  const opened = openJournals();
  const { ledger, timer, files } = opened;
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  const megabytes = (seq: number, count: number) => [chunk(seq, 'x'.repeat(count * 1024 * 1024))];
  ledger.append('a', megabytes(1, 65));
  expect(ledger.room()).toBeNull();
  const real = files.writeSync;
  files.writeSync = () => {
    throw fileError('ENOSPC');
  };
  ledger.append('a', megabytes(2, 40));
  expect(ledger.room()).toBeNull();
  ledger.append('a', megabytes(3, 30));
  expect(MAX_WAITING_LENGTH).toBe(64 * 1024 * 1024);
  const room = ledger.room();
  expect(room).not.toBeNull();
  files.writeSync = real;
  timer.advance(RETRY_MS);
  await room;
  expect(ledger.room()).toBeNull();
});

test('stores a stream as rows, with a notice, if journals can’t be kept', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'journal'), 'not a folder');
  const storage = openTestStorage(home);
  expect(storage.notices).toMatchObject([{ id: 'no-journal', level: 'warning' }]);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a' }));
  ledger.append('a', [response, ...chunks(2, 5)]);
  expect(ledger.events('a', all).events).toEqual([response, ...chunks(2, 5)]);
  expect(storage.db.sql('SELECT count(*) AS n FROM chunk_blocks').get()?.n).toBe(1);
});

test.each(['EMFILE', 'EACCES'])(
  'stores a stream as rows if its journal can’t be created because of %s',
  async (code) => {
    const opened = openJournals();
    const { ledger, files, written, problems, pack } = opened;
    const real = files.openSync;
    files.openSync = () => {
      throw fileError(code);
    };
    begin(opened);
    expect([written(), problems]).toEqual([3, []]);
    files.openSync = real;
    ledger.append('a', chunks(4, 5));
    ledger.save('a');
    expect(numbers(ledger.events('a', all).events)).toEqual([1, 2, 3, 4, 5]);
    const mask = (seq: number): [number, { start: number; end: number }[]] => [
      seq,
      [{ start: 0, end: 4 }],
    ];
    await ledger.cut('a', new Map([4, 3, 2].map(mask)));
    const shown = () =>
      ledger.events('a', all).events.map((event) => (event.kind === 'chunk' ? event.data : ''));
    const expected = ['', '**** 2', '**** 3', '**** 4', 'word 5'];
    expect(shown()).toEqual(expected);
    ledger.append('a', [exchangeEnd(6)]);
    ledger.save('a');
    await pack();
    expect(shown()).toEqual([...expected, '']);
    expect(ledger.listLeftJournals()).toEqual([]);
  },
);

test('syncs one file at a time, each at most once a second', async () => {
  const home = temporaryFolder();
  const timer = manualTimer();
  let open = 0;
  const synced: string[] = [];
  const ends: (() => void)[] = [];
  const journals = createJournals({
    home,
    now: Date.now,
    timer,
    syncFile(path) {
      open += 1;
      expect(open).toBe(1);
      synced.push(path);
      return new Promise((resolve) =>
        ends.push(() => {
          open -= 1;
          resolve();
        }),
      );
    },
  });
  const end = async () => {
    await vi.waitFor(() => expect(ends).not.toEqual([]));
    ends.shift()?.();
  };
  const a = journals.open('a', () => null);
  await vi.waitFor(() => expect(open).toBe(1));
  // The running sync may be too early for these two, which share the next one.
  const [b] = ['b', 'c'].map((id) => journals.open(id, () => null));
  for (const _ of [1, 2]) await end();
  for (const journal of [a, b, a]) if (journal) journals.noteWritten(journal);
  expect(synced.map((path) => path.slice(home.length + 1))).toEqual(['journal', 'journal']);
  timer.advance(1000);
  for (const _ of [1, 2]) await end();
  timer.advance(5000);
  expect(synced.slice(2).map((path) => path.at(-8))).toEqual(['a', 'b']);
  await journals.close();
});

test.each(['running', 'succeeded'] as const)(
  'packs the journal of a killed run that is %s, and keeps its status',
  async (status) => {
    const opened = openJournals();
    begin(opened);
    opened.ledger.append('a', [exchangeEnd(4)]);
    opened.ledger.update('a', { status });
    const home = copyHome(opened.path);
    expect(listJournals(home)).toHaveLength(1);
    const ledger = await recoverLedger(home);
    expect(numbers(ledger.events('a', all).events)).toEqual([1, 2, 3, 4]);
    expect(ledger.run('a')?.status).toBe(status);
    await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
  },
);

test('doesn’t duplicate events if a kill separates packing from removal', async () => {
  const opened = openJournals();
  const { ledger, files, timer, db } = opened;
  files.rmSync = () => {
    throw fileError('EBUSY');
  };
  begin(opened);
  ledger.append('a', [exchangeEnd(4)]);
  ledger.save('a');
  await vi.waitFor(() => {
    timer.advance(50);
    expect(db.sql('SELECT count(*) AS n FROM chunk_blocks').get()?.n).toBe(1);
  });
  const home = copyHome(opened.path);
  expect(listJournals(home)).toHaveLength(1);
  const again = await recoverLedger(home);
  expect(numbers(again.events('a', all).events)).toEqual([1, 2, 3, 4]);
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
});

type Damage = [how: string, change: (path: string) => void, kept: number[], isSaid: boolean];
const damages: Damage[] = [
  ['whole', () => undefined, [1, 2, 3, 4, 5], false],
  [
    'cut in its last line',
    (path) => truncateSync(path, readFileSync(path).length - 3),
    [1, 2, 3, 4],
    true,
  ],
  ['doubled', (path) => appendFileSync(path, readFileSync(path)), [1, 2, 3, 4, 5], false],
  [
    'damaged in the middle',
    (path) => {
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace('word 2', 'word'));
    },
    [1, 3, 4, 5],
    true,
  ],
  [
    'followed by garbage',
    (path) => appendFileSync(path, Buffer.alloc(1e6, 0xff)),
    [1, 2, 3, 4, 5],
    true,
  ],
  ['garbage', (path) => writeFileSync(path, Buffer.alloc(1e6)), [], true],
  ['empty', (path) => writeFileSync(path, ''), [], false],
];

test.each(damages)('recovers a journal that is %s', async (_how, change, kept, isSaid) => {
  const opened = openJournals();
  begin(opened);
  opened.ledger.append('a', chunks(4, 5));
  opened.ledger.save('a');
  const home = copyHome(opened.path);
  change(journalPath(home, 'a'));
  const ledger = await recoverLedger(home);
  expect(numbers(ledger.events('a', all).events)).toEqual(kept);
  expect(ledger.run('a')?.status).toBe('running');
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
  const aside = readdirSync(join(home, 'journal')).filter((name) => name.includes('-damaged-'));
  expect(aside).toHaveLength(isSaid ? 1 : 0);
});

test('inserts the run of a journal if the ledger lost it in a power failure', async () => {
  const opened = openJournals();
  begin(opened);
  const home = copyHome(opened.path);
  renameSync(join(home, 'ledger.sqlite'), join(home, 'lost'));
  renameSync(join(home, 'ledger.sqlite-wal'), join(home, 'lost-wal'));
  const ledger = await recoverLedger(home);
  expect(ledger.listUnfinished()).toEqual(['a']);
  expect(ledger.run('a')).toMatchObject({ model: 'demo-story', preview: 'Hello' });
  expect(numbers(ledger.events('a', all).events)).toEqual([1, 2, 3]);
});

test.each([
  ['without a run', 'unknown', '[1,0,0,null,false,1]\ta\n'],
  ['of another run', 'unknown', `${JSON.stringify({ run: testRun({ id: 'other' }) })}\n`],
  ['of zeros', 'unknown', '\0'.repeat(300_000)],
  ['of empty lines', 'unknown', '\n'.repeat(300_000)],
])('sets a journal %s aside, with a notice', async (_what, runId, content) => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'journal'));
  writeFileSync(journalPath(home, runId), content);
  const storage = openTestStorage(home);
  const ledger = createLedger(storage);
  expect(ledger.listLeftJournals()).toEqual([runId]);
  await ledger.recoverJournal(runId, noSecrets, new AbortController().signal);
  await vi.waitFor(() => expect(storage.notices).toMatchObject([{ id: 'journal-damaged' }]));
  expect(readdirSync(join(home, 'journal'))).toEqual([
    'unknown-damaged-2023-11-14T22-13-20-000Z.ndjson',
  ]);
});

test('keeps the newest 20 journals that were set aside, and at most 1 GiB besides', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'journal'));
  const getName = (at: number) => `a-damaged-2023-01-01T00-00-${String(at).padStart(2, '0')}-000Z`;
  for (let at = 0; at < 25; at += 1) writeFileSync(journalPath(home, getName(at)), 'x');
  truncateSync(journalPath(home, getName(15)), 1.5 * 1024 ** 3);
  writeFileSync(journalPath(home, 'unknown'), 'garbage');
  const journals = createJournals({ home, now: () => 1_700_000_000_000 });
  expect(journals.listLeft()).toEqual(['unknown']);
  journals.setAside('unknown');
  const left = () => readdirSync(join(home, 'journal')).toSorted();
  expect(left()).toEqual([
    ...[16, 17, 18, 19, 20, 21, 22, 23, 24].map((at) => `${getName(at)}.ndjson`),
    'unknown-damaged-2023-11-14T22-13-20-000Z.ndjson',
  ]);
  for (let at = 0; at < 25; at += 1) writeFileSync(journalPath(home, getName(at)), 'x');
  writeFileSync(journalPath(home, 'b'), 'garbage');
  const later = createJournals({ home, now: () => 1_700_000_001_000 });
  later.setAside('b');
  expect(left()).toHaveLength(20);
  expect(left()).toContain('unknown-damaged-2023-11-14T22-13-20-000Z.ndjson');
  writeFileSync(journalPath(home, 'c'), 'kept');
  later.removeSetAside();
  expect(left()).toEqual(['c.ndjson']);
});

test('treats only files as journals', () => {
  const home = temporaryFolder();
  mkdirSync(journalPath(home, 'folder'), { recursive: true });
  writeFileSync(join(home, 'elsewhere'), 'kept');
  symlinkSync(join(home, 'elsewhere'), journalPath(home, 'link'));
  const journals = createJournals({ home, now: Date.now });
  expect(journals.listLeft()).toEqual([]);
});

test('deletes the journal of a live run before its rows', () => {
  const opened = openJournals();
  const { ledger, timer, home, db } = opened;
  begin(opened);
  ledger.append('a', chunks(4, 5));
  removeRun(ledger, 'a');
  expect(db.sql('SELECT count(*) AS n FROM runs').get()?.n).toBe(1);
  timer.advance(0);
  expect(existsSync(journalPath(home, 'a'))).toBe(false);
  ledger.append('a', chunks(6, 7));
  timer.advance(1000);
  expect(listJournals(home)).toEqual([]);
  expect(db.sql('SELECT count(*) AS n FROM runs').get()?.n).toBe(0);
});

test('stops packing a run whose journal was deleted', () => {
  const opened = openJournals();
  const { ledger, timer, home, db } = opened;
  begin(opened);
  ledger.append('a', [exchangeEnd(4)]);
  ledger.save('a');
  removeRun(ledger, 'a');
  timer.advance(1000);
  expect(listJournals(home)).toEqual([]);
  expect(db.sql('SELECT count(*) AS n FROM runs').get()?.n).toBe(0);
});

test.each(['EBUSY', 'EPERM', 'EACCES'])(
  'removes a deleted run at the next start if its journal fails with %s',
  async (code) => {
    const opened = openJournals();
    const { ledger, timer, files, home, db } = opened;
    begin(opened);
    ledger.createRun(testRun({ id: 'b' }));
    files.rmSync = () => {
      throw fileError(code);
    };
    removeRun(ledger, 'a');
    removeRun(ledger, 'b');
    timer.advance(60_000);
    expect(db.sql('SELECT id FROM runs').all()).toEqual([{ id: 'a' }]);
    const copy = copyHome(opened.path);
    const storage = openTestStorage(copy);
    const next = createLedger(storage);
    await next.recoverJournal('a', noSecrets, new AbortController().signal);
    await vi.waitFor(() => expect(storage.db.sql('SELECT id FROM runs').all()).toEqual([]));
    expect(listJournals(copy)).toEqual([]);
    expect(listJournals(home)).toHaveLength(1);
  },
);

test('packs 3,000 chunks into less than 100 bytes each', async () => {
  const { ledger, db, timer, pack } = openLedger();
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  const token = (seq: number) =>
    chunk(
      seq,
      `{"id":"chatcmpl-9f8a7b6c5d4e","object":"chat.completion.chunk","created":1732200000,"model":"m-2024-07-18","system_fingerprint":"fp_0ba0d124f1","choices":[{"index":0,"delta":{"content":" word${(seq * 7919) % 4001}"},"logprobs":null,"finish_reason":null}],"usage":null}`,
    );
  for (let seq = 1; seq <= 3000; seq += 3) {
    ledger.append('a', [seq, seq + 1, seq + 2].map(token));
    timer.advance(FLUSH_MS);
  }
  ledger.append('a', [exchangeEnd(3001)]);
  ledger.save('a');
  await pack();
  const size = db.sql('SELECT sum(length(body)) AS n, count(*) AS blocks FROM chunk_blocks').get();
  expect(Number(size?.n) / 3000).toBeLessThan(100);
  expect(Number(size?.blocks)).toBeLessThan(20);
  expect(ledger.events('a', { after: 1499, limit: 1, kinds: null }).events).toEqual([token(1500)]);
});
