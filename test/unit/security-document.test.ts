import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = readFileSync('SECURITY.md', 'utf8');
const references = [...text.matchAll(/`(test\/[^`›]+) › ([^`]+)`/g)].map(
  ([, file = '', title = '']) => ({ file, title }),
);
const [defended = ''] = text.split('## What is not defended');

/** Whether a test, and not only a text, is called so: the first argument of `it`, `test` or what `each` gives. */
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

it('SECURITY.md names tests that exist', () => {
  expect(references.length).toBeGreaterThan(40);
  expect(references.filter((reference) => !hasTest(reference))).toEqual([]);
});

it('each line of what is defended names one', () => {
  const rows = defended.split('\n').filter((line) => /^\|(?!---| Defended )/.test(line));
  expect(rows.length).toBe(references.length);
  expect(rows.filter((row) => !/\| `test\/[^`]+ › [^`]+` \|$/.test(row))).toEqual([]);
});

it('a title that no test has is found out', () => {
  const file = 'test/unit/security-document.test.ts';
  expect(hasTest({ file, title: 'SECURITY.md names tests that exist' })).toBe(true);
  expect(hasTest({ file, title: 'SECURITY.md' })).toBe(false);
  expect(hasTest({ file: 'test/unit/nowhere.test.ts', title: 'x' })).toBe(false);
});
