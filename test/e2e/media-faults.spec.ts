import { expect } from '@playwright/test';
import { test } from './fixtures/gateway-app.ts';
import { spokenWav } from './fixtures/spoken-wav.ts';

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
