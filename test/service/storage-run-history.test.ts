import { expect, test } from 'vitest';
import type { Timer } from '../../electron/base/timer.ts';
import { createLedger, type RunQuery } from '../../electron/storage/ledger.ts';
import { createRunIndex } from '../../electron/storage/run-index.ts';
import { createRunCondition } from '../../electron/storage/search/run-search.ts';
import { searchInline } from '../../electron/storage/search/searcher.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { noReply, removeRun, writtenEvents } from '../fixtures/open-ledger.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';

function chunk(seq: number): RunEvent {
  const data = `{"choices":[{"index":0,"text":"word ${seq}"}],"padding":"${'x'.repeat(230)}"}`;
  return { kind: 'chunk', seq, atMs: seq, exchange: 0, data, event: null, comment: false };
}

/** Creates a timer that runs pending work one callback at a time. */
function stepTimer(): Timer & { step(): boolean } {
  const waiting: (() => void)[] = [];
  return {
    after(_delayMs, work) {
      waiting.push(work);
      return () => {
        const at = waiting.indexOf(work);
        if (at >= 0) waiting.splice(at, 1);
      };
    },
    step() {
      const work = waiting.shift();
      work?.();
      return work !== undefined;
    },
  };
}

function openHistory() {
  const storage = openTestStorage();
  const { db } = storage;
  const timer = manualTimer();
  const search = searchInline(db, timer);
  const ledger = createLedger({ ...storage, search }, timer);
  const index = createRunIndex(db, search);
  let createdAt = 1;
  function ran(id: string, prompt: string, text: string | null, model = 'demo-story'): void {
    createdAt += 1;
    const request = { model, prompt };
    ledger.createRun(
      testRun({ id, createdAt, model, request, preview: prompt.slice(0, 20), status: 'succeeded' }),
    );
    void index.add(id, text === null ? null : { ...noReply, text });
    timer.advance(1000);
  }
  const find = async (words: string, more: Partial<RunQuery> = {}) =>
    (await ledger.search({ ...everyRun, search: words, ...more })).runs.map(({ id }) => id);
  return { db, timer, search, ledger, index, ran, find };
}

test('finds runs by request and response', async () => {
  const { ran, find } = openHistory();
  ran('asked', `${'Long before. '.repeat(300)}A lighthouse at the end`, null);
  ran('answered', 'Tell me', 'The keeper lit the Lighthouse.');
  ran('neither', 'Tell me', 'Nothing there');
  ran('model', 'Tell me', null, 'lighthouse-1');
  expect(await find('lighthouse')).toEqual(['model', 'answered', 'asked']);
  expect(await find('keeper lit')).toEqual(['answered']);
  expect(await find('li')).toEqual(['model', 'answered', 'asked']);
  expect(await find('100%')).toEqual([]);
  expect(await find('"; DROP')).toEqual([]);
});

test('finds words split across two chunks of a long response', async () => {
  const { ran, find } = openHistory();
  const words = Array.from({ length: 3000 }, (_, at) => `w${at}`).join(' ');
  ran('long', 'Count', words);
  for (const at of [0, 397, 398, 399, 1500, 2998])
    expect(await find(`w${at} w${at + 1}`)).toEqual(['long']);
});

test('finds a run in progress by its request', async () => {
  const { ledger, find } = openHistory();
  ledger.createRun(testRun({ id: 'a', request: { messages: [{ content: 'a balloon' }] } }));
  expect(await find('balloon')).toEqual(['a']);
});

test('doesn’t index base64', async () => {
  const { db, ran, find } = openHistory();
  ran('a', 'See', 'a drawing', 'demo-image');
  ran('b', 'QUJD'.repeat(5000), 'QUJD'.repeat(5000));
  expect(await find('drawing')).toEqual(['a']);
  expect(db.sql('SELECT sum(length(text)) AS n FROM run_texts').get()?.n).toBeLessThan(200);
});

test('filters by model and lists all models', async () => {
  const { ran, find, ledger } = openHistory();
  ran('a', 'One', null, 'm-1');
  ran('b', 'One', null, 'm-2');
  ran('c', 'Two', null, 'm-1');
  expect(ledger.list({ ...everyRun, model: 'm-1' }).runs.map(({ id }) => id)).toEqual(['c', 'a']);
  expect(await find('one', { model: 'm-1' })).toEqual(['a']);
  expect(ledger.models()).toEqual(['m-1', 'm-2']);
});

test('doesn’t find a deleted run', async () => {
  const { db, ran, find, ledger, timer } = openHistory();
  ran('a', 'A balloon', 'balloon '.repeat(5000));
  expect(await find('balloon')).toEqual(['a']);
  removeRun(ledger, 'a');
  expect(await find('balloon')).toEqual([]);
  expect(ledger.models()).toEqual([]);
  timer.advance(1000);
  expect(db.sql('SELECT count(*) AS n FROM run_texts').get()?.n).toBe(0);
  expect(
    db.sql("SELECT count(*) AS n FROM run_search WHERE run_search MATCH 'balloon'").get()?.n,
  ).toBe(0);
});

