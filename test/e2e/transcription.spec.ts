import { expect } from '@playwright/test';
import { recordedFor } from '../fixtures/recorded-time.ts';
import { wav } from '../fixtures/sounds.ts';
import { test } from './fixtures/app.ts';
import { filmWithSound } from './fixtures/video-with-audio.ts';

test.use({ demoSpeed: 20 });

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

test('transcribes a smaller copy of a file over 25 MB', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  const buffer = wav({ seconds: 140, sampleRate: 48_000, channels: 2 });
  const file = { name: 'meeting.wav', mimeType: 'audio/wav', buffer };
  await app.getByLabel('Choose audio files').setInputFiles(file);
  const offer = app.getByRole('region', { name: 'File size' });
  await expect(offer).toContainText('This file is 26.9 MB.');
  await offer.getByRole('button', { name: 'Make a smaller copy' }).click();
  await expect(app.getByText(/^Sending a smaller copy: 8\d\d\.\d kB\./)).toBeVisible();
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible();
  await expect(result).toContainText('meeting (smaller copy).mp3');
});
