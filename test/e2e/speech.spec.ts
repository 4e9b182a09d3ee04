import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';

async function openSpeech(app: Page): Promise<void> {
  await app.getByRole('link', { name: 'Speech' }).click();
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-speech');
}

test('speaks before its last byte has come, and shows what came', async ({ app }) => {
  await openSpeech(app);
  const text = 'The gate is open, and whoever comes is welcome to the house. '.repeat(12);
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill(text);
  await app.getByRole('combobox', { name: 'Format' }).selectOption('mp3');
  await app.getByRole('button', { name: 'Run', exact: true }).click();

  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByRole('group', { name: 'Speech' })).toBeVisible();
  await app.waitForFunction(() => {
    const audio = document.querySelector('audio');
    return audio !== null && audio.currentTime > 0.2;
  });
  await expect(result.getByText('Running')).toBeVisible();

  await expect(result.getByText('Succeeded')).toBeVisible({ timeout: 30_000 });
  await expect(result.getByText(/^MP3 · /)).toBeVisible();
  await expect(result.getByText(/First byte/)).toBeVisible();
  await expect(result.getByRole('slider', { name: 'Position in Speech' })).toBeVisible();
});

test('counts to 4,096, says so at the field and sends nothing more', async ({ app }) => {
  await openSpeech(app);
  const box = app.getByRole('textbox', { name: 'Text', exact: true });
  await box.fill('x'.repeat(4096));
  await expect(app.getByText('4,096 of 4,096 characters')).toBeVisible();
  await box.fill('x'.repeat(4099));
  await expect(app.getByText('Shorten the text by 3 characters', { exact: false })).toBeVisible();
  await box.press('ControlOrMeta+Enter');
  await expect(
    app.getByRole('region', { name: 'Result' }).getByText('Run an example'),
  ).toBeVisible();
});

test('plays raw samples at the rate that is set, and saves them both ways', async ({ app }) => {
  await openSpeech(app);
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('Mind the step.');
  await app.getByRole('combobox', { name: 'Format' }).selectOption('pcm');
  await app.keyboard.press('ControlOrMeta+Enter');
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible({ timeout: 30_000 });
  await expect(result.getByRole('spinbutton', { name: 'Sample rate (Hz)' })).toHaveValue('24000');
  const download = app.waitForEvent('download');
  await result.getByRole('button', { name: 'Download as WAV' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.wav$/);
});
