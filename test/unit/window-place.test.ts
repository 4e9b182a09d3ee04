import { expect, test } from 'vitest';
import { getMinSize, restoreBounds } from '../../electron/desktop/window-state.ts';

const hd = { x: 0, y: 0, width: 1920, height: 1040 };
const laptop = { x: 0, y: 0, width: 1366, height: 728 };
const right = { x: 1920, y: 0, width: 1920, height: 1040 };
const at = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

test.each([
  ['in the middle of a large screen', [hd], at(280, 90, 1360, 860)],
  ['as high as a laptop allows, with Run in view', [laptop], at(3, 0, 1360, 728)],
  ['on the primary screen, wherever that is', [right, hd], at(2200, 90, 1360, 860)],
  ['below a panel at the top', [at(0, 32, 1366, 736)], at(3, 32, 1360, 736)],
])('the first time, opens a window %s', (_where, areas, bounds) => {
  expect(restoreBounds(areas, null)).toEqual({ bounds, maximized: false });
});

const usual = at(100, 50, 1200, 700);
const across = at(1500, 50, 1200, 700);
// Windows draws window borders beyond the screen's edge.
const bordered = at(-8, 0, 976, 1048);
test.each([
  ['stays where it was', [hd], usual, usual],
  ['stays across two screens', [hd, right], across, across],
  ['may reach over the edge by its borders', [hd], bordered, bordered],
  ['leaves a screen that is gone', [hd], at(2500, 50, 1200, 700), at(720, 50, 1200, 700)],
  ['moves down from above the screen', [hd], at(100, -300, 1200, 700), at(100, 0, 1200, 700)],
  ['shrinks to a smaller screen', [laptop], at(200, 100, 1600, 900), at(0, 0, 1366, 728)],
  ['fits the closest screen', [hd, right], at(3000, 400, 1360, 860), at(2480, 180, 1360, 860)],
])('restores a window that %s', (_what, areas, before, after) => {
  const restored = restoreBounds(areas, { bounds: before, maximized: true });
  expect(restored).toEqual({ bounds: after, maximized: true });
});

test('never requires more than its screen offers', () => {
  const { width, height } = getMinSize(at(0, 0, 1360, 860), [hd]);
  expect([width, height]).toEqual([960, 600]);
  const small = getMinSize(at(0, 0, 800, 480), [at(0, 0, 800, 440)]);
  expect([small.width, small.height]).toEqual([800, 440]);
});
