import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, runButton, sendMessage } from './fixtures/chat-page.ts';

test.use({ demoSpeed: 20 });

test('edits a request as JSON, runs it, and shows the code of the next one', async ({ app }) => {
  const view = app.getByRole('radiogroup', { name: 'View' });
  const body = app.getByRole('textbox', { name: 'Request body' });
  await sendMessage(app, 'Good morning');
  await expect(answers(app)).toHaveCount(1);
  // The end of the answer changes the next request, and folds it again.
  await expect(runButton(app)).toBeVisible();
  await view.getByRole('radio', { name: 'JSON' }).check();

  // Earlier messages are folded, and can't be edited.
  await body.getByTitle('unfold').click();
  await body.getByText('"Good morning"').click();
  await app.keyboard.type('x');
  await expect(body).toContainText('"Good morning"');
  await view.getByRole('radio', { name: 'Form' }).check();
  await view.getByRole('radio', { name: 'JSON' }).check();
  await expect(body).not.toContainText('Good morning');
  await body.getByText('"stream"', { exact: true }).click();
  await app.keyboard.press('Home');
  await app.keyboard.insertText('"temperature": 0.25,\n"top_k": 12345678901234567890,\n');
  await expect(app.getByText('Extra body fields: top_k')).toBeVisible();
  await expect(app.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0.25');

  await view.getByRole('radio', { name: 'Form' }).check();
  await app.getByRole('textbox', { name: 'Message', exact: true }).fill('And tonight?');
  await view.getByRole('radio', { name: 'JSON' }).check();
  await body.getByText('"And tonight?"').click();
  await app.keyboard.press('End');
  await app.keyboard.press('ArrowLeft');
  await app.keyboard.type(' Please.');
  await app.keyboard.press('Control+Enter');
  await expect(body).not.toContainText('And tonight?');
  await expect(runButton(app)).toBeVisible();
  await app.keyboard.press('Control+Shift+E');
  const code = app.getByRole('region', { name: 'Request as code' });
  await expect(code).toContainText('--data-raw');
  await expect(view.getByRole('radio', { name: 'Code' })).toBeFocused();
  await view.getByRole('radio', { name: 'JSON' }).check();
  await body.getByTitle('unfold').click();
  await body.press('Control+End');
  await expect(body).toContainText('"top_k": 12345678901234567890');
  await view.getByRole('radio', { name: 'Form' }).check();
  await expect(app.getByRole('log').getByText('And tonight? Please.')).toBeAttached();
});
