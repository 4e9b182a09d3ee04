import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';

test.use({ demoSpeed: 20 });

test('offers several continuations, with suffix, echo and stop', async ({ app }) => {
  await app.getByRole('link', { name: 'Completion' }).click();
  await app.getByRole('textbox', { name: 'Prompt' }).fill('The lighthouse keeper');
  await app.getByRole('textbox', { name: 'Suffix' }).fill('and that was all.');
  await app.getByRole('spinbutton', { name: 'Choices (n)' }).fill('3');
  await app.getByRole('spinbutton', { name: 'Max tokens' }).fill('40');
  await app.getByRole('switch', { name: 'Echo' }).click();
  await app.getByRole('textbox', { name: 'Stop sequence' }).fill('zzz');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(result).toContainText('The lighthouse keeper');
  await expect(result).toContainText('and that was all.');
  await expect(result).toContainText('1 / 3');
  const first = await result.innerText();
  await result.getByRole('button', { name: 'Next choice' }).click();
  await expect(result).toContainText('2 / 3');
  expect(await result.innerText()).not.toBe(first);

  await result.getByRole('button', { name: 'Inspect' }).click();
  await app.getByRole('tab', { name: 'Code' }).click();
  const code = app.getByRole('region', { name: 'Code', exact: true });
  await expect(code).toContainText('curl');
  await code.getByRole('radio', { name: 'Python' }).check();
  await expect(code).toContainText('import requests');
  await code.getByRole('radio', { name: 'TypeScript' }).check();
  await expect(code).toContainText('await fetch(');
});
