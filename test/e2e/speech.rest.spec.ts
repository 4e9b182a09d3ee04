import { expect } from '@playwright/test';
import { silentMp3 } from '../fixtures/sounds.ts';
import { test } from './fixtures/gateway-app.ts';
import { spokenWav } from './fixtures/spoken-wav.ts';

test('plays audio before the last byte arrives, and shows the result', async ({ app, gateway }) => {
  await app.getByRole('link', { name: 'Speech' }).click();
  await app.getByRole('combobox', { name: 'Model' }).fill('tts-1');
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('The gate is open.');
  await app.getByRole('combobox', { name: 'Format' }).selectOption('mp3');
  await app.keyboard.press('ControlOrMeta+Enter');
  const call = await gateway.nextCall();
  // About 20 seconds of audio.
  const sound = silentMp3(760);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: ${sound.length}\r\n\r\n`;
  await call.reply(Buffer.concat([Buffer.from(head), sound.subarray(0, sound.length / 2)]));
  await app.waitForFunction(() => {
    const audio = document.querySelector('audio');
    return audio !== null && audio.currentTime > 0.2;
  });
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^(Waiting|Streaming) · /)).toBeVisible();
  await call.reply(sound.subarray(sound.length / 2));
  await expect(result.getByText('Succeeded')).toBeVisible();
  await expect(result.getByText(/^MP3 · /)).toBeVisible();
});

test('keeps audio that was cut off, and shows that it is incomplete', async ({ app, gateway }) => {
  await app.getByRole('link', { name: 'Speech' }).click();
  await app.getByRole('combobox', { name: 'Model' }).fill('tts-1');
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('Mind the step.');
  await app.keyboard.press('ControlOrMeta+Enter');
  const call = await gateway.nextCall();
  const sound = spokenWav(2);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: ${sound.length}\r\n\r\n`;
  await call.reply(Buffer.concat([Buffer.from(head), sound.subarray(0, sound.length / 2)]));
  call.cut();
  await expect(app.getByRole('alert')).toContainText('was lost before');
  await expect(app.getByRole('group', { name: 'Speech' })).toBeVisible();
});
