import { appendFileSync, closeSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readLines } from '../../electron/storage/journal.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';

function read(content: string | Buffer, sliceBytes: number) {
  const path = join(temporaryFolder(), 'lines');
  writeFileSync(path, content);
  const file = openSync(path, 'r');
  onTestFinished(() => closeSync(file));
  return [...readLines(() => file, 0, statSync(path).size, sliceBytes)];
}

const texts = (lines: ReturnType<typeof read>) => lines.flatMap(({ text }) => text ?? []);
const countBroken = (lines: ReturnType<typeof read>) =>
  lines.filter(({ isBroken }) => isBroken).length;

it.each([1, 2, 3, 5, 7, 100])('joins lines that span slices of %i bytes', (sliceBytes) => {
  const lines = read('["aé"]\n\n{"run":1}\n["😀"]\n', sliceBytes);
  expect(texts(lines)).toEqual(['["aé"]', '{"run":1}', '["😀"]']);
  expect([countBroken(lines), lines.at(-1)?.end]).toEqual([0, 28]);
});

it.each([1, 4, 100])(
  'skips lines that don’t start like one, in slices of %i bytes',
  (sliceBytes) => {
    const lines = read(
      Buffer.concat([Buffer.from('[1]\n'), Buffer.alloc(50), Buffer.from('\n[2]\nno\n[3')]),
      sliceBytes,
    );
    expect(texts(lines)).toEqual(['[1]', '[2]']);
    expect(countBroken(lines)).toBe(3);
  },
);

it('returns after each slice of a long line, so that the caller can pause', () => {
  const lines = read(`${'x'.repeat(1000)}\n`, 100);
  expect(lines).toHaveLength(11);
  expect(countBroken(lines)).toBe(1);
});

it('stops when the file is closed', () => {
  const path = join(temporaryFolder(), 'lines');
  appendFileSync(path, '[1]\n'.repeat(10));
  const file = openSync(path, 'r');
  onTestFinished(() => closeSync(file));
  let isOpen = true;
  const lines = readLines(() => (isOpen ? file : null), 0, 40, 4);
  expect(lines.next().value?.text).toBe('[1]');
  isOpen = false;
  expect(lines.next().done).toBe(true);
});
