import { expect } from '@playwright/test';
import { recordedFor } from '../fixtures/recorded-time.ts';
import { test } from './fixtures/app.ts';
import { spokenWav } from './fixtures/spoken-wav.ts';
import { filmWithSound } from './fixtures/video-with-audio.ts';

test.use({ demoSpeed: 20 });

const spoken = { name: 'spoken.wav', mimeType: 'audio/wav', buffer: spokenWav(3) };

test('records, transcribes, and plays from the clicked word', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  await app.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(app.getByRole('meter', { name: 'Input level' })).toBeVisible();
  await expect(app.getByText(recordedFor(2))).toBeVisible();
  await app.getByRole('button', { name: 'Stop recording' }).click();
  await expect(app.getByText(/^Recording .*\.wav$/).first()).toBeVisible();

  await app.getByRole('combobox', { name: 'Format' }).selectOption('verbose_json');
  await app.getByRole('button', { name: 'word', exact: true }).click();
  await app.getByRole('button', { name: 'segment', exact: true }).click();
  await app.keyboard.press('ControlOrMeta+Enter');

  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible();
  const word = result.getByRole('tabpanel').getByRole('button').nth(2);
  await word.click();
  // Check both at once, because playback may end before a second look.
  await app.waitForFunction(() => {
    const audio = document.querySelector('audio');
    const isPlaying = audio !== null && !audio.paused && audio.currentTime > 0;
    return isPlaying && document.querySelector('[role="tabpanel"] [aria-current="true"]') !== null;
  });

  const download = app.waitForEvent('download');
  await result.getByRole('button', { name: 'Export' }).click();
  await app.getByRole('menuitem', { name: 'Save as .srt' }).click();
  expect((await download).suggestedFilename()).toMatch(/-\d{4}-\d\d-\d\d-\d{6}\.srt$/);
});

test('transcribes a video by its audio, which plays from a segment', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  const buffer = await filmWithSound(app, 2);
  const film = { name: 'talk.webm', mimeType: 'video/webm', buffer };
  await app.getByLabel('Choose audio files').setInputFiles(film);
  await expect(app.getByRole('group', { name: 'talk.webm' })).toBeVisible();
  await app.getByRole('button', { name: 'Add word timestamps' }).click();
  await app.getByRole('button', { name: 'Run', exact: true }).click();

  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible();
  await result.getByRole('tab', { name: /Segments/ }).click();
  // The demo gateway names what it received.
  await expect(result.getByRole('tabpanel')).toContainText(/of talk\.webm, [1-4]\.\d seconds/);
  await result.getByRole('tabpanel').getByRole('button').first().click();
  await app.waitForFunction(() => {
    const sound = document.querySelector('audio');
    return sound !== null && sound.currentTime > 0.3;
  });
});

test('keeps recording while another panel is shown, with the time in the navigation', async ({
  app,
}) => {
  const link = app.getByRole('link', { name: 'Transcription', exact: true });
  await link.click();
  await app.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(app.getByText(recordedFor(1))).toBeVisible();
  await app.getByRole('link', { name: 'Rerank' }).click();
  await expect(app.getByRole('heading', { name: 'Rerank', level: 1 })).toBeVisible();
  await expect(link).toHaveAttribute('aria-description', /^Recording 0:(0[3-9]|[1-5]\d)$/);
  await link.click();
  await app.getByRole('button', { name: 'Stop recording' }).click();
  await expect(app.getByRole('button', { name: /^Remove Recording .*\.wav$/ })).toBeVisible();
  await expect(link).not.toHaveAttribute('aria-description');
});

test("an example runs at once, and another file doesn't keep its transcript", async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  await app.getByRole('button', { name: 'Word timestamps' }).click();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible();
  const example = app.getByRole('group', { name: 'Example speech.mp3' });
  await expect(example).toHaveCount(1);
  const length = await app.waitForFunction(() => {
    const seconds = document.querySelector('audio')?.duration;
    return seconds !== undefined && Number.isFinite(seconds) ? seconds : null;
  });
  expect(await length.jsonValue()).toBeCloseTo(10, 0);
  await result.getByRole('tab', { name: /Segments/ }).click();
  await result.getByRole('tabpanel').getByRole('button').last().click();
  await app.waitForFunction(() => {
    const audio = document.querySelector('audio');
    return audio !== null && !audio.paused && audio.currentTime > 5;
  });

  await app.getByLabel('Choose audio files').setInputFiles(spoken);
  await expect(app.getByText('Audio replaced')).toBeVisible();
  await expect(
    result.getByText(/^This is the transcript of “Example speech.mp3”, not/),
  ).toBeVisible();
  await app.getByRole('button', { name: 'Undo' }).click();
  await expect(result.getByText(/^This is the transcript of/)).toBeHidden();
});

test('shows only the error of the last file', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  const files = app.getByLabel('Choose audio files');
  const text = (name: string) => ({ name, mimeType: 'audio/wav', buffer: Buffer.from('no sound') });
  await files.setInputFiles(text('first.wav'));
  await expect(app.getByRole('alert')).toContainText('first.wav');
  await files.setInputFiles(text('second.wav'));
  await expect(app.getByRole('alert')).toContainText('second.wav');
  await expect(app.getByRole('alert')).toHaveCount(1);
});

test('keeps a recording through a reload', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  await app.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(app.getByText(recordedFor(2))).toBeVisible();
  app.on('dialog', (dialog) => void dialog.accept());
  await app.reload();
  await app.getByRole('button', { name: 'Use recording' }).click();
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
});

test('reads each response format, and shows the raw response', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  await app.getByLabel('Choose audio files').setInputFiles(spoken);
  const result = app.getByRole('region', { name: 'Result' });
  for (const format of ['json', 'text', 'srt', 'vtt']) {
    await test.step(format, async () => {
      await app.getByRole('combobox', { name: 'Format' }).selectOption(format);
      await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
      await app.keyboard.press('ControlOrMeta+Enter');
      await expect(result.getByText(`Format ${format}`)).toBeVisible();
      await expect(result.getByText('Succeeded')).toBeVisible();
      await result.getByRole('tab').first().click();
      await expect(result.getByRole('tabpanel')).toContainText('imulated');
      await result.getByRole('tab', { name: 'Raw' }).click();
      await expect(result.getByRole('tabpanel')).toContainText('imulated');
    });
  }
});
