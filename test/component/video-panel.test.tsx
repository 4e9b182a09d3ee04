import { beforeEach, expect, test, vi } from 'vitest';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));

import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { medium } from '../fixtures/medium.ts';
import { main } from './panel-fake-main.ts';
import { openVideoPanel, resetVideoPanel } from './video-fixtures.tsx';

beforeEach(resetVideoPanel);

test('sends the form with its own field names and its extra parameters', async () => {
  const screen = await openVideoPanel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A boat');
  await screen.getByRole('textbox', { name: 'Seed field name' }).fill('random_seed');
  await screen.getByRole('textbox', { name: 'Value of parameter 1' }).fill('fog');
  await screen
    .getByRole('textbox', { name: 'Image URL or base64' })
    .fill('https://example.com/a.png');
  await screen.getByRole('button', { name: 'Add Image URL or base64' }).click();
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

test('replaces the starting image by one from another panel, with Undo', async () => {
  const screen = await openVideoPanel();
  panelForms.video.change({ input: { image: 'https://example.com/a.png' } });
  sendToPanel('video', { kind: 'media', media: medium({ kind: 'image', type: 'image/png' }) });
  await expect.element(screen.getByText('Starting image replaced')).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('https://example.com/a.png')).toBeVisible();
});

test('restores a removed starting image and a removed parameter', async () => {
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
  await screen.getByRole('button', { name: 'Remove image' }).click();
  await expect.element(screen.getByText('Image removed')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('https://example.com/a.png')).toBeVisible();
  const { rows } = panelForms.video.state.getState().values.input;
  await screen.getByRole('button', { name: `Remove parameter ${rows.length}` }).click();
  await screen.getByRole('button', { name: 'Undo' }).click();
  expect(panelForms.video.state.getState().values.input.rows).toEqual(rows);
});
