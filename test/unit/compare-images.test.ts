import { describe, expect, it } from 'vitest';
import {
  createImageSheet,
  findAdjacentImage,
} from '../../renderer/features/image/contact-sheet.ts';
import { listImageFacts } from '../../renderer/features/image/image-facts.ts';
import { listPrompts } from '../../renderer/run/compare/compared-input.ts';
import type { Cell } from '../../shared/comparison.ts';
import { row, variant } from '../fixtures/comparisons.ts';
import { medium } from '../fixtures/medium.ts';
import { runSummary } from '../fixtures/run-view.ts';

const picture = (id: string) => medium({ id, kind: 'image', type: 'image/png' });

function cell(place: number, rowId: string, variantId: string, pictures: string[]): Cell {
  return {
    place,
    rowId,
    variantId,
    repeat: 0,
    messageId: null,
    state: 'sent',
    attempts: 1,
    run: runSummary({ id: `run-${place}`, operation: 'image', media: pictures.map(picture) }),
    problem: null,
  };
}

const column = (id: string) => ({
  name: id,
  title: id,
  isHidden: false,
  variant: variant(id, { request: { model: id } }),
});

/** Dusk has a1, a2, b1 and c1. Fog has none. Dawn has b2, b3 and c2, but no image of a. */
const sheet = createImageSheet(
  { rows: ['dusk', 'fog', 'dawn'].map((id) => row(id, {})), repeats: 1 },
  [
    cell(0, 'dusk', 'a', ['a1', 'a2']),
    cell(1, 'dusk', 'b', ['b1']),
    cell(2, 'dusk', 'c', ['c1']),
    cell(3, 'fog', 'a', []),
    cell(4, 'dawn', 'b', ['b2', 'b3']),
    cell(5, 'dawn', 'c', ['c2']),
  ],
  ['a', 'b', 'c'].map(column),
);

describe('the images of a comparison', () => {
  it('names them by variant, row and position', () => {
    expect(sheet.map((pictures) => pictures.map(({ title }) => title))).toEqual([
      ['a, dusk, image 1', 'a, dusk, image 2', 'b, dusk', 'c, dusk'],
      [],
      ['b, dawn, image 1', 'b, dawn, image 2', 'c, dawn'],
    ]);
  });

  it.each([
    ['0 a1', 'right', '0 a2'],
    ['0 a2', 'right', '1 b1'],
    ['1 b1', 'left', '0 a2'],
    ['0 a1', 'left', null],
    ['2 c1', 'right', null],
    ['1 b1', 'down', '4 b2'],
    ['2 c1', 'down', '5 c2'],
    ['0 a1', 'down', '4 b2'],
    ['0 a2', 'down', '4 b3'],
    ['4 b3', 'up', '1 b1'],
    ['4 b2', 'down', null],
    ['gone', 'right', null],
  ] as const)('moves from image %s to its neighbor on the %s: %s', (id, direction, next) => {
    expect(findAdjacentImage(sheet, id, direction)?.id ?? null).toBe(next);
  });
});

describe('the settings requested for an image', () => {
  const facts = (aspectRatio: string | null, imageSize: string | null, size = {}) =>
    listImageFacts(
      { aspectRatio, imageSize },
      medium({ kind: 'image', type: 'image/png', ...size }),
    );

  it.each([
    ['16:9', '2K', [2752, 1536], '16:9', []],
    ['16:9', '1K', [1376, 768], '16:9', []],
    ['1:1', '2K', [1024, 1024], '1:1', ['Size']],
    ['16:9', '512', [1024, 1024], '1:1', ['Aspect ratio', 'Size']],
    [null, null, [1000, 410], '2.44:1', []],
    [null, '1024x1024', [1024, 1024], '1:1', []],
    [null, '1024x1024', [1024, 1536], '2:3', ['Size']],
    [null, 'large', [640, 480], '4:3', []],
  ] as const)(
    'compares a requested %s at %s with received pixels %s',
    (ratio, size, [width, height], received, differing) => {
      const found = facts(ratio, size, { width, height });
      expect(found[0]?.received).toBe(received);
      expect(found.flatMap(({ name, differs }) => (differs ? [name] : []))).toEqual(differing);
    },
  );

  it('reports no difference for an image that wasn’t measured', () => {
    expect(facts('1:1', '1K').map(({ differs }) => differs)).toEqual([false, false, false, false]);
  });
});

it('sends each nonblank line as one prompt, and skips repeated lines', () => {
  expect(listPrompts('  A lake\n\r\n\n A hill \nA lake')).toEqual(['A lake', 'A hill']);
});
