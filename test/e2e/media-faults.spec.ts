import { expect } from '@playwright/test';
import { reply } from '../fixtures/wire-server.ts';
import { test } from './fixtures/gateway-app.ts';
import { spokenWav } from './fixtures/spoken-wav.ts';

test.use({ microphone: 'none' });

test('reports a web page in place of audio, and keeps the text', async ({ app, gateway }) => {
  await app.getByRole('link', { name: 'Speech' }).click();
  await app.getByRole('combobox', { name: 'Model' }).fill('tts-1');
  const text = app.getByRole('textbox', { name: 'Text', exact: true });
  await text.fill('Mind the step.');
  await app.keyboard.press('ControlOrMeta+Enter');
  const call = await gateway.nextCall();
  expect(call.body).toEqual({ model: 'tts-1', input: 'Mind the step.', voice: 'alloy' });
  await call.reply(reply('200 OK', { 'Content-Type': 'text/html' }, '<html>Welcome</html>'));
  await expect(app.getByRole('alert')).toContainText('web page');
  await expect(text).toHaveValue('Mind the step.');
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

test('speech shows what it waits for, and grows while it streams', async ({ app, gateway }) => {
  await app.getByRole('link', { name: 'Speech' }).click();
  await app.getByRole('combobox', { name: 'Model' }).fill('tts-1');
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('Mind the step.');
  await app.keyboard.press('ControlOrMeta+Enter');
  const call = await gateway.nextCall();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Waiting for first byte…')).toBeVisible();
  const sound = spokenWav(20);
  const half = sound.length / 2;
  const head = `HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: ${sound.length}\r\n\r\n`;
  await call.reply(Buffer.concat([Buffer.from(head), sound.subarray(0, half)]));
  await expect(result.getByText(/\/ 0:(09|10)…$/)).toBeVisible();
  await expect(result.getByText(/^Size \d+\.\d kB$/)).toBeVisible();
  await expect(result.getByText(/^Streaming/)).toBeVisible();
  await call.reply(sound.subarray(half));
  await expect(result.getByText('Succeeded')).toBeVisible();
  await expect(result.getByText(/\/ 0:20\.0$/)).toBeVisible();
});

test('a transcription shows how long it has waited once the audio is sent', async ({
  app,
  gateway,
}) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  await app.getByRole('combobox', { name: 'Model' }).fill('whisper-1');
  await app
    .getByLabel('Choose audio files')
    .setInputFiles({ name: 'talk.wav', mimeType: 'audio/wav', buffer: spokenWav(2) });
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await app.keyboard.press('ControlOrMeta+Enter');
  const call = await gateway.nextCall();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/Waiting for the transcript… 0:0[1-9]$/)).toBeVisible();
  await call.reply(reply('200 OK', { 'Content-Type': 'application/json' }, '{"text":"Mind it."}'));
  await expect(result.getByText('Mind it.')).toBeVisible();
  await expect(result.getByText(/Waiting for the transcript/)).toBeHidden();
});

test('rejects a text file named .wav and an empty file where they were chosen', async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  const chooser = app.getByLabel('Choose audio files');
  await chooser.setInputFiles({
    name: 'notes.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from('These are only notes, not sound.\n'.repeat(20)),
  });
  await expect(app.getByRole('alert').filter({ hasText: 'notes.wav' })).toBeVisible();
  await chooser.setInputFiles({
    name: 'empty.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.alloc(0),
  });
  await expect(app.getByRole('alert').filter({ hasText: 'empty.wav' })).toBeVisible();
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
});

test("reports a missing microphone, and keeps the panel's content", async ({ app }) => {
  await app.getByRole('link', { name: 'Transcription' }).click();
  await app.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(app.getByRole('alert')).toContainText(/microphone/i);
  await expect(app.getByRole('button', { name: 'Record', exact: true })).toBeEnabled();
});
