import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { filmWithSound } from './fixtures/video-with-audio.ts';

test.use({ demoSpeed: 20 });

test('transcribes the audio of a video, and plays it from a segment', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  const buffer = await filmWithSound(app, 1.5);
  const film = { name: 'talk.webm', mimeType: 'video/webm', buffer };
  await app.getByLabel('Choose audio files').setInputFiles(film);
  await expect(app.getByRole('group', { name: 'talk.webm' })).toBeVisible();
  await app.getByRole('button', { name: 'Add word timestamps' }).click();
  await app.getByRole('button', { name: 'Run', exact: true }).click();

  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible();
  await result.getByRole('tab', { name: /Segments/ }).click();
  // The demo gateway echoes the file name that it received.
  await expect(result.getByRole('tabpanel')).toContainText(/of talk\.webm, [1-9]\d*\.\d seconds/);
  await result.getByRole('tabpanel').getByRole('button').first().click();
  await app.waitForFunction(() => {
    const sound = document.querySelector('audio');
    return sound !== null && sound.currentTime > 0.3;
  });
});
