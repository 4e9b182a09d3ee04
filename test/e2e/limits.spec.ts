import { expect } from '@playwright/test';
import { chooseModel, messageBox, runButton, stopButton } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

const broken: { field: string; value: string; says: string }[] = [
  { field: 'Temperature', value: '2.1', says: 'Enter a number from 0 to 2.' },
  { field: 'Temperature', value: '-0.1', says: 'Enter a number from 0 to 2.' },
  { field: 'Temperature', value: 'warm', says: 'Enter a number.' },
  { field: 'Top p', value: '1.01', says: 'Enter a number from 0 to 1.' },
  { field: 'Presence penalty', value: '-2.5', says: 'Enter a number from -2 to 2.' },
  { field: 'Frequency penalty', value: '3', says: 'Enter a number from -2 to 2.' },
  { field: 'Choices (n)', value: '0', says: 'Enter 1 or more.' },
  { field: 'Choices (n)', value: '1.5', says: 'Enter a whole number.' },
  { field: 'Seed', value: '0.5', says: 'Enter a whole number.' },
];

test('rejects a chat parameter outside its limits at its field', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await messageBox(app).fill('Hello');
  const parameters = app.getByRole('complementary', { name: 'Parameters' });
  for (const { field, value, says } of broken) {
    await test.step(`${field} ${value}`, async () => {
      const box = parameters.getByRole('spinbutton', { name: field, exact: true });
      await box.fill(value);
      await expect(box).toHaveAccessibleDescription(new RegExp(literally(says)));
      await expect(box).toHaveAttribute('aria-invalid', 'true');
      await runButton(app).click({ force: true });
      await messageBox(app).press('ControlOrMeta+Enter');
      await expect(runButton(app)).toHaveAccessibleDescription(new RegExp(literally(field)));
      await parameters.getByRole('button', { name: `Reset ${field}` }).click();
      await expect(box).toHaveValue('');
    });
  }

  const extra = parameters.getByRole('textbox', { name: 'Extra body fields' });
  for (const wrong of ['{"top_k": }', '[1]', '{"a": 1']) {
    await extra.fill(wrong);
    await expect(extra).toHaveAttribute('aria-invalid', 'true');
    await messageBox(app).press('ControlOrMeta+Enter');
  }
  await expect(stopButton(app)).toHaveCount(0);
  expect(gateway.calls).toHaveLength(0);

  // Extra body fields are not validated.
  await extra.fill('{"temperature": 9, "top_k": 40}');
  await runButton(app).click();
  const call = await gateway.nextCall();
  expect(call.body).toMatchObject({ temperature: 9, top_k: 40, stream: true });
  await call.finish();
  expect(gateway.calls).toHaveLength(1);
});

function literally(text: string): string {
  return text.replace(/[.()]/g, '\\$&');
}
