import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { imageForm } from '../../renderer/features/image/image-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { mediaId, openImagePanel, picture, resetImagePanel } from './image-fixtures.tsx';
import { recordNotes } from './notes.ts';
import { api, main } from './panel-fake-main.ts';

beforeEach(resetImagePanel);

const input = () => imageForm.state.getState().values.input;

test('sends only an example, once, and keeps images attached in the form', async () => {
  const images = [{ mediaId, mimeType: 'image/png' }];
  imageForm.change({ input: { images } });
  const start = Promise.withResolvers<void>();
  const { start: startAtOnce } = api.runs;
  const starting = vi.spyOn(api.runs, 'start').mockImplementation(async (input) => {
    const started = await startAtOnce(input);
    await start.promise;
    return started;
  });
  onTestFinished(() => starting.mockRestore());
  const notes = recordNotes();
  const screen = await openImagePanel();
  const example = screen.getByRole('button', { name: 'A woodcut' });
  await example.click();
  await expect.poll(() => main.started.length).toBe(1);
  await example.click();
  expect(notes).toMatchObject([{ text: 'Starting…' }]);
  expect(main.started).toHaveLength(1);
  start.resolve();
  expect(main.started[0]?.request.contents).toEqual([
    { role: 'user', parts: [{ text: expect.stringContaining('as a woodcut') }] },
  ]);
  expect(input()).toMatchObject({ images });
});

test('attaches an image from another panel once, sends it before the text, and removes it', async () => {
  const screen = await openImagePanel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  const undo = screen.getByRole('button', { name: 'Undo' }).last();
  sendToPanel('image', { kind: 'media', media: picture });
  await expect.element(screen.getByText('Image attached to the prompt')).toBeVisible();
  await expect.element(prompt).toHaveFocus();
  sendToPanel('image', { kind: 'media', media: picture });
  await expect.element(screen.getByText('This image is already attached.')).toBeVisible();
  expect(input().images).toHaveLength(1);
  await prompt.fill('In winter');
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
  await expect.element(screen.getByText('Image removed')).toBeVisible();
  await undo.click();
  await expect.poll(() => input().images).toMatchObject([{ mediaId }]);
});

test('shows only settings that are set if the format doesn’t send them', async () => {
  imageForm.change({ params: { format: { value: 'images' } }, input: { imageSize: '4K' } });
  const screen = await openImagePanel();
  const config = screen.getByRole('region', { name: 'Generation config' });
  await expect.element(config).toMatchTextContent(/Not sent in this format/);
  await expect.element(config.getByRole('combobox', { name: 'Image size' })).toHaveValue('4K');
  expect(config.getByRole('combobox').elements()).toHaveLength(1);
  expect(config.getByRole('button', { name: 'TEXT' }).elements()).toEqual([]);
  expect(config.getByRole('textbox', { name: 'Extra config' }).elements()).toEqual([]);
  await config.getByRole('button', { name: 'Reset Image size' }).click();
  await expect.element(config).not.toBeInTheDocument();
});
