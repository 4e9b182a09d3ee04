import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { answers, chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { openColumns } from './fixtures/compared.ts';
import { LOW } from './fixtures/layout.ts';

// A busy machine needs time to stop the slow model before it ends.
test.use({ demoSpeed: 0.4 });

const comparison = (app: Page) => app.getByRole('region', { name: 'Comparison' });
const column = (app: Page, name: string) =>
  comparison(app).getByRole('group', { name, exact: true });

test('keeps columns running across a reload, shows them as tabs, and continues with one', async ({
  app,
}) => {
  await app.setViewportSize({ width: 1920, height: 1080 });
  await openColumns(app, ['demo-think', 'demo-story-slow', 'demo-flaky', 'demo-story-brief']);
  await sendMessage(app, 'Who keeps the gate?');
  const think = column(app, 'demo-think');
  await expect(think.getByRole('article', { name: 'assistant' })).toBeVisible();
  await app.reload();
  await expect(comparison(app).getByText('1 failed')).toBeVisible();
  await expect(column(app, 'demo-flaky').getByRole('alert').first()).toBeVisible();
  await column(app, 'demo-story-slow')
    .getByRole('button', { name: 'Stop demo-story-slow' })
    .click();
  await expect(
    comparison(app).getByText('4 of 4 requests done · 1 failed · 1 stopped'),
  ).toBeVisible();

  await sendMessage(app, 'And by night?');
  // Wait for the other answer so that this stops only the slow one.
  await expect(
    think
      .getByRole('article', { name: 'assistant' })
      .nth(1)
      .getByRole('button', { name: 'Details' }),
  ).toBeVisible();
  await app.getByRole('button', { name: 'Stop all' }).click();
  await expect(comparison(app).getByText('8 of 8 requests done')).toBeVisible();
  await expectNothing(app, 'columns of a chat');

  await comparison(app).getByRole('button', { name: 'Scroll together' }).press('Space');
  await comparison(app).getByRole('button', { name: 'Diff', exact: true }).press('Enter');
  const dialog = app.getByRole('dialog', { name: 'Differences' });
  await expect(dialog.getByRole('region', { name: /^Differences between/ })).toBeVisible();
  await expectNothing(app, 'differences of two answers');
  await app.keyboard.press('Escape');
  const blind = comparison(app).getByRole('switch', { name: 'Blind' });
  await blind.press('Space');
  await expect(comparison(app).getByRole('group', { name: 'A', exact: true })).toBeVisible();
  await expect(comparison(app).getByText('demo-think')).toHaveCount(0);
  await blind.press('Space');

  await app.setViewportSize(LOW);
  // The page mounts only the selected column.
  await expect(comparison(app).getByRole('log')).toHaveCount(1);
  await expect(comparison(app).getByRole('tab', { name: /^demo-flaky Failed/ })).toBeVisible();
  const tabs = comparison(app).getByRole('tab');
  await tabs.first().press('End');
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  await expectNothing(app, 'a column of a chat as a tab');
  await tabs.filter({ hasText: 'demo-think' }).click();
  await think.getByRole('button', { name: 'Continue with this model' }).press('Enter');
  await expect(comparison(app)).toHaveCount(0);
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-think');
  // Keep the other answers as siblings of this one.
  const first = answers(app).first();
  await expect(first).toContainText('demo-think · compared with demo-story-slow, demo-flaky');
  await first.getByRole('button', { name: 'Next version' }).click();
  await expect(first).toContainText('demo-story-slow · compared with demo-think, demo-flaky');
  await first.getByRole('button', { name: 'Previous version' }).click();
  await chooseModel(app, 'demo-echo');
  await sendMessage(app, 'Thank you.');
  await expect(answers(app).last()).toContainText('received 5 messages');
});
