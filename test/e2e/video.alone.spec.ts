import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectFocusInMenu } from './fixtures/hold-focus.ts';
import { result } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';
import { isFocused, tabTo } from './fixtures/tab-to.ts';

// The task must still be running when it is stopped.
test.use({ demoSpeed: 0.7 });

async function expectVideo(app: Page): Promise<void> {
  const video = result(app).locator('video');
  await expect(video).toBeVisible();
  await expect(result(app).getByText('Succeeded', { exact: true })).toBeVisible();
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
    element.currentTime = 0.5;
    await seeked;
    return element.currentTime;
  });
  expect(at).toBeCloseTo(0.5, 1);
}

test('stops and resumes a task by keyboard, follows it through a reload, and plays its video', async ({
  app,
}) => {
  await openPanel(app, 'Video');
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-video');
  for (const [name, value] of [
    ['Duration', '1'],
    ['Width', '320'],
    ['Height', '180'],
    ['Frame rate', '12'],
  ] as const) {
    await app.getByRole('spinbutton', { name }).fill(value);
  }
  await app.getByRole('textbox', { name: 'Prompt' }).fill('A drawbridge opens');
  await app.keyboard.press('ControlOrMeta+Enter');
  await expect(result(app).getByText(/The API can’t cancel tasks/)).toBeVisible();
  // The gateway has accepted the task, so another one can start at once.
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  const tasks = app.getByRole('region', { name: 'Tasks' });
  await tabTo(app, tasks.locator('[data-row] [tabindex="0"]'));
  await app.keyboard.press('ArrowRight');
  await expect(tasks.getByRole('button', { name: 'Actions for A drawbridge opens' })).toBeFocused();
  await app.keyboard.press('Enter');
  const entry = app.getByRole('menuitem', { name: 'Stop following', exact: true });
  await expect(entry).toBeVisible();
  await expectFocusInMenu(app);
  for (let count = 0; count < 10 && !(await isFocused(entry)); count += 1) {
    await app.keyboard.press('ArrowDown');
  }
  await app.keyboard.press('Enter');
  const resume = result(app).getByRole('button', { name: 'Resume' });
  await tabTo(app, resume);
  await app.keyboard.press('Enter');
  await expect(resume).toBeHidden();
  await app.reload();
  await expectVideo(app);
  await result(app).getByText('Requested and received').click();
  await expect(result(app).getByRole('row', { name: /^Width/ })).toContainText('320');
  await expect(tasks.getByRole('listitem')).toHaveCount(1);
  await expect(tasks.getByText(/\d\d:\d\d:\d\d$/)).toBeVisible();
});
