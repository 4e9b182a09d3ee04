import { beforeEach, expect, test, vi } from 'vitest';

import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import {
  answer,
  came,
  mediaId,
  openImagePanel,
  picture,
  resetImagePanel,
} from './image-fixtures.tsx';
import { main } from './panel-fake-main.ts';

beforeEach(resetImagePanel);

test('sends the contents so far as they came when it continues from an answer', async () => {
  came(answer);
  const screen = await openImagePanel();
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  const box = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(box).toHaveFocus();
  await box.fill('At night');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request.contents).toEqual([
    { role: 'user', parts: [{ text: 'A gate' }] },
    {
      role: 'model',
      parts: [
        { text: 'Hm', thought: true },
        { text: 'Here it is.' },
        { inlineData: { mimeType: 'image/png', data: `media:${mediaId}` } },
      ],
    },
    { role: 'user', parts: [{ text: 'At night' }] },
  ]);
});

test('attaches a received image, sends it before the text, and removes it', async () => {
  came(answer);
  const screen = await openImagePanel();
  await screen.getByRole('button', { name: 'Attach to prompt' }).click();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('In winter');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request.contents).toEqual([
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: `media:${mediaId}` } },
        { text: 'In winter' },
      ],
    },
  ]);
  await screen.getByRole('button', { name: 'Remove image.png' }).click();
  const attached = () => panelForms.image.state.getState().values.input.images;
  await expect.poll(attached).toEqual([]);
  await expect.element(screen.getByText('Image removed')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(attached).toMatchObject([{ mediaId }]);
});

test('receives an image from another panel once, and focuses the prompt', async () => {
  const screen = await openImagePanel();
  sendToPanel('image', { kind: 'media', media: picture });
  await expect.element(screen.getByText('Image attached to the prompt')).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  sendToPanel('image', { kind: 'media', media: picture });
  await expect.element(screen.getByText('This image is already attached.')).toBeVisible();
  expect(panelForms.image.state.getState().values.input.images).toHaveLength(1);
});

test('keeps the written prompt for Undo when it continues from an answer', async () => {
  came(answer);
  const screen = await openImagePanel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('A half-written prompt');
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  await expect.element(prompt).toHaveValue('');
  await expect.element(screen.getByRole('region', { name: 'Conversation so far' })).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('A half-written prompt');
  await expect
    .element(screen.getByRole('region', { name: 'Conversation so far' }))
    .not.toBeInTheDocument();
});

test('keeps text typed since when Undo removes an added image', async () => {
  const screen = await openImagePanel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  sendToPanel('image', { kind: 'media', media: picture });
  await expect.element(prompt).toHaveFocus();
  await prompt.fill('In winter');
  await screen.getByRole('button', { name: 'Undo' }).click();
  expect(panelForms.image.state.getState().values.input).toMatchObject({
    prompt: 'In winter',
    images: [],
  });
});
