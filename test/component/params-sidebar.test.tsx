import { beforeEach, expect, test } from 'vitest';
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
  const screen = await sidebar([], panelForms.chat);
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
  await expect.element(screen.getByText('Unknown seed.')).toBeVisible();
  await expect.element(seed).toHaveValue('7');
});

test('shows the default of the gateway if nothing is set', async () => {
  const screen = await sidebar([], panelForms.chat);
  await expect
    .element(screen.getByRole('spinbutton', { name: 'Temperature' }))
    .toHaveAttribute('placeholder', 'Default 1');
});

test('reports a value out of limits at its field', async () => {
  const screen = await sidebar([], panelForms.speech);
  await expect.element(screen.getByText('0.25 to 4')).toBeVisible();
  const speed = screen.getByRole('spinbutton', { name: 'Speed' });
  await speed.fill('4.1');
  await expect.element(speed).toHaveAttribute('aria-invalid', 'true');
  await expect.element(speed).toHaveAccessibleDescription(/Enter a number from 0\.25 to 4\./);

  await speed.fill('two');
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
  await screen.getByRole('textbox', { name: 'Extra body fields' }).fill('{"noise": 2}');
  await expect.element(screen.getByText('Overrides the field above: seed.')).toBeVisible();
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
