import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { undo, useUndo } from '../../renderer/lib/undo.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { ParameterSidebar } from '../../renderer/run/form/parameter-sidebar.tsx';
import { getDraft } from '../../renderer/run/form/parameters.ts';
import { checkDraft } from '../../renderer/run/form/validate-form.ts';
import type { FieldError } from '../../shared/errors.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import { resetForms } from './forms-fixtures.ts';
import { resetMain } from './panel-fake-main.ts';
import { Queries } from './params-fixtures.tsx';

const completion = describeOperation('completion');

function sent() {
  return checkDraft(completion, getDraft(form.state.getState().values, completion));
}

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

test('sends and counts only parameters that are set, and resets one or all with Undo', async () => {
  const screen = await sidebar();
  const changed = screen.getByText(/changed$/);
  expect(changed.elements()).toEqual([]);
  expect(sent()).toEqual({ ok: true, request: { stream: true }, extraBody: {} });
  const temperature = screen.getByRole('spinbutton', { name: 'Temperature' });
  await temperature.fill('0.7');
  await expect.element(changed).toHaveTextContent('1 changed');
  expect(sent()).toMatchObject({ request: { stream: true, temperature: 0.7 } });
  await screen.getByRole('button', { name: 'Reset Temperature' }).click();
  expect(sent()).toMatchObject({ request: { stream: true } });

  await screen.getByRole('switch', { name: 'Stream' }).click();
  expect(sent()).toMatchObject({ request: { stream: false } });
  await screen.getByRole('button', { name: 'Reset Stream' }).click();
  expect(sent()).toEqual({ ok: true, request: {}, extraBody: {} });
  await expect.element(changed).toHaveTextContent('1 changed');

  await temperature.fill('1');
  await screen.getByRole('textbox', { name: 'Extra body fields' }).fill('{"top_k": ');
  await expect.element(changed).toHaveTextContent('3 changed');
  await screen.getByRole('button', { name: 'Reset all' }).click();
  expect(sent()).toEqual({ ok: true, request: { stream: true }, extraBody: {} });
  await expect.element(changed).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Reset Temperature' }).elements()).toHaveLength(0);
  await undo(useUndo.getState().offers.at(-1)?.id ?? 0);
  expect(form.state.getState().values.extraBody).toBe('{"top_k": ');
  form.change({ extraBody: '' });
  expect(sent()).toEqual({ ok: true, request: { temperature: 1 }, extraBody: {} });
});

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

test('shows an out-of-range error at its field', async () => {
  const screen = await sidebar([], panelForms.speech);
  await expect.element(screen.getByText('0.25 to 4')).toBeVisible();
  const speed = screen.getByRole('spinbutton', { name: 'Speed' });
  await speed.fill('4.1');
  await expect.element(speed).toHaveAttribute('aria-invalid', 'true');
  await expect.element(speed).toHaveAccessibleDescription(/Enter a number from 0\.25 to 4\./);
  await speed.fill('two');
  await expect.element(screen.getByText('Enter a number.')).toBeVisible();
});

test('renames fields, and lists those that extra body fields override', async () => {
  const errors = [{ path: ['wireNames', 'seed'], message: 'Enter a field name.' }];
  const screen = await sidebar(errors, panelForms.video);
  const names = screen.getByRole('group', { name: 'API field names' });
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
  const extra = screen.getByRole('textbox', { name: 'Extra body fields' });
  await extra.fill('{"noise": 2}');
  await expect.element(screen.getByText('Overrides the field above: seed.')).toBeVisible();
  await extra.fill('[40]');
  await expect
    .element(screen.getByText('Enter a JSON object, such as {"top_k": 40}.'))
    .toBeVisible();
});
