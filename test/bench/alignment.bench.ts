import type { Page } from '@playwright/test';
import { build } from 'vite';
import { test } from '../e2e/fixtures/app.ts';
import { createRandom } from '../fixtures/random.ts';
import { note } from './harness/figures.ts';
import { traceTasks } from './harness/main-thread.ts';
import { rounds } from './harness/rounds.ts';

const WORDS = 10_000;
const VOCABULARY = 3000;
const normalization = { ignoreCase: true, ignorePunctuation: true, numbersAsDigits: true };

const random = createRandom(7);
const next = (count: number) => random.between(0, count - 1);

/** Returns a random word. A few words are more frequent, as in speech. */
function word(): string {
  const rank = Math.floor(VOCABULARY * (next(1000) / 1000) ** 3);
  return `${next(8) === 0 ? 'W' : 'w'}ord${rank}${next(10) === 0 ? '.' : ''}`;
}

const transcript = () => Array.from({ length: WORDS }, word);

/** Substitutes, deletes or inserts `errors` words in every hundred. */
function heard(words: readonly string[], errors: number): string[] {
  return words.flatMap((one) => {
    if (next(100) >= errors) return [one];
    return [[word()], [], [one, word()]][next(3)] ?? [];
  });
}

/** Bundles the worker, and returns its script. */
async function buildWorker(): Promise<string> {
  const built = await build({
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: 'renderer/run/compare/work/comparison-worker.ts' },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [entry] = outputs.flatMap((one) => (one.type === 'chunk' && one.isEntry ? [one.code] : []));
  if (entry === undefined) throw new Error('The worker was not built.');
  return entry;
}

/**
 * Measures the milliseconds from request to result: the first in a new worker, the rest in the same
 * one.
 */
function timeOrders(app: Page, script: string, order: object, count: number): Promise<number[]> {
  return app.evaluate(
    async ({ script, order, count }) => {
      const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
      const times: number[] = [];
      let startedAt = performance.now();
      const worker = new Worker(url, { type: 'module' });
      for (let round = 0; round < count; round += 1) {
        if (round > 0) startedAt = performance.now();
        const reply = await new Promise<object>((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(order);
        });
        times.push(performance.now() - startedAt);
        if (!('output' in reply)) throw new Error(JSON.stringify(reply));
      }
      worker.terminate();
      return times;
    },
    { script, order, count },
  );
}

const words = transcript();
const alignmentOf = (others: readonly string[]) => {
  const timing = { words: null, segments: null, durationSeconds: 3600 };
  const transcripts = [{ text: others.join(' '), ...timing }];
  return { name: 'alignment', input: { base: words.join(' '), transcripts, normalization } };
};

const characters = Array.from({ length: 50_000 }, () => String.fromCharCode(97 + next(26)));
const edited = characters.map((one) => (next(100) === 0 ? '' : one)).join('');

for (const [name, order] of [
  ['10,000 words with 10 % of errors', alignmentOf(heard(words, 10))],
  ['10,000 words with 40 % of errors', alignmentOf(heard(words, 40))],
  [
    '10,000 words without anything in common',
    alignmentOf(Array.from({ length: WORDS }, (_, at) => `other${at}`)),
  ],
  [
    '50,000 characters with 1 % of edits',
    {
      name: 'error-rates',
      input: { reference: characters.join(''), hypotheses: [edited], normalization },
    },
  ],
] as const) {
  test(`aligns ${name} off the main thread`, async ({ app }, testInfo) => {
    const script = await buildWorker();
    let times: number[] = [];
    const { longestMs } = await traceTasks(app, async () => {
      times = await timeOrders(app, script, order, rounds + 1);
    });
    const [first = Number.NaN, ...more] = times;
    note(testInfo, `${name}, in a new worker`, first, 'ms', { atMost: 300 });
    note(testInfo, `${name}, again`, more, 'ms', { atMost: 300 });
    note(testInfo, `${name}: the page's longest task`, longestMs, 'ms', { atMost: 50 });
  });
}
