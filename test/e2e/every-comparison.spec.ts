/** Visits the comparison of each panel once with axe, and checks that nothing is cut off. */
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing, expectNothingInDialog } from './fixtures/axe.ts';
import { compareField, comparison, fillVariants, runCompared } from './fixtures/compared.ts';
import { expectNothingCut, LOW, USUAL } from './fixtures/layout.ts';
import { showResult } from './fixtures/panel-results.ts';

test.describe.configure({ timeout: 300_000 });
test.use({ demoSpeed: 20 });

test('Completion: axe finds nothing in comparisons, and nothing is cut off', async ({ app }) => {
  await showResult(app, 'Completion');
  const choices = app.getByRole('spinbutton', { name: 'Choices (n)' });
  // The text that two answers share is shown if each variant has one choice.
  await choices.fill('1');
  await app.getByRole('button', { name: 'Compare', exact: true }).click();
  await runCompared(app, 2);
  await expect(comparison(app).getByText('The texts are identical.')).toBeVisible();
  await expectNothing(app, 'completion: the same twice');
  await comparison(app).getByRole('button', { name: 'Compare two' }).click();
  await expectNothingInDialog(app, 'completion: two continuations');
  await choices.fill('3');
  await fillVariants(app, 'Max tokens', '20, 40, 60');
  await runCompared(app, 3);
  await check(app, 'completion');
});

test('Image: axe finds nothing in a comparison, and nothing is cut off', async ({ app }) => {
  await showResult(app, 'Image');
  await compareField(app, 'Aspect ratio', '1:1, 16:9, 9:16');
  await runCompared(app, 3);
  await check(app, 'image');
  await app.getByRole('button', { name: 'Prompts: 1' }).click();
  await expectNothingInDialog(app, 'image: more prompts');
  await comparison(app)
    .getByRole('button', { name: /^Open image/ })
    .first()
    .click();
  await expectNothingInDialog(app, 'image: the full view of a comparison');
  await comparison(app).getByRole('button', { name: 'Compare with slider' }).click();
  await expectNothingInDialog(app, 'image: a wipe');
});

test('Video: axe finds nothing in a comparison, and nothing is cut off', async ({ app }) => {
  await showResult(app, 'Video');
  await compareField(app, 'Duration', '1, 2, 3');
  await runCompared(app, 3);
  await check(app, 'video');
  await comparison(app).getByRole('button', { name: 'Play in sync' }).click();
  await expect(app.getByRole('dialog').locator('video')).toHaveCount(3);
  await expectNothingInDialog(app, 'video: in step');
});

test('Rerank: axe finds nothing in a comparison, and nothing is cut off', async ({ app }) => {
  await showResult(app, 'Rerank');
  await compareField(app, 'Top n', '1, 2, 3');
  await runCompared(app, 3);
  const rankings = comparison(app).getByRole('region', { name: 'Ranking comparison' });
  await rankings
    .getByRole('button', { name: /^Label document \d+ as 2/ })
    .first()
    .click();
  await check(app, 'rerank');
});

test('Speech: axe finds nothing in a comparison, and nothing is cut off', async ({ app }) => {
  await showResult(app, 'Speech');
  await compareField(app, 'Speed', '1, 1.2, 1.4');
  await app
    .getByRole('button', { name: /^Edit / })
    .first()
    .click();
  await expectNothingInDialog(app, 'speech: a variant');
  await app.getByRole('button', { name: 'From a list…' }).click();
  await expectNothingInDialog(app, 'speech: the list of variants');
  await runCompared(app, 3);
  await check(app, 'speech');
  const blind = comparison(app).getByRole('switch', { name: 'Blind' });
  await blind.click();
  await expect(comparison(app).getByRole('radiogroup', { name: 'Best' })).toBeVisible();
  await expectNothing(app, 'speech: compared blind');
  await blind.click();
  await comparison(app).getByText('Metrics', { exact: true }).click();
  await expect(comparison(app).getByRole('table', { name: 'Metrics' })).toBeVisible();
  await expectNothing(app, 'speech: figures');
});

test('Transcription: axe finds nothing in a comparison, and nothing is cut off', async ({
  app,
}) => {
  // It transcribes the audio of the Speech panel.
  await showResult(app, 'Speech');
  await showResult(app, 'Transcription');
  await compareField(app, 'Temperature', '0, 0.5, 1');
  await runCompared(app, 3);
  await comparison(app).getByRole('textbox', { name: 'Reference text' }).fill('The gate is open.');
  await expect(comparison(app).getByRole('region', { name: 'Aligned transcripts' })).toBeVisible();
  await check(app, 'transcription');
});

/** The results at both sizes, and the figures in the smaller one. */
async function check(app: Page, what: string): Promise<void> {
  await expectNothingCut(app, `${what}: compared, at 1360`);
  await expectNothing(app, `${what}: compared`);
  await app.setViewportSize(LOW);
  await expectNothingCut(app, `${what}: compared, at 960`);
  await comparison(app).getByText('Metrics', { exact: true }).click();
  await expectNothingCut(app, `${what}: figures, at 960`);
  await app.setViewportSize(USUAL);
  await comparison(app).getByText('Results', { exact: true }).click();
}
