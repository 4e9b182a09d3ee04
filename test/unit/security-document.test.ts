import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = readFileSync('SECURITY.md', 'utf8');
const references = readReferences(text);
const [, threats = ''] = text.split('## Threats');
const [defended = ''] = threats.split('## Not defended');

function readReferences(document: string): { file: string; title: string }[] {
  return [...document.matchAll(/`(test\/[^`›]+) › ([^`]+)`/g)].map(([, file = '', title = '']) => ({
    file,
    title,
  }));
}

/**
 * Returns true if the title is the first argument of `it`, `test` or `each(…)`, not any other text.
 */
function hasTest({ file, title }: { file: string; title: string }): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8');
  return [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``].some((literal) =>
    source
      .split(literal)
      .slice(0, -1)
      .some((before) => /(?:\b(?:it|test)|\))\(\s*$/.test(before)),
  );
}

it('names only tests that exist', () => {
  expect(references.length).toBeGreaterThan(40);
  expect(references.filter((reference) => !hasTest(reference))).toEqual([]);
});

it('references only existing tests in the invariants of ARCHITECTURE.md', () => {
  const invariants = readReferences(readFileSync('ARCHITECTURE.md', 'utf8'));
  expect(invariants.length).toBeGreaterThan(5);
  expect(invariants.filter((reference) => !hasTest(reference))).toEqual([]);
});

it('names a test on every line', () => {
  const rows = defended.split('\n').filter((line) => /^\|(?!---| Defended )/.test(line));
  expect(rows.length).toBe(references.length);
  expect(rows.filter((row) => !/\| `test\/[^`]+ › [^`]+` \|$/.test(row))).toEqual([]);
});

it('detects a title that no test has', () => {
  const file = 'test/unit/security-document.test.ts';
  expect(hasTest({ file, title: 'names only tests that exist' })).toBe(true);
  expect(hasTest({ file, title: 'SECURITY.md' })).toBe(false);
  expect(hasTest({ file: 'test/unit/nowhere.test.ts', title: 'x' })).toBe(false);
});
