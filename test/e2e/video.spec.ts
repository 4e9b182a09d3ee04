import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 6 });

const result = (app: Page) => app.getByRole('region', { name: 'Result' });
const tasks = (app: Page) => app.getByRole('region', { name: 'Tasks' });

async function submit(app: Page, words: string): Promise<void> {
  await openPanel(app, 'Video');
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-video');
  for (const [name, value] of [
    ['Duration', '2'],
    ['Width', '320'],
    ['Height', '180'],
    ['Frame rate', '12'],
  ] as const) {
    await app.getByRole('spinbutton', { name }).fill(value);
  }
  await app.getByRole('textbox', { name: 'Prompt' }).fill(words);
  await app.getByRole('button', { name: 'Run', exact: true }).click();
}

async function expectVideo(app: Page): Promise<void> {
  const video = result(app).locator('video');
  await expect(video).toBeVisible({ timeout: 60_000 });
  await expect(result(app).getByText('Completed', { exact: true })).toBeVisible();
  await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    await element.play();
  });
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.1);
  const at = await video.evaluate(async (element: HTMLVideoElement) => {
    element.pause();
    const seeked = new Promise((resolve) =>
      element.addEventListener('seeked', resolve, { once: true }),
    );
    element.currentTime = 1.5;
    await seeked;
    return element.currentTime;
  });
  expect(at).toBeCloseTo(1.5, 1);
}

test('follows a task through a reload, and plays its video', async ({ app }) => {
  await submit(app, 'A drawbridge opens');
  await expect(result(app).getByText(/The API can’t cancel tasks/)).toBeVisible();
  // The gateway has the task, so another one can be requested at once.
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await app.reload();
  await expect(result(app).getByText('A drawbridge opens').first()).toBeVisible();
  await expectVideo(app);
  const width = result(app).getByRole('row', { name: /^Width/ });
  await expect(width).toContainText('320');
  await expect(tasks(app).getByRole('listitem')).toHaveCount(1);
  await expect(tasks(app).getByText(/\d\d:\d\d:\d\d$/)).toBeVisible();
});
