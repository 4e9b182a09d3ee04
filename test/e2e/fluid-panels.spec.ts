import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { longestTask } from './fixtures/longest-task.ts';

// Playwright's own traces copy the whole page at every step: longer tasks than any of ours.
test.use({ trace: 'off' });

for (const events of [false, true]) {
  test(`has no long task while 100 kB stream${events ? ', the Events tab open' : ''}`, async ({
    app,
  }) => {
    test.setTimeout(120_000);
    await app.getByRole('link', { name: 'Completion' }).click();
    await app.getByRole('combobox', { name: 'Model' }).fill('demo-story-fast');
    await app.keyboard.press('Enter');
    await app.getByRole('textbox', { name: 'Prompt' }).fill('Tell me a long story');
    if (events) await app.getByRole('button', { name: 'Inspector' }).click();
    const longest = await longestTask(app, async () => {
      await app.getByRole('button', { name: 'Run', exact: true }).click();
      if (events) await app.getByRole('tab', { name: 'Events' }).click();
      const result = app.getByRole('region', { name: 'Result' });
      await result.getByText('Succeeded', { exact: true }).waitFor({ timeout: 60_000 });
    });
    expect(longest).toBeLessThan(100);
  });
}

test('reranks 2,000 documents without a long task', async ({ app }) => {
  test.setTimeout(120_000);
  await app.getByRole('link', { name: 'Rerank' }).click();
  await app.getByRole('textbox', { name: 'Query' }).fill('harbour');
  const lines = Array.from(
    { length: 2000 },
    (_, at) => `Document ${at} is about ${at % 7 === 0 ? 'the harbour' : 'the hills'} and more.`,
  );
  await app.getByRole('textbox', { name: 'Documents' }).fill(lines.join('\n'));
  await app.getByRole('radio', { name: 'Rows' }).check();
  await expect(app.getByText('2,000 documents')).toBeVisible();
  await app.getByRole('textbox', { name: 'Document 1', exact: true }).click();
  const result = app.getByRole('region', { name: 'Result' });
  const longest = await longestTask(app, async () => {
    await app.keyboard.type('typed into a row', { delay: 20 });
    await app.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(result.getByRole('listitem').first()).toContainText('the harbour');
    await result.getByRole('radio', { name: 'Table' }).check();
    await expect(result.getByRole('table')).toHaveAttribute('aria-rowcount', '2001');
  });
  expect(await app.locator('*').count()).toBeLessThan(4000);
  expect(longest).toBeLessThan(100);
});
