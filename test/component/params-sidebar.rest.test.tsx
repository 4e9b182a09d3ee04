import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { ParameterSidebar } from '../../renderer/run/form/parameter-sidebar.tsx';
import type { FieldError } from '../../shared/errors.ts';
import { resetForms } from './forms-fixtures.ts';
import { resetMain } from './panel-fake-main.ts';
import { Queries } from './params-fixtures.tsx';

type AnyForm = (typeof panelForms)[keyof typeof panelForms];

const form = panelForms.completion;

beforeEach(() => {
  resetForms();
  resetMain();
});

async function sidebar(errors: FieldError[] = [], shown: AnyForm = form) {
  const screen = await render(
    <Queries>
      <ParameterSidebar form={shown} errors={errors} />
    </Queries>,
  );
  await expect.element(screen.getByRole('spinbutton').first()).toBeVisible();
  return screen;
}

test('shows the gateway’s default, and rare parameters under More, which opens on errors', async () => {
  const screen = await sidebar([], panelForms.chat);
  await expect
    .element(screen.getByRole('spinbutton', { name: 'Temperature' }))
    .toHaveAttribute('placeholder', 'Default 1');
  const seed = screen.getByRole('spinbutton', { name: 'Seed' });
  const more = screen.getByRole('button', { name: 'More' }).first();
  expect(seed.elements()).toEqual([]);
  await more.click();
  await seed.fill('7');
  await more.click();
  expect(seed.elements()).toEqual([]);
  await expect.element(more).toHaveAttribute('aria-expanded', 'false');
  await screen.rerender(
    <Queries>
      <ParameterSidebar
        form={panelForms.chat}
        errors={[{ path: ['seed'], message: 'Unknown seed.' }]}
      />
    </Queries>,
  );
  await expect.element(seed).toHaveAccessibleDescription(/Unknown seed\./);
  await expect.element(seed).toHaveValue('7');
});

test('renames fields, and lists those that extra JSON overrides', async () => {
  const errors = [{ path: ['wireNames', 'seed'], message: 'Enter a field name.' }];
  const screen = await sidebar(errors, panelForms.video);
  const names = screen.getByRole('group', { name: 'Field names' });
  const seed = names.getByRole('textbox', { name: 'Seed field name' });
  await expect.element(seed).toHaveAttribute('placeholder', 'seed');
  await expect.element(seed).toHaveAccessibleDescription(/Enter a field name\./);
  await seed.fill('seed');
  expect(screen.getByText(/changed$/).elements()).toEqual([]);
  await seed.fill('noise');
  await expect.element(screen.getByText('1 changed')).toBeVisible();

  const frame = names.getByRole('combobox', { name: 'First frame field name' });
  await frame.click();
  await screen.getByRole('option', { name: 'first_frame_image' }).click();
  await expect.element(frame).toHaveValue('first_frame_image');

  await screen.getByRole('spinbutton', { name: 'Seed' }).fill('1');
  const extra = screen.getByRole('textbox', { name: 'Extra JSON' });
  await extra.fill('{"noise": 2}');
  await expect.element(screen.getByText('Overrides the field above: seed.')).toBeVisible();
  await extra.fill('[40]');
  await expect
    .element(screen.getByText('Enter a JSON object, such as {"top_k": 40}.'))
    .toBeVisible();
});

test('shows an example of extra JSON that suits the operation', async () => {
  const screen = await sidebar([], panelForms.video);
  await expect
    .element(screen.getByRole('textbox', { name: 'Extra JSON' }))
    .toHaveAttribute('placeholder', '{"negative_prompt": "text, watermark"}');
});
