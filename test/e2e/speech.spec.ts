import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';

async function openSpeech(app: Page): Promise<void> {
  await app.getByRole('link', { name: 'Speech' }).click();
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-speech');
}

test('plays before the last byte has arrived, and shows the result', async ({ app }) => {
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
  await expect(result.getByText(/^(Waiting|Streaming) · \d+\.\d s$/)).toBeVisible();

  await expect(result.getByText('Succeeded')).toBeVisible();
  await expect(result.getByText(/^MP3 · /)).toBeVisible();
  await expect(result.getByText(/First byte/)).toBeVisible();
  await expect(result.getByRole('slider', { name: 'Position in Speech' })).toBeVisible();
});
