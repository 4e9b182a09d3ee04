import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { ownedFields } from '../../renderer/features/chat/session/request-options.ts';
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

async function sidebar(
  errors: FieldError[] = [],
  shown: AnyForm = form,
  owned: readonly string[] = [],
) {
  const screen = await render(
    <Queries>
      <ParameterSidebar form={shown} errors={errors} owned={owned} />
    </Queries>,
  );
  await expect.element(screen.getByRole('spinbutton').first()).toBeVisible();
  return screen;
}

test('shows the gateway’s default, what is set, and the rest under More, which opens on errors', async () => {
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
  await expect.element(more).toHaveAttribute('aria-expanded', 'false');
  await expect.element(seed).toHaveValue('7');
  // A field doesn't go while it is edited.
  await seed.fill('');
  await seed.fill('8');
  await more.click();
  await seed.fill('');
  await more.click();
  await expect.element(seed).not.toBeInTheDocument();
  await screen.rerender(
    <Queries>
      <ParameterSidebar
        form={panelForms.chat}
        errors={[{ path: ['seed'], message: 'Unknown seed.' }]}
      />
    </Queries>,
  );
  await expect.element(seed).toHaveAccessibleDescription(/Unknown seed\./);
});

test('shows four parameters of Chat, with the token limit that the format takes', async () => {
  const { container } = await sidebar([], panelForms.chat, ownedFields);
  const fields = () =>
    [...container.querySelectorAll<HTMLElement>('[data-field]')].map(
      ({ dataset }) => dataset.field,
    );
  expect(fields().toSorted()).toEqual(['max_tokens', 'reasoning_effort', 'stream', 'temperature']);
  panelForms.chat.change({ params: { format: { value: 'responses' } } });
  await expect.poll(fields).toContain('max_completion_tokens');
  expect(fields()).not.toContain('max_tokens');
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
  await screen.getByRole('button', { name: 'More' }).first().click();
  await expect
    .element(screen.getByRole('textbox', { name: 'Extra JSON' }))
    .toHaveAttribute('placeholder', '{"negative_prompt": "text, watermark"}');
});
