import { expect, it } from 'vitest';
import { fitLabel, placeLabels } from '../../renderer/features/embeddings/map-points.ts';

const one = [100];

it.each([
  ['right of a point in the left half', { x: 50, y: 50 }, { x: 58, y: 50 }],
  ['left of a point in the right half', { x: 350, y: 50 }, { x: 242, y: 50 }],
])('places a label %s', (_name, point, label) => {
  expect(placeLabels([point], one, 400)).toEqual([label]);
});

it('places a label above its point if it would cover another point on both sides', () => {
  const points = [
    { x: 20, y: 50 },
    { x: 80, y: 53 },
  ];
  expect(placeLabels(points, [100, 100], 400)).toEqual([
    { x: 4, y: 37 },
    { x: 88, y: 53 },
  ]);
});

it('leaves out a label that would cover another label in every position', () => {
  const points = [
    { x: 100, y: 50 },
    { x: 100, y: 51 },
    { x: 100, y: 49 },
    { x: 100, y: 50 },
  ];
  expect(placeLabels(points, [90, 90, 90, 90], 400)).toContain(null);
});

it.each([
  ['A short one', 11, 'A short one'],
  ['A label that is too long', 11, 'A label th…'],
  ['A label that is too long', 9, 'A label…'],
  ['x'.repeat(5000), 4, 'xxx…'],
])('shortens %s to a width of %i', (text, maxWidth, label) => {
  expect(fitLabel(text, maxWidth, ({ length }) => length)).toBe(label);
});
