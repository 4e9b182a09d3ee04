import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNothing } from './fixtures/axe.ts';
import { checkComparison } from './fixtures/compared.ts';
import { test } from './fixtures/gateway-app.ts';
import { jsonReply, type ScriptedGateway } from './fixtures/scripted-gateway.ts';

const picture = readFileSync('test/screenshots/image-light.png').toString('base64');
const drawn = jsonReply('200 OK', {
  candidates: [
    {
      content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: picture } }] },
      finishReason: 'STOP',
    },
  ],
});
const failed = jsonReply('500 Internal Server Error', { error: { message: 'The model crashed.' } });

/** Answers the given number of requests; the first `failures` requests to `quick-model` fail. */
async function answer(gateway: ScriptedGateway, count: number, failures: number): Promise<void> {
  let left = failures;
  for (let at = 0; at < count; at += 1) {
    const call = await gateway.nextCall();
    const fails = call.path.includes('quick-model') && left > 0;
    if (fails) left -= 1;
    await call.reply(fails ? failed : drawn);
  }
}

async function chooseModel(app: Page, at: number, model: string): Promise<void> {
  const bar = app.getByRole('region', { name: 'Variants' });
  await bar
    .getByRole('button', { name: /^Edit / })
    .nth(at)
    .click();
  const field = app.getByRole('dialog', { name: 'Edit variant' }).getByRole('combobox', {
    name: 'Model',
  });
  await field.fill(model);
  await field.press('Enter');
  await app.keyboard.press('Escape');
  await expect(bar.getByRole('group', { name: model })).toBeVisible();
}

test('compares two models on two prompts, retries failures, and compares two images by keyboard', async ({
  app,
  gateway,
}) => {
  await app.getByRole('link', { name: 'Image', exact: true }).click();
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A gatehouse at dusk');
  await app.getByRole('button', { name: 'Compare', exact: true }).click();
  await chooseModel(app, 0, 'steady-model');
  await chooseModel(app, 1, 'quick-model');
  await app.getByRole('button', { name: 'Prompts: 1' }).click();
  await app.getByRole('textbox', { name: 'More prompts' }).fill('A lighthouse in fog\n\n');
  await expectNothing(app, 'image: more prompts');
  await app.keyboard.press('Escape');
  await expect(app.getByRole('button', { name: 'Prompts: 2' })).toBeFocused();
  await expect(app.getByText('4 requests', { exact: true })).toBeVisible();

  const answered = answer(gateway, 4, 2);
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await answered;
  const sheet = app.getByRole('region', { name: 'Comparison' });
  await expect(sheet.getByText('4 of 4 requests done · 2 failed')).toBeVisible();
  const prompts = gateway.calls.map(({ body }) => JSON.stringify(body.contents));
  expect(prompts.filter((words) => words.includes('dusk'))).toHaveLength(2);
  expect(prompts.filter((words) => words.includes('fog'))).toHaveLength(2);
  const cell = (model: string, prompt: string) =>
    sheet.getByRole('article', { name: `${model}, ${prompt}` });
  await expect(cell('quick-model', 'A lighthouse in fog').getByRole('alert')).toBeVisible();

  const again = answer(gateway, 2, 0);
  await sheet.getByRole('button', { name: 'Retry failed' }).click();
  await again;
  await expect(sheet.getByText('4 of 4 requests done', { exact: true })).toBeVisible();
  expect(gateway.calls.slice(4).every(({ path }) => path.includes('quick-model'))).toBe(true);
  const drawing = cell('quick-model', 'A lighthouse in fog');
  await expect(drawing.getByText(/ · PNG · /)).toBeVisible();
  await checkComparison(app, 'image');
  // Two rows must fit the window, and no column may be wider than its images.
  const rows = sheet.getByRole('region', { name: /^A / });
  await expect(rows).toHaveCount(2);
  // Cells grow with the text of their answers.
  await expect
    .poll(async () => {
      await rows.first().evaluate((row) => row.scrollIntoView());
      return sheet.getByRole('img').evaluateAll((images) =>
        images.every((image) => {
          const { top, bottom } = image.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        }),
      );
    })
    .toBe(true);
  const widthOf = async (one: Locator) => (await one.boundingBox())?.width ?? 0;
  expect(await widthOf(drawing)).toBeLessThan((await widthOf(drawing.getByRole('img'))) + 40);

  await cell('steady-model', 'A gatehouse at dusk')
    .getByRole('button', { name: /^Open / })
    .focus();
  await app.keyboard.press('Enter');
  const full = (name: string) => app.getByRole('dialog', { name });
  await expect(full('steady-model, A gatehouse at dusk')).toBeVisible();
  await expectNothing(app, 'image: the full view of a comparison');
  await app.keyboard.press('ArrowRight');
  await expect(full('quick-model, A gatehouse at dusk')).toBeVisible();
  await app.keyboard.press('ArrowDown');
  await app.keyboard.press('ArrowLeft');
  const last = full('steady-model, A lighthouse in fog');
  await expect(last.getByRole('status').filter({ hasText: 'steady-model' })).toBeAttached();

  await last.getByRole('button', { name: 'Compare with…' }).press('Enter');
  const wipe = full('Compare with slider');
  const divider = wipe.getByRole('slider', { name: 'Divider' });
  await expect(divider).toBeFocused();
  await expectNothing(app, 'image: a wipe');
  await app.keyboard.press('End');
  await expect(divider).toHaveValue('100');
  await app.keyboard.press('ArrowLeft');
  await expect(divider).toHaveValue('99');
  await wipe
    .getByRole('combobox', { name: 'Right' })
    .selectOption('quick-model, A gatehouse at dusk');
  await expect(wipe.getByRole('img', { name: 'quick-model, A gatehouse at dusk' })).toBeAttached();
  await app.keyboard.press('Escape');
  await expect(wipe).toBeHidden();

  // Blind mode must hide the names in the full view too.
  await sheet.getByRole('switch', { name: 'Blind' }).press('Space');
  await sheet.getByRole('button', { name: 'Compare with slider' }).press('Enter');
  await expect(wipe.getByRole('combobox', { name: 'Left' })).toContainText(
    'A, A gatehouse at dusk',
  );
  await expect(wipe).not.toContainText('model');
});
