import { expect, test } from 'vitest';
import { restoreBounds, smallestSize } from '../../electron/desktop/window-state.ts';

const hd = { x: 0, y: 0, width: 1920, height: 1040 };
const laptop = { x: 0, y: 0, width: 1366, height: 728 };
const right = { x: 1920, y: 0, width: 1920, height: 1040 };
const at = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

test.each([
  ['in the middle of a large screen', [hd], at(280, 90, 1360, 860)],
  ['as high as a laptop allows, with Run in view', [laptop], at(3, 0, 1360, 728)],
  ['on the primary screen, wherever that is', [right, hd], at(2200, 90, 1360, 860)],
  ['below a panel at the top', [at(0, 32, 1366, 736)], at(3, 32, 1360, 736)],
])('opens the first time %s', (_where, areas, bounds) => {
  expect(restoreBounds(areas, null)).toEqual({ bounds, maximized: false });
});

test.each([
  ['stays where it was', [hd], at(100, 50, 1200, 700), at(100, 50, 1200, 700)],
  ['stays across two screens', [hd, right], at(1500, 50, 1200, 700), at(1500, 50, 1200, 700)],
  [
    'may reach over the edge by the borders of Windows',
    [hd],
    at(-8, 0, 976, 1048),
    at(-8, 0, 976, 1048),
  ],
  ['comes back from a screen that is gone', [hd], at(2500, 50, 1200, 700), at(720, 50, 1200, 700)],
  ['comes back from above', [hd], at(100, -300, 1200, 700), at(100, 0, 1200, 700)],
  ['shrinks to a smaller screen', [laptop], at(200, 100, 1600, 900), at(0, 0, 1366, 728)],
  [
    'goes to the screen that shows most of it',
    [hd, right],
    at(3000, 400, 1360, 860),
    at(2480, 180, 1360, 860),
  ],
])('a remembered window %s', (_what, areas, before, after) => {
  expect(restoreBounds(areas, { bounds: before, maximized: true })).toEqual({
    bounds: after,
    maximized: true,
  });
});

test('is never held larger than its screen', () => {
  expect(smallestSize(at(0, 0, 1360, 860), [hd])).toEqual({ width: 960, height: 600 });
  expect(smallestSize(at(0, 0, 800, 480), [at(0, 0, 800, 440)])).toEqual({
    width: 800,
    height: 440,
  });
});
