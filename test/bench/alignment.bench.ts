import { test } from '@playwright/test';
import { alignTranscripts } from '../../renderer/run/compare/metrics/transcript-alignment.ts';
import { expectAtMost, percentile } from './figures.ts';

const WORDS = 10_000;
const VOCABULARY = 3000;
const normalization = { ignoreCase: true, ignorePunctuation: true, numbersAsDigits: true };

let seed = 7;
function next(count: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % count;
}

/** Few words come often, as in speech. */
function word(): string {
  const rank = Math.floor(VOCABULARY * (next(1000) / 1000) ** 3);
  return `${next(8) === 0 ? 'W' : 'w'}ord${rank}${next(10) === 0 ? ',' : ''}`;
}

const transcript = () => Array.from({ length: WORDS }, word);

/** A substitution, deletion or insertion for so many of a hundred words. */
function heard(words: readonly string[], errors: number): string[] {
  return words.flatMap((one) => {
    if (next(100) >= errors) return [one];
    return [[word()], [], [one, word()]][next(3)] ?? [];
  });
}

for (const [name, other] of [
  ['with 10 % of errors', (words: string[]) => heard(words, 10)],
  ['with 40 % of errors', (words: string[]) => heard(words, 40)],
  ['without anything in common', () => Array.from({ length: WORDS }, (_, at) => `other${at}`)],
] as const) {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  test(`two transcripts of 10,000 words ${name} are aligned`, ({}, testInfo) => {
    const words = transcript();
    const others = other(words);
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const startedAt = performance.now();
      alignTranscripts(words, others, normalization);
      times.push(performance.now() - startedAt);
    }
    expectAtMost(testInfo, `First alignment ${name}`, times[0] ?? 0, 300);
    expectAtMost(testInfo, `Alignment ${name} (median of 7)`, percentile(times, 50), 300);
  });
}
