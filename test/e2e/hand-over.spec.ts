import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

const result = (app: Page) => app.getByRole('region', { name: 'Result' });
const run = (app: Page) => app.getByRole('button', { name: 'Run', exact: true });

async function sendTo(app: Page, panel: string): Promise<void> {
  await result(app).getByRole('button', { name: 'Send to', exact: true }).last().click();
  await app.getByRole('menuitem', { name: `Send to ${panel}` }).click();
}

test('a sound is sent to transcription and chat, its transcript to rerank and chat', async ({
  app,
}) => {
  await openPanel(app, 'Speech');
  await app
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('The gate is open. Mind the step.');
  await run(app).click();
  await expect(result(app).getByText('Succeeded')).toBeVisible();
  await sendTo(app, 'chat');
  await expect(app.getByText(/attached to your message/)).toBeVisible();
  await expect(app.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();

  await openPanel(app, 'Speech');
  await sendTo(app, 'transcription');
  await expect(app.getByText('Audio added')).toBeVisible();
  await expect(run(app)).toBeFocused();
  await app.keyboard.press('Enter');
  await expect(result(app).getByText('Succeeded')).toBeVisible();

  await sendTo(app, 'rerank');
  await expect(app.getByText(/^\d+ documents? added$/)).toBeVisible();
  await expect(app.getByRole('textbox', { name: 'Query' })).toBeFocused();
  await expect(app.getByRole('textbox', { name: 'Documents' })).not.toHaveValue('');
  // The offers of the panels that were left are notifications by now.
  await app.getByRole('main').getByRole('button', { name: 'Undo' }).click();
  await expect(app.getByRole('textbox', { name: 'Documents' })).toHaveValue('');

  await openPanel(app, 'Transcription');
  await sendTo(app, 'chat');
  await expect(app.getByText('Text added to your message')).toBeVisible();
  await expect(app.getByRole('textbox', { name: 'Message', exact: true })).not.toHaveValue('');
});
