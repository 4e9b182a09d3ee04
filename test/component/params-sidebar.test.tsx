import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { undo, useUndo } from '../../renderer/lib/undo.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { ParameterSidebar } from '../../renderer/run/form/parameter-sidebar.tsx';
import { getDraft } from '../../renderer/run/form/parameters.ts';
import { checkDraft } from '../../renderer/run/form/validate-form.ts';
import type { FieldError } from '../../shared/errors.ts';
import { resetForms } from './forms-fixtures.ts';
import { resetMain } from './panel-fake-main.ts';
import { completion, Queries } from './params-fixtures.tsx';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));
vi.mock('../../shared/operations/form/describe.ts', async () => ({
  describeOperation: () => completion,
}));

function sent() {
  return checkDraft(completion, getDraft(form.state.getState().values, completion));
}

const form = panelForms.completion;

beforeEach(() => {
  resetForms();
  resetMain();
});

async function sidebar(errors: FieldError[] = []) {
  const screen = await render(
    <Queries>
      <ParameterSidebar form={form} errors={errors} />
    </Queries>,
  );
  await expect.element(screen.getByRole('spinbutton', { name: 'Temperature' })).toBeVisible();
  return screen;
}

test('sends only what is set, and counts what differs from the defaults', async () => {
  const screen = await sidebar();
  expect(screen.getByText(/changed$/).elements()).toEqual([]);
  expect(sent()).toEqual({ ok: true, request: { stream: true }, extraBody: {} });

  await screen.getByRole('spinbutton', { name: 'Temperature' }).fill('0.7');
  await expect.element(screen.getByText('1 changed')).toBeVisible();
  expect(sent()).toMatchObject({ request: { stream: true, temperature: 0.7 } });

  await screen.getByRole('button', { name: 'Reset Temperature' }).click();
  expect(sent()).toMatchObject({ request: { stream: true } });
});

test('shows rarely used parameters under More, which opens if one has a problem', async () => {
  const screen = await sidebar();
  const user = screen.getByRole('textbox', { name: 'User' });
  const more = screen.getByRole('button', { name: 'More' });
  expect(user.elements()).toEqual([]);
  await more.click();
  await user.fill('u1');
  await more.click();
  expect(user.elements()).toEqual([]);
  await expect.element(more).toHaveAttribute('aria-expanded', 'false');
  await screen.rerender(
    <Queries>
      <ParameterSidebar form={form} errors={[{ path: ['user'], message: 'Unknown user.' }]} />
    </Queries>,
  );
  await expect.element(screen.getByText('Unknown user.')).toBeVisible();
  await expect.element(user).toHaveValue('u1');
});

test('shows the default of the gateway if nothing is set', async () => {
  const screen = await sidebar();
  await expect
    .element(screen.getByRole('spinbutton', { name: 'Temperature' }))
    .toHaveAttribute('placeholder', 'Default 1');
  await expect.element(screen.getByText('0 to 2')).toBeVisible();
});

test('reports a value out of limits at its field', async () => {
  const screen = await sidebar();
  const temperature = screen.getByRole('spinbutton', { name: 'Temperature' });
  await temperature.fill('2.1');
  await expect.element(temperature).toHaveAttribute('aria-invalid', 'true');
  await expect.element(temperature).toHaveAccessibleDescription(/Enter a number from 0 to 2\./);
  expect(sent()).toMatchObject({ ok: false });

  await temperature.fill('two');
  await expect.element(screen.getByText('Enter a number.')).toBeVisible();
});

test('sets a switch both ways and resets it', async () => {
  const screen = await sidebar();
  await screen.getByRole('switch', { name: 'Stream' }).click();
  expect(sent()).toMatchObject({ request: { stream: false } });
  await screen.getByRole('button', { name: 'Reset Stream' }).click();
  expect(sent()).toEqual({ ok: true, request: {}, extraBody: {} });
  await expect.element(screen.getByText('1 changed')).toBeVisible();
});

test('accepts extra body fields, names the fields they override, and rejects anything but an object', async () => {
  const screen = await sidebar();
  const extra = screen.getByRole('textbox', { name: 'Extra body fields' });
  await screen.getByRole('spinbutton', { name: 'Temperature' }).fill('1');
  await extra.fill('{"temperature": 5, "top_k": 40}');
  await expect.element(screen.getByText('Overrides the field above: temperature.')).toBeVisible();
  expect(sent()).toEqual({
    ok: true,
    request: { stream: true, temperature: 1 },
    extraBody: { temperature: 5, top_k: 40 },
  });
  await extra.fill('[40]');
  await expect
    .element(screen.getByText('Enter a JSON object, such as {"top_k": 40}.'))
    .toBeVisible();
});

test('shows a reported error at its field', async () => {
  const errors = [{ path: ['n'], message: 'Enter 1 or more.' }];
  const screen = await sidebar(errors);
  await expect
    .element(screen.getByRole('spinbutton', { name: 'Choices (n)' }))
    .toHaveAccessibleDescription(/Enter 1 or more\./);
});

test('renames fields and reports an invalid name at its field', async () => {
  const errors = [{ path: ['wireNames', 'n'], message: 'Enter a field name.' }];
  const screen = await sidebar(errors);
  const names = screen.getByRole('group', { name: 'API field names' });
  const choices = names.getByRole('textbox', { name: 'Choices (n) field name' });
  await expect.element(choices).toHaveAttribute('placeholder', 'n');
  await expect.element(choices).toHaveAccessibleDescription(/Enter a field name\./);
  await choices.fill('n');
  expect(screen.getByText(/changed$/).elements()).toEqual([]);
  await choices.fill('count');
  await expect.element(screen.getByText('1 changed')).toBeVisible();

  const temperature = names.getByRole('combobox', { name: 'Temperature field name' });
  await temperature.click();
  await screen.getByRole('option', { name: 'temp' }).click();
  await expect.element(temperature).toHaveValue('temp');

  await screen.getByRole('spinbutton', { name: 'Temperature' }).fill('1');
  await screen.getByRole('textbox', { name: 'Extra body fields' }).fill('{"temp": 2}');
  await expect.element(screen.getByText('Overrides the field above: temperature.')).toBeVisible();
});

test('resets everything to the defaults', async () => {
  const screen = await sidebar();
  await screen.getByRole('spinbutton', { name: 'Temperature' }).fill('1');
  await screen.getByRole('textbox', { name: 'Extra body fields' }).fill('{"top_k": ');
  await expect.element(screen.getByText('2 changed')).toBeVisible();
  await screen.getByRole('button', { name: 'Reset all' }).click();
  expect(sent()).toEqual({ ok: true, request: { stream: true }, extraBody: {} });
  await expect.element(screen.getByText(/changed$/)).not.toBeInTheDocument();
  expect(page.getByRole('button', { name: 'Reset Temperature' }).elements()).toHaveLength(0);
  await undo(useUndo.getState().offers.at(-1)?.id ?? 0);
  expect(form.state.getState().values.extraBody).toBe('{"top_k": ');
  form.change({ extraBody: '' });
  expect(sent()).toMatchObject({ request: { stream: true, temperature: 1 } });
});
