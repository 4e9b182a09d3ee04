import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { wav } from '../fixtures/sounds.ts';
import { test } from './fixtures/app.ts';
import { filmWithSound } from './fixtures/video-with-audio.ts';

test.use({ demoSpeed: 20 });

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

test('transcribes a smaller copy of a file over 25 MB', async ({ app, home }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  // Twenty seconds of sound; the rest is a chunk that players skip.
  const rest = Buffer.alloc(26_000_000);
  rest.write('junk', 0, 'latin1');
  rest.writeUInt32LE(rest.length - 8, 4);
  const buffer = Buffer.concat([wav({ seconds: 20, channels: 2 }), rest]);
  buffer.writeUInt32LE(buffer.length - 8, 4);
  const file = join(home, 'meeting.wav');
  writeFileSync(file, buffer);
  await app.getByLabel('Choose audio files').setInputFiles(file);
  const offer = app.getByRole('region', { name: 'File size' });
  await expect(offer).toContainText('This file is 26.6 MB.');
  await offer.getByRole('button', { name: 'Make a smaller copy' }).click();
  await expect(app.getByText(/^Sending a smaller copy: 12\d\.\d kB\./)).toBeVisible();
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded')).toBeVisible();
  await expect(result).toContainText('meeting (smaller copy).mp3');
});
