import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { test as gatewayTest } from './fixtures/gateway-app.ts';
import { spokenWav } from './fixtures/spoken-wav.ts';

test.describe('with the demo gateway', () => {
  test.use({ demoSpeed: 2 });

  test('plays audio before the last byte arrives, and shows the result', async ({ app }) => {
    await app.getByRole('link', { name: 'Speech' }).click();
    await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-speech');
    const text = 'The gate is open, and whoever comes is welcome to the house. '.repeat(12);
    await app.getByRole('textbox', { name: 'Text', exact: true }).fill(text);
    await app.getByRole('combobox', { name: 'Format' }).selectOption('mp3');
    await app.getByRole('button', { name: 'Run', exact: true }).click();
    const result = app.getByRole('region', { name: 'Result' });
    await app.waitForFunction(() => {
      const audio = document.querySelector('audio');
      return audio !== null && audio.currentTime > 0.2;
    });
    await expect(result.getByText(/^(Waiting|Streaming) · \d+\.\d s$/)).toBeVisible();
    await expect(result.getByText('Succeeded')).toBeVisible();
    await expect(result.getByText(/^MP3 · /)).toBeVisible();
  });
});

gatewayTest(
  'keeps audio that was cut off, and shows that it is incomplete',
  async ({ app, gateway }) => {
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
  },
);
