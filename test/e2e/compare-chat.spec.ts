import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { answers, chooseModel, messageBox, sendMessage } from './fixtures/chat-page.ts';
import { openColumns } from './fixtures/compared.ts';

test.use({ demoSpeed: 20 });

const comparison = (app: Page) => app.getByRole('region', { name: 'Comparison' });
const column = (app: Page, name: string) =>
  comparison(app).getByRole('group', { name, exact: true });

test.describe('while a slow model answers', () => {
  test.use({ demoSpeed: 1 });

  test('runs three columns through two turns, one failing, with a reload in the middle', async ({
    app,
  }) => {
    await openColumns(app, ['demo-echo', 'demo-story-slow', 'demo-flaky']);
    await sendMessage(app, 'Who keeps the gate?');

    // The slow column is still answering when the page reloads.
    await expect(
      column(app, 'demo-echo').getByRole('article', { name: 'assistant' }),
    ).toContainText('Who keeps the gate?');
    await app.reload();
    await expect(comparison(app).getByText('1 failed')).toBeVisible();
    await expect(column(app, 'demo-flaky').getByRole('alert').first()).toBeVisible();
    await column(app, 'demo-story-slow')
      .getByRole('button', { name: 'Stop demo-story-slow' })
      .click();
    await expect(
      comparison(app).getByText('3 of 3 requests done · 1 failed · 1 stopped'),
    ).toBeVisible();

    await sendMessage(app, 'And by night?');
    const slow = column(app, 'demo-story-slow');
    await expect(slow.getByRole('article', { name: 'user' })).toHaveCount(2);
    const echo = column(app, 'demo-echo');
    // Wait until the failing column has ended, so that this stops only the slow one.
    await expect(
      echo
        .getByRole('article', { name: 'assistant' })
        .nth(1)
        .getByText('Total time', { exact: true }),
    ).toBeVisible();
    await app.getByRole('button', { name: 'Stop all' }).click();
    await expect(comparison(app).getByText('6 of 6 requests done')).toBeVisible();
    await expect(echo.getByRole('article', { name: 'assistant' })).toHaveCount(2);

    await echo.getByRole('button', { name: 'Continue with this model' }).click();
    await expect(comparison(app)).toHaveCount(0);
    await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-echo');
    await expect(answers(app)).toHaveCount(2);
    // The other answers are siblings of this one.
    const first = answers(app).first();
    await expect(first).toContainText('demo-echo · compared with demo-story-slow, demo-flaky');
    await first.getByRole('button', { name: 'Next version' }).click();
    await expect(first).toContainText('demo-story-slow · compared with demo-echo, demo-flaky');
    await first.getByRole('button', { name: 'Previous version' }).click();
    await expect(first).toContainText('Who keeps the gate?');
    await sendMessage(app, 'Thank you.');
    await expect(answers(app).last()).toContainText('received 5 messages');
  });
});

test('shows columns as tabs in a small window, by keyboard only, without axe findings', async ({
  app,
}) => {
  await app.setViewportSize({ width: 960, height: 600 });
  await chooseModel(app, 'demo-story-brief');
  await app.getByRole('button', { name: 'Compare', exact: true }).press('Enter');
  const add = app.getByRole('button', { name: 'Add variant' });
  for (const name of ['demo-story-brief', 'demo-flaky', 'demo-think']) {
    // The second variant's editor opens by itself.
    if (name !== 'demo-story-brief') await add.press('Enter');
    const picker = app
      .getByRole('dialog', { name: 'Edit variant' })
      .getByRole('combobox', { name: 'Model' });
    await picker.fill(name);
    await picker.press('Enter');
    await app.keyboard.press('Escape');
    await expect(app.getByRole('group', { name }).last()).toBeVisible();
  }
  await messageBox(app).fill('One for all');
  await messageBox(app).press('ControlOrMeta+Enter');
  await expect(comparison(app).getByText('4 of 4 requests done')).toBeVisible();

  // Only the selected column is mounted.
  await expect(comparison(app).getByRole('log')).toHaveCount(1);
  const failed = comparison(app).getByRole('tab', { name: 'demo-flaky Failed', exact: true });
  await expect(failed).toBeVisible();
  await comparison(app).getByRole('tab').first().press('End');
  const think = column(app, 'demo-think');
  await expect(think.getByRole('article', { name: 'assistant' })).toBeVisible();
  await expectNothing(app, 'a column of a chat as a tab');

  await app.setViewportSize({ width: 1920, height: 1080 });
  await expect(comparison(app).getByRole('log')).toHaveCount(4);
  await expectNothing(app, 'columns of a chat');
  await comparison(app).getByRole('button', { name: 'Scroll together' }).press('Space');
  await comparison(app).getByRole('button', { name: 'Diff', exact: true }).press('Enter');
  const dialog = app.getByRole('dialog', { name: 'Differences' });
  await expect(dialog.getByRole('region', { name: /^Differences between/ })).toBeVisible();
  await expectNothing(app, 'differences of two answers');
  await app.keyboard.press('Escape');
  await comparison(app).getByRole('switch', { name: 'Blind' }).press('Space');
  await expect(comparison(app).getByRole('group', { name: 'A', exact: true })).toBeVisible();
  await expect(comparison(app).getByText('demo-think')).toHaveCount(0);
  await comparison(app).getByRole('switch', { name: 'Blind' }).press('Space');

  await think.getByRole('button', { name: 'Continue with this model' }).press('Enter');
  await expect(comparison(app)).toHaveCount(0);
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-think');
  await app.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(column(app, 'demo-think')).toBeVisible();
});
