/** Rejects tests whose verdict depends on the machine's speed, among those that `npm test` runs. */
import { expect, it } from 'vitest';
import { readSources } from '../scripts/boundaries.ts';

const FOLDERS = ['unit', 'page', 'service', 'component', 'e2e'].map((name) => `test/${name}`);
const OWN_PATH = 'test/unit/clock-free.test.ts';

const CLOCK = String.raw`\b(?:performance|Date)\.now\(\)`;
const SPAN = `(?:${CLOCK} *-|- *${CLOCK})`;
const COMPARES = String.raw`\.toBe(?:Less|Greater)Than`;

const RULES: [name: string, pattern: RegExp][] = [
  [
    'compares a span of a real clock',
    new RegExp(String.raw`\bexpect\b[^;]*?${SPAN}[^;]*?${COMPARES}`, 'g'),
  ],
  [
    'compares a span of a real clock',
    new RegExp(
      String.raw`\b(?:const|let) (?<span>\w+) = [^;]*?${SPAN}[^]*?\bexpect\b[^;]*?\b\k<span>\b[^;]*?${COMPARES}`,
      'g',
    ),
  ],
  ['waits for a time', /\bwaitForTimeout\(/g],
  ['waits for a time', /\bimport \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'/g],
  ['waits for a time', /\bnew Promise(?:<\w+>)?\(\(?(\w+)\)? =>[^;]*?\bsetTimeout\(\s*\1\s*,/g],
  ['waits for a time', /\bawait (?:setTimeout|delay|sleep)\(/g],
];

function findClocks(path: string, source: string): string[] {
  return RULES.flatMap(([name, pattern]) =>
    [...source.matchAll(pattern)].map(({ index }) => {
      const line = source.slice(0, index).split('\n').length;
      return `${path}:${line} ${name}`;
    }),
  );
}

it('gives no verdict that depends on a real clock', () => {
  const found = [...readSources('.', FOLDERS)]
    .filter(([path]) => !/\.(?:rest|alone)\./.test(path) && path !== OWN_PATH)
    .flatMap(([path, source]) => findClocks(path, source));
  expect(found).toEqual([]);
});

it.each([
  'expect(performance.now() - start, part).toBeLessThan(2000);',
  'expect((Date.now() - startedAt) / 10).toBeGreaterThanOrEqual(50);',
  'await expect.poll(() => performance.now() - pausedAt).toBeGreaterThan(1500);',
  'const tookMs = performance.now() - start;\nsend();\nexpect(tookMs).toBeLessThan(100);',
  'await page.waitForTimeout(100);',
  "import { setTimeout as pause } from 'node:timers/promises';",
  'await new Promise((resolve) => setTimeout(resolve, 300));',
  'const wait = () =>\n  new Promise<void>((go) => void setTimeout(go, 10));',
  'await delay(20);',
])('rejects %j', (source) => {
  expect(findClocks('a.ts', source)).not.toEqual([]);
});

it.each([
  'expect(run.createdAt).toBeLessThanOrEqual(Date.now());',
  'show({ createdAt: Date.now() - 13_500 });\nexpect(count).toBeLessThan(3);',
  'const ago = Date.now() - 1000;\nexpect(shown(ago)).toBe("1 s");',
  "import { setImmediate as nextTurn } from 'node:timers/promises';",
  'await expect.poll(() => rows).toHaveLength(1);',
  'const timer = setTimeout(() => reject(new Error("late")), 1000);',
])('accepts %j', (source) => {
  expect(findClocks('a.ts', source)).toEqual([]);
});
