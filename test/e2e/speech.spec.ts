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

test('counts to 4,096, reports the limit at the field, and sends nothing more', async ({ app }) => {
  await openSpeech(app);
  const box = app.getByRole('textbox', { name: 'Text', exact: true });
  await box.fill('x'.repeat(4096));
  await expect(app.getByText('4,096 of 4,096 characters')).toBeVisible();
  await box.fill('x'.repeat(4099));
  await expect(app.getByText('3 characters over the 4,096 limit.')).toBeVisible();
  await box.press('ControlOrMeta+Enter');
  const examples = app.getByRole('region', { name: 'Result' }).getByRole('list');
  await expect(examples.getByRole('button', { name: 'Welcome' })).toBeVisible();
});

function isPlaying(app: Page): Promise<boolean> {
  return app.evaluate(() => [...document.querySelectorAll('audio')].some(({ paused }) => !paused));
}

test('plays every run, however short, and keeps earlier takes to compare', async ({ app }) => {
  await openSpeech(app);
  const box = app.getByRole('textbox', { name: 'Text', exact: true });
  const result = app.getByRole('region', { name: 'Result' });
  await app.getByRole('combobox', { name: 'Format' }).selectOption('wav');
  for (const word of ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.', 'Seven.', 'Eight.']) {
    await box.fill(word);
    await app.evaluate(() => {
      document.addEventListener('playing', () => document.body.setAttribute('data-heard', ''), {
        capture: true,
        once: true,
      });
    });
    await app.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(app.locator('body[data-heard]')).toBeAttached();
    await app.evaluate(() => document.body.removeAttribute('data-heard'));
    await expect(result.getByText('Succeeded')).toBeVisible();
  }
  const takes = app.getByRole('region', { name: 'Earlier takes' });
  await expect(takes.getByRole('listitem')).toHaveCount(7);
  await takes.getByRole('button', { name: 'One.' }).click();
  await expect(takes.getByRole('button', { name: 'Eight.' })).toBeVisible();
  await expect(takes.getByRole('button', { name: 'One.' })).toBeHidden();
});

test('an example runs at once, and keeps playing in another panel', async ({ app }) => {
  await openSpeech(app);
  await app.getByRole('button', { name: 'Story' }).click();
  await expect(app.getByRole('combobox', { name: 'Voice' })).toHaveValue('onyx');
  const result = app.getByRole('region', { name: 'Result' });
  await expect.poll(() => isPlaying(app)).toBe(true);
  await app.getByRole('link', { name: 'Rerank' }).click();
  await expect(app.getByRole('heading', { name: 'Rerank', level: 1 })).toBeVisible();
  // It continues by itself after waiting for more audio, as on a busy machine.
  await expect.poll(() => isPlaying(app)).toBe(true);
  const link = app.getByRole('link', { name: 'Speech' });
  await expect(link).toHaveAttribute('aria-description', 'Playing');
  await link.click();
  await result.getByRole('button', { name: 'Pause' }).click();
  expect(await isPlaying(app)).toBe(false);
  await expect(link).not.toHaveAttribute('aria-description');
});

test('plays raw samples at the chosen rate, and saves them as WAV or raw', async ({ app }) => {
  await openSpeech(app);
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('Mind the step.');
  await app.getByRole('combobox', { name: 'Format' }).selectOption('pcm');
  await app.keyboard.press('ControlOrMeta+Enter');
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible();
  await expect(result.getByRole('spinbutton', { name: 'Sample rate (Hz)' })).toHaveValue('24000');
  const download = app.waitForEvent('download');
  await result.getByRole('button', { name: 'Download as WAV' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.wav$/);
});
