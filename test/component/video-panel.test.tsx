import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, userEvent } from 'vitest/browser';

import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { medium } from '../fixtures/medium.ts';
import { main } from './panel-fake-main.ts';
import { openVideoPanel, resetVideoPanel } from './video-fixtures.tsx';

beforeEach(resetVideoPanel);

async function addUrl(slot: Locator, url: string): Promise<void> {
  await slot.getByRole('button', { name: 'URL' }).click();
  await slot.getByRole('textbox', { name: 'Image URL or base64' }).fill(url);
  await userEvent.keyboard('{Enter}');
}

const url = (name: string | number) => `https://example.com/${name}.png`;
const [first, last] = [url('first'), url('last')];
const references = [1, 2, 3].map(url);

test('sends frames, references and extra parameters under the form’s field names', async () => {
  panelForms.video.change({ input: { prompt: 'A boat', image: first, lastFrame: last } });
  const screen = await openVideoPanel();
  const slot = (name: string) => screen.getByRole('group', { name, exact: true });
  for (const reference of references) await addUrl(slot('References'), reference);
  await slot('References')
    .getByRole('button', { name: `Remove ${references[1]}` })
    .click();
  await expect
    .element(slot('Last frame').getByRole('button', { name: 'Attach' }))
    .not.toBeInTheDocument();
  await screen.getByRole('textbox', { name: 'Value of parameter 1' }).fill('fog');
  await screen.getByRole('textbox', { name: 'Seed field name' }).fill('random_seed');
  await screen.getByRole('combobox', { name: 'First frame field name' }).fill('frame_images');
  await screen.getByRole('combobox', { name: 'Last frame field name' }).fill('frame_images');
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toMatchObject({
    request: {
      ...{ model: 'demo-model', prompt: 'A boat', image: first, last_frame: last },
      images: [references[0], references[2]],
      metadata: { negative_prompt: 'fog' },
    },
    wireNames: { seed: 'random_seed', image: 'frame_images', last_frame: 'frame_images' },
    follow: null,
  });
});

test('accepts bare base64 without a prompt, and keeps focus in its slot', async () => {
  const base64 = `${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(4)}AA==`;
  const screen = await openVideoPanel();
  const slot = screen.getByRole('group', { name: 'First frame' });
  await slot.getByRole('button', { name: 'URL' }).click();
  const field = slot.getByRole('textbox', { name: 'Image URL or base64' });
  await expect.element(field).toHaveFocus();
  await field.fill('not base64');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAccessibleDescription(/full URL/);
  await field.fill(base64);
  await userEvent.keyboard('{Enter}');
  await expect.element(slot.getByRole('button', { name: /^Remove / })).toHaveFocus();
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toEqual({ model: 'demo-model', image: base64 });
  slot
    .getByRole('button', { name: /^Remove / })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(slot.getByRole('button', { name: 'Attach' })).toHaveFocus();
});

test('restores a replaced or removed first frame and a removed parameter', async () => {
  const { rows } = panelForms.video.state.getState().values.input;
  const parameters = [...rows, { name: 'steps', value: '30' }];
  panelForms.video.change({ input: { image: first, rows: parameters } });
  const screen = await openVideoPanel();
  const undo = screen.getByRole('button', { name: 'Undo' });
  sendToPanel('video', { kind: 'media', media: medium({ kind: 'image', type: 'image/png' }) });
  await expect.element(screen.getByText('First frame replaced')).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  await undo.click();
  await screen.getByRole('button', { name: `Remove ${first}` }).click();
  await expect.element(screen.getByText('Image removed')).toBeVisible();
  await undo.click();
  await expect.element(screen.getByText(first)).toBeVisible();
  await screen.getByRole('button', { name: `Remove parameter ${parameters.length}` }).click();
  await undo.click();
  expect(panelForms.video.state.getState().values.input.rows).toEqual(parameters);
});
