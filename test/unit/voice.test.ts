import { expect, it } from 'vitest';
import { findOddTexts } from '../scripts/voice.ts';

const find = (source: string) => findOddTexts(new Map([['a.ts', source]]));

const ODD_TITLE = 'says what came';

it.each([
  ['/** What came so far. */', 'a.ts:1: What came so far.'],
  ['/** The same for the key. */', 'a.ts:1: The same for the key.'],
  ['// Moves the actions of JSON.', 'a.ts:1: Moves the actions of JSON.'],
  ['const a = 1;\n  // Null where nothing is.', 'a.ts:2: Null where nothing is.'],
  ['/**\n * Waits until the run\n * goes on.\n */', 'a.ts:1: Waits until the run goes on.'],
  [`it('${ODD_TITLE}', () => {});`, `a.ts:1: ${ODD_TITLE}`],
  [`it.each([1])('${ODD_TITLE}', () => {});`, `a.ts:1: ${ODD_TITLE}`],
])('rejects %j', (source, finding) => {
  expect(find(source)).toEqual([finding]);
});

it.each([
  '/** Returns null if there is none. */',
  '/** Writes a line of JSON for the same key, in pieces of JSON text. */',
  "const text = 'What came so far';",
  "it('retries a failed request', () => {});",
  '// One comment.\n\n// Of them, this is another line.'.replace('Of them', 'Among them'),
])('accepts %j', (source) => {
  expect(find(source)).toEqual([]);
});
