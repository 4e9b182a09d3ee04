import { describe, expect, it } from 'vitest';
import {
  type Canvas,
  createCanvas,
  fillBox,
  fillDisc,
  mix,
} from '../../electron/demo/studio/worker/canvas.ts';
import { planScene } from '../../electron/demo/studio/worker/plan-scene.ts';
import { stylize } from '../../electron/demo/studio/worker/stylize.ts';

describe('a scene', () => {
  it.each([
    ['A gatehouse between two hills in the evening sun, as a woodcut', 'woodcut', 'hills'],
    ['A harbor at dawn, in gouache', 'gouache', 'waves'],
    ['A mill in watercolour', 'watercolor', null],
    ['A city, pencil sketch', 'sketch', 'city'],
    ['Pixel art of a fox', 'pixels', 'forest'],
    ['A gate', 'painting', null],
  ])('of %j has the style %s', (prompt, style, land) => {
    const scene = planScene(prompt, 'seed');
    expect(scene.style).toBe(style);
    if (land !== null) expect(scene.land).toBe(land);
  });

  it.each(['the evening sun', 'a sunset', 'dusk over the river', 'dawn', 'sunrise'])(
    'of %j has a warm sky with a low sun',
    (prompt) => {
      const { skyLow, sun, night } = planScene(prompt, 'seed');
      expect(skyLow[0]).toBeGreaterThan(skyLow[2]);
      expect(sun.y).toBeGreaterThan(0.4);
      expect(night).toBe(false);
    },
  );

  it('takes the time that comes first in the prompt', () => {
    expect(planScene('night after a sunny day', 'seed').night).toBe(true);
    expect(planScene('while the evening turns to night', 'seed').night).toBe(false);
    expect(planScene('noon', 'seed').skyLow[2]).toBeGreaterThan(
      planScene('dusk', 'seed').skyLow[2],
    );
  });

  it.each([
    ['A snowy village at night, watercolor', true],
    ['A summer night in a garden', true],
    ['A bright moon over the bay', true],
    ['A foggy afternoon by the sea', false],
    ['A brass key on gray linen, product photo, soft light from the left.', false],
    ['A flat icon of an open gate, two colors, centered on white.', false],
    ['The start of a race in the snow', false],
  ])('of %j is at night: %s', (prompt, night) => {
    expect(planScene(prompt, 'seed').night).toBe(night);
  });
});

describe('a style', () => {
  /** A dark disc on a gradient from blue to orange. */
  function paint() {
    const canvas = createCanvas(96, 64);
    for (let y = 0; y < 64; y += 1) {
      fillBox(canvas, [0, y, 96, y + 1], mix([60, 90, 200], [240, 150, 60], y / 64));
    }
    fillDisc(canvas, [48, 40, 14], [20, 30, 25], 1, 0);
    return canvas;
  }

  const list = ({ rgb }: Canvas) => Array.from(rgb);

  it('redraws the painting, each in its own way', () => {
    const styles = ['sketch', 'woodcut', 'gouache', 'watercolor', 'ink', 'pixels'] as const;
    const drawn = styles.map((style) => list(stylize(paint(), style)).join());
    expect(new Set([...drawn, list(paint()).join()]).size).toBe(styles.length + 1);
    expect(list(stylize(paint(), 'painting'))).toEqual(list(paint()));
  });

  it('prints black lines as a woodcut, and no colors in ink', () => {
    const isBlack = (_: number, at: number, all: number[]) =>
      at % 3 === 0 && Math.max(...all.slice(at, at + 3)) < 60;
    const carved = list(stylize(paint(), 'woodcut')).filter(isBlack).length;
    expect(carved).toBeGreaterThan(list(paint()).filter(isBlack).length);
    const ink = list(stylize(paint(), 'ink'));
    const spreads = ink.map((red, at) => (at % 3 === 0 ? Math.abs(red - (ink[at + 2] ?? 0)) : 0));
    expect(Math.max(...spreads)).toBeLessThan(24);
  });
});
