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
  await slot.getByRole('button', { name: 'Add Image URL or base64' }).click();
}

test('sends the form with its own field names and its extra parameters', async () => {
  const screen = await openVideoPanel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A boat');
  await screen.getByRole('textbox', { name: 'Seed field name' }).fill('random_seed');
  await screen.getByRole('textbox', { name: 'Value of parameter 1' }).fill('fog');
  await addUrl(screen.getByRole('group', { name: 'First frame' }), 'https://example.com/a.png');
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toMatchObject({
    request: {
      model: 'demo-model',
      prompt: 'A boat',
      image: 'https://example.com/a.png',
      metadata: { negative_prompt: 'fog' },
    },
    wireNames: { seed: 'random_seed' },
    follow: null,
  });
});

test('starts from bare base64, without a prompt', async () => {
  const base64 = `${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(4)}AA==`;
  const screen = await openVideoPanel();
  await screen.getByRole('group', { name: 'First frame' }).getByText('URL').click();
  const field = screen.getByRole('textbox', { name: 'Image URL or base64' });
  await field.fill('not base64');
  await screen.getByRole('button', { name: 'Add Image URL or base64' }).click();
  await expect.element(field).toHaveAccessibleDescription(/full URL/);
  await field.fill(base64);
  await screen.getByRole('button', { name: 'Add Image URL or base64' }).click();
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toEqual({ model: 'demo-model', image: base64 });
});

test('sends a first frame, a last frame and references', async () => {
  const screen = await openVideoPanel();
  const slot = (name: string) => screen.getByRole('group', { name, exact: true });
  await addUrl(slot('First frame'), 'https://example.com/a.png');
  await addUrl(slot('Last frame'), 'https://example.com/z.png');
  await addUrl(slot('References'), 'https://example.com/1.png');
  await addUrl(slot('References'), 'https://example.com/2.png');
  await addUrl(slot('References'), 'https://example.com/3.png');
  await slot('References')
    .getByRole('button', { name: 'Remove https://example.com/2.png' })
    .click();
  await expect
    .element(slot('Last frame').getByRole('button', { name: 'Attach' }))
    .not.toBeInTheDocument();
  await screen.getByRole('combobox', { name: 'First frame field name' }).fill('frame_images');
  await screen.getByRole('combobox', { name: 'Last frame field name' }).fill('frame_images');
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toMatchObject({
    request: {
      image: 'https://example.com/a.png',
      last_frame: 'https://example.com/z.png',
      images: ['https://example.com/1.png', 'https://example.com/3.png'],
    },
    wireNames: { image: 'frame_images', last_frame: 'frame_images' },
  });
});

test('keeps the focus in the slot whose image was added or removed', async () => {
  const screen = await openVideoPanel();
  const slot = screen.getByRole('group', { name: 'Last frame' });
  await slot.getByRole('button', { name: 'URL' }).click();
  const field = slot.getByRole('textbox', { name: 'Image URL or base64' });
  await expect.element(field).toHaveFocus();
  await field.fill('https://example.com/z.png');
  await userEvent.keyboard('{Enter}');
  const remove = slot.getByRole('button', { name: 'Remove https://example.com/z.png' });
  await expect.element(remove).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(slot.getByRole('button', { name: 'Attach' })).toHaveFocus();
});

test('replaces the first frame by an image from another panel, with Undo', async () => {
  const screen = await openVideoPanel();
  panelForms.video.change({ input: { image: 'https://example.com/a.png' } });
  sendToPanel('video', { kind: 'media', media: medium({ kind: 'image', type: 'image/png' }) });
  await expect.element(screen.getByText('First frame replaced')).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('https://example.com/a.png')).toBeVisible();
});

test('restores a removed first frame and a removed parameter', async () => {
  panelForms.video.change({
    input: {
      image: 'https://example.com/a.png',
      rows: [
        ...panelForms.video.state.getState().values.input.rows,
        { name: 'steps', value: '30' },
      ],
    },
  });
  const screen = await openVideoPanel();
  await screen.getByRole('button', { name: 'Remove https://example.com/a.png' }).click();
  await expect.element(screen.getByText('Image removed')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('https://example.com/a.png')).toBeVisible();
  const { rows } = panelForms.video.state.getState().values.input;
  await screen.getByRole('button', { name: `Remove parameter ${rows.length}` }).click();
  await screen.getByRole('button', { name: 'Undo' }).click();
  expect(panelForms.video.state.getState().values.input.rows).toEqual(rows);
});
