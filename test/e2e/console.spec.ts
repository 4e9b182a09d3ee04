import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';

test.use({ demoSpeed: 20 });

test('sends saved requests, JSON by keyboard and a form with a file', async ({ app }) => {
  const result = app.getByRole('region', { name: 'Result' });
  const response = result.getByRole('region', { name: 'Response', exact: true });
  await app.getByRole('link', { name: 'Console' }).click();
  const saved = app.getByRole('region', { name: 'Saved requests' });
  const fineTune = saved.getByRole('button', { name: /^Create a fine-tune/ });
  await expect(fineTune).toContainText('shows a 501 error');
  await fineTune.click();
  await expect(app.getByRole('textbox', { name: 'Path' })).toHaveValue('/v1/fine-tunes');
  await expect(app.getByRole('textbox', { name: 'Body' })).toHaveText('{}');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result).toContainText('HTTP 501');
  await expect(result).toContainText('POST /v1/fine-tunes');
  await expect(result.getByRole('alert')).toContainText(/not implement/i);
  await expect(response).toContainText('api_not_implemented');

  await app.getByRole('combobox', { name: 'Method' }).selectOption('POST');
  await app.getByRole('textbox', { name: 'Path' }).fill('/v1/completions');
  await app
    .getByRole('textbox', { name: 'Body' })
    .fill('{"model":"demo-echo","prompt":"Hello","max_tokens":9999999}');
  await app.getByRole('button', { name: 'Save request' }).click();
  await app.getByRole('textbox', { name: 'Name' }).fill('Echo');
  await app.keyboard.press('Enter');
  await saved.getByRole('button', { name: /^List models/ }).click();
  await saved.getByRole('button', { name: /^Echo/ }).click();
  await app.keyboard.press('ControlOrMeta+Enter');
  await expect(response).toContainText('text_completion');

  await app.getByRole('combobox', { name: 'Method' }).selectOption('POST');
  const path = app.getByRole('textbox', { name: 'Path' });
  await path.fill('/v1/audio/speech');
  await app
    .getByRole('textbox', { name: 'Body' })
    .fill('{"model":"demo-speech","input":"Hello","voice":"alloy","response_format":"wav"}');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result.getByRole('button', { name: 'Play' })).toBeVisible();

  await path.fill('/v1/audio/transcriptions');
  await app.getByRole('radio', { name: 'Form data' }).check();
  await app.getByRole('button', { name: 'From library…' }).click();
  await app.getByRole('dialog').getByRole('button', { name: /^Use / }).first().click();
  await app.getByRole('button', { name: 'Add field' }).click();
  await app.getByRole('textbox', { name: 'Name of field 1' }).fill('model');
  await app.getByRole('textbox', { name: 'Value of field 1' }).fill('demo-transcribe');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(response).toContainText('text');
});