test('indexes runs that an earlier process missed', async () => {
  const { db, ledger, timer, search, find } = openHistory();
  ledger.createRun(testRun({ id: 'a', status: 'succeeded', request: {}, preview: 'p' }));
  ledger.createRun(testRun({ id: 'going-on', status: 'running', request: {}, preview: 'p' }));
  const index = createRunIndex(db, search);
  const done = index.catchUp(async () => ({ ...noReply, text: 'the run answered' }));
  while (timer.waiting() === 0) await Promise.resolve();
  timer.advance(1000);
  await done;
  expect(await find('answered')).toEqual(['a']);
});

test('indexes a hidden run that an earlier process missed', async () => {
  const { db, ledger, timer, search, find } = openHistory();
  ledger.createRun(testRun({ id: 'a', status: 'succeeded', request: {}, preview: 'p' }));
  ledger.hide('a', 1);
  const index = createRunIndex(db, search);
  const done = index.catchUp(async (id) =>
    ledger.runOrHidden(id) === null ? null : { ...noReply, text: 'the run answered' },
  );
  await expect.poll(() => timer.waiting()).toBeGreaterThan(0);
  timer.advance(1000);
  await done;
  expect(await find('answered')).toEqual([]);
  db.sql('UPDATE runs SET deleted_at = NULL').run();
  expect(await find('answered')).toEqual(['a']);
});

test('hides a run with 50,000 events at once, and deletes the events in steps', async () => {
  const storage = openTestStorage();
  const timer = stepTimer();
  const ledger = createLedger(storage, timer);
  ledger.createRun(testRun({ id: 'a', status: 'succeeded' }));
  ledger.createRun(testRun({ id: 'b' }));
  for (let seq = 1; seq <= 50_000; seq += 500) {
    ledger.append(
      'a',
      Array.from({ length: 500 }, (_, at) => chunk(seq + at)),
    );
    ledger.flush();
  }
  expect(writtenEvents(storage)).toBe(50_000);
  removeRun(ledger, 'a');
  expect(ledger.run('a')).toBeNull();
  expect(ledger.list(everyRun).runs.map(({ id }) => id)).toEqual(['b']);
  expect(ledger.events('a', { after: 0, limit: 10, kinds: null }).events).toEqual([]);
  while (timer.step());
  expect(writtenEvents(storage)).toBe(0);
  expect(storage.db.sql('SELECT count(*) AS n FROM runs').get()?.n).toBe(1);
});

test('continues to delete events at the next start', async () => {
  const home = temporaryFolder();
  const first = openTestStorage(home);
  const ledger = createLedger(first, stepTimer());
  ledger.createRun(testRun({ id: 'a' }));
  ledger.append(
    'a',
    Array.from({ length: 2000 }, (_, at) => chunk(at + 1)),
  );
  ledger.flush();
  removeRun(ledger, 'a');
  await ledger.close();
  await first.close();

  const storage = openTestStorage(home);
  const timer = manualTimer();
  const second = createLedger(storage, timer);
  expect(second.run('a')).toBeNull();
  timer.advance(1000);
  expect(writtenEvents(storage)).toBe(0);
});

test('distinguishes runs without a result from successful ones', async () => {
  const { ledger, ran, find } = openHistory();
  const figures = { model: null, usage: null, finishReasons: [] };
  for (const id of ['with', 'without', 'unread']) ran(id, `A prompt of ${id}`, 'A reply');
  ledger.update('with', { figures: { ...figures, noResult: null } });
  ledger.update('without', { figures: { ...figures, noResult: 'The response is empty.' } });
  expect(await find('', { status: 'succeeded' })).toEqual(['unread', 'with']);
  expect(await find('', { status: 'no-result' })).toEqual(['without']);
  expect(await find('', { status: 'failed' })).toEqual([]);
});

test('finds runs that got something other than asked', async () => {
  const { ledger, ran, find } = openHistory();
  for (const id of ['kept', 'missed', 'none']) ran(id, `A prompt of ${id}`, 'A reply');
  const finding = { name: 'stop', note: 'A note.' } as const;
  ledger.update('kept', { findings: [{ ...finding, holds: true }] });
  ledger.update('missed', { findings: [{ ...finding, holds: false }] });
  expect(await find('', { status: 'mismatch' })).toEqual(['missed']);
});

test.each([
  ['failed', 'runs_without_success'],
  ['unknown', 'runs_without_success'],
  ['no-result', 'runs_without_result'],
  ['running', 'runs_unfinished'],
  ['mismatch', 'runs_with_mismatch'],
] as const)('finds %s runs of a long history by an index', (status, index) => {
  const { db } = openTestStorage();
  for (const folded of [false, true]) {
    const [where, ...values] = createRunCondition({ ...everyRun, status, folded });
    const plan = db
      .sql(`EXPLAIN QUERY PLAN SELECT id FROM shown_runs ${where}
        ORDER BY created_at DESC, id DESC LIMIT 100`)
      .all(...values)
      .map(({ detail }) => String(detail));
    expect(plan[0]).toMatch(new RegExp(`^(?:SEARCH|SCAN) runs USING INDEX ${index}\\b`));
    // The newest run of a comparison is looked up among that comparison's runs.
    expect(plan.join().includes('SEARCH newer USING INDEX runs_by_comparison')).toBe(folded);
  }
});
