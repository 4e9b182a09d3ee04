import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { jsonReply, startScriptedGateway } from './fixtures/scripted-gateway.ts';

const model = (app: Page) => app.getByRole('combobox', { name: 'Model' });
const connection = (app: Page) => app.getByRole('combobox', { name: 'Connection' });
const row = (app: Page, name: RegExp) =>
  app.getByRole('listbox', { name: 'Model' }).getByRole('option', { name });

const list = jsonReply('200 OK', {
  object: 'list',
  data: [
    {
      id: 'vendor/eagle',
      context_length: 128_000,
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      pricing: { prompt: '0.00000015', completion: '0.0000006' },
      supported_parameters: ['tools'],
    },
    {
      id: 'vendor/painter',
      architecture: { input_modalities: ['text'], output_modalities: ['image'] },
    },
  ],
});

test('one picker finds, stars and describes the models of all connections, by keyboard', async ({
  app,
}) => {
  const gateway = await startScriptedGateway();
  gateway.answerList(list);
  try {
    await app.getByRole('button', { name: 'Connect your gateway' }).click();
    const dialog = app.getByRole('dialog', { name: 'Add connection' });
    await dialog.getByRole('textbox', { name: 'Base URL' }).fill(gateway.url);
    await app.keyboard.press('Enter');
    await expect(model(app)).toHaveValue('vendor/eagle');
    await model(app).press('ArrowDown');
    await expect(row(app, /vendor\/eagle.*128K.*\$0\.15 \/ \$0\.60.*vision.*tools/)).toBeVisible();
    await expect(row(app, /painter/)).toHaveCount(0);
    await expectNothing(app, 'the open model picker');

    await app.keyboard.press('Tab');
    await expect(app.getByRole('switch', { name: /^Show all models/ })).toBeFocused();
    await app.keyboard.press('Space');
    await expect(row(app, /painter/)).toBeVisible();
    await app.keyboard.press('Escape');
    await expect(model(app)).toBeFocused();

    await app.keyboard.press('ArrowDown');
    await app.keyboard.type('demo-echo');
    await app.keyboard.press('Shift+Enter');
    await expect(row(app, /demo-echo.*favorite/)).toBeVisible();
    await app.keyboard.press('Enter');
    await expect(model(app)).toHaveValue('demo-echo');
    await expect(connection(app)).toHaveValue('demo');

    await app.reload();
    await model(app).press('ArrowDown');
    await expect(app.getByText('Favorites', { exact: true })).toBeVisible();
    await expect(
      app.getByRole('listbox', { name: 'Model' }).getByRole('option').first(),
    ).toContainText('demo-echo');
  } finally {
    await gateway.close();
  }
});
