import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { checkComparison, startComparing } from './fixtures/compared.ts';

test.use({ demoSpeed: 20 });

/** Returns the position of each video in seconds, and whether it is playing. */
function places(dialog: Locator): Promise<{ at: number; plays: boolean; muted: boolean }[]> {
  return dialog
    .locator('video')
    .evaluateAll((videos: HTMLVideoElement[]) =>
      videos.map(({ currentTime, paused, muted }) => ({ at: currentTime, plays: !paused, muted })),
    );
}

const times = async (dialog: Locator) =>
  (await places(dialog)).map(({ at }) => Number(at.toFixed(2)));

async function sendTwo(app: Page): Promise<void> {
  await app.getByRole('link', { name: 'Video', exact: true }).click();
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-video');
  for (const [name, value] of [
    ['Duration', '3'],
    ['Width', '160'],
    ['Height', '90'],
    ['Frame rate', '10'],
  ] as const) {
    await app.getByRole('spinbutton', { name }).fill(value);
  }
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A drawbridge opens');
  const editor = await startComparing(app, 'demo-video');
  await editor.getByRole('spinbutton', { name: 'Duration' }).fill('2');
  await app.keyboard.press('Escape');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
}

test('plays, pauses and steps two compared videos in sync by keyboard', async ({ app }) => {
  await sendTwo(app);
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('2 of 2 requests done')).toBeVisible({ timeout: 60_000 });
  await checkComparison(app, 'video');
  await comparison.getByRole('button', { name: 'Play in sync' }).press('Enter');
  const dialog = app.getByRole('dialog', { name: 'Play in sync' });
  await expect(dialog.locator('video')).toHaveCount(2);
  await expect(dialog.getByText('Succeeded', { exact: true })).toHaveCount(2);
  await expect(dialog.getByRole('slider', { name: 'Position' })).toBeFocused();
  const time = dialog.getByRole('status', { name: 'Time' });
  await expect(time).toHaveText('0:00.0 / 0:03.0 · frame 1');
  await expectNothing(app, 'video: in sync');

  // At 10 frames per second, each step seeks to the middle of a frame.
  await app.keyboard.press('.');
  await expect(time).toHaveText('0:00.1 / 0:03.0 · frame 2');
  await expect.poll(() => times(dialog)).toEqual([0.15, 0.15]);
  await dialog.getByRole('button', { name: 'Next frame (1/10 s, measured)' }).press('Enter');
  await app.keyboard.press(',');
  await app.keyboard.press('ArrowRight');
  await expect.poll(() => times(dialog)).toEqual([1.15, 1.15]);
  // The shorter video must wait at its end.
  await app.keyboard.press('End');
  await expect.poll(() => times(dialog)).toEqual([2.95, 1.95]);

  await app.keyboard.press('Home');
  // Play slowly so that the shorter video doesn't end before it is checked.
  await dialog.getByRole('combobox', { name: 'Speed' }).selectOption('0.25');
  await dialog.getByRole('slider', { name: 'Position' }).focus();
  await app.keyboard.press('Space');
  await expect(dialog.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect.poll(async () => (await times(dialog))[0]).toBeGreaterThan(0.3);
  expect((await places(dialog)).map(({ muted }) => muted)).toEqual([false, true]);
  // A video that started later must catch up.
  await expect
    .poll(async () => {
      const [first, second] = await places(dialog);
      // Past its end, the shorter video must show nothing.
      if (first === undefined || second === undefined || first.at > 1.5) return Infinity;
      return Math.abs(first.at - second.at);
    })
    .toBeLessThan(0.1);
  await app.keyboard.press('Space');
  await expect(dialog.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect
    .poll(async () => {
      const [first, second] = await places(dialog);
      const end = Math.min(first?.at ?? 0, 1.95);
      return [first?.plays, second?.plays, Math.abs(end - (second?.at ?? 9)) < 0.01];
    })
    .toEqual([false, false, true]);

  await dialog.getByRole('combobox', { name: 'Sound' }).selectOption({ index: 2 });
  expect((await places(dialog)).map(({ muted }) => muted)).toEqual([true, false]);
  await dialog.getByRole('combobox', { name: 'Second' }).selectOption('None');
  await expect(dialog.locator('video')).toHaveCount(1);
  await app.keyboard.press('Escape');
  await expect(comparison.getByRole('button', { name: 'Play in sync' })).toBeFocused();
});
