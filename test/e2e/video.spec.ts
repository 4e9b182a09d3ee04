import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 6 });

const result = (app: Page) => app.getByRole('region', { name: 'Result' });
const tasks = (app: Page) => app.getByRole('region', { name: 'Tasks' });

/** Assumes that the Video panel is open. */
async function submit(app: Page, words: string): Promise<void> {
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
  await openPanel(app, 'Video');
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

/** A red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('makes a video between a first and a last frame', async ({ app }, info) => {
  await openPanel(app, 'Video');
  await app.getByRole('combobox', { name: 'Format', exact: true }).selectOption('Videos');
  for (const [slot, name] of [
    ['First frame', 'dawn.png'],
    ['Last frame', 'dusk.png'],
  ] as const) {
    const group = app.getByRole('group', { name: slot, exact: true });
    await group
      .getByLabel('Attach files')
      .setInputFiles({ name, mimeType: 'image/png', buffer: PNG });
    await expect(group.getByRole('group', { name })).toBeVisible();
  }
  await submit(app, 'From dawn to dusk');
  await expectVideo(app);
  await info.attach('page', { body: await app.screenshot(), contentType: 'image/png' });
  await app.keyboard.press('ControlOrMeta+j');
  const inspector = app.getByRole('region', { name: 'Inspector', exact: true });
  await inspector.getByRole('tab', { name: 'Request' }).click();
  await expect(inspector).toContainText('/v1/videos');
  await expect(inspector).toContainText('frame_images');
});
