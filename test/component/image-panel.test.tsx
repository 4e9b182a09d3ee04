import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { imageForm } from '../../renderer/features/image/image-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { storedFields } from './fake-forms.ts';
import {
  answer,
  came,
  mediaId,
  openImagePanel,
  picture,
  resetImagePanel,
} from './image-fixtures.tsx';
import { recordNotes } from './notes.ts';
import { api, main } from './panel-fake-main.ts';

beforeEach(resetImagePanel);

const input = () => imageForm.state.getState().values.input;

test('sends the prompt, ratio and size as typed, with the selected modalities', async () => {
  const screen = await openImagePanel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A gate');
  await screen.getByRole('combobox', { name: 'Aspect ratio' }).fill('7:5');
  await screen.getByRole('combobox', { name: 'Image size' }).fill('huge');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toEqual({
    model: 'demo-model',
    contents: [{ role: 'user', parts: [{ text: 'A gate' }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { aspectRatio: '7:5', imageSize: 'huge' },
    },
  });

  await screen.getByRole('button', { name: 'TEXT' }).click();
  await screen.getByRole('textbox', { name: 'Other modality' }).fill('AUDIO');
  await screen.getByRole('textbox', { name: 'More fields' }).click();
  await expect
    .poll(() => storedFields('image')['input.responseModalities'])
    .toEqual(['IMAGE', 'AUDIO']);
  await screen.getByRole('button', { name: 'Reset Response modalities' }).click();
  await expect.poll(() => storedFields('image')['input.responseModalities']).toBeNull();
});

test('opens More fields on an error, and sends neither the form nor an example', async () => {
  imageForm.change({ input: { prompt: 'A gate' } });
  const screen = await openImagePanel();
  const more = screen.getByRole('textbox', { name: 'More fields' });
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  for (const [text, words] of [
    ['{"imageConfig": 5}', 'imageConfig: Enter a JSON object.'],
    ['{"imageConfig": {"aspectRatio": 5}}', 'imageConfig.aspectRatio: Enter text.'],
    ['{"imageConfig": {"imageSize": ["2K"]}}', 'imageConfig.imageSize: Enter text.'],
  ] as const) {
    await more.fill(text);
    await expect.element(more).toHaveAccessibleDescription(expect.stringContaining(words));
    await expect.element(run).toHaveAttribute('aria-disabled', 'true');
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  }
  await more.fill('[1]');
  await expect.element(run).toHaveAttribute('aria-disabled', 'true');
  const example = screen.getByRole('button', { name: 'A woodcut' });
  await expect.element(example).toHaveAttribute('aria-disabled', 'true');
  await example.click({ force: true });
  await expect.element(screen.getByRole('alert').first()).toMatchTextContent(/More fields: /);
  expect(main.started).toEqual([]);
});

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

test('continues from an answer and restores the prompt on Undo', async () => {
  came(answer);
  const screen = await openImagePanel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  const turns = screen.getByRole('region', { name: 'Conversation so far' });
  await prompt.fill('A half-written prompt');
  await screen.getByRole('button', { name: 'Continue from here' }).click();
  await expect.element(prompt).toHaveFocus();
  await expect.element(prompt).toHaveValue('');
  await expect.element(turns).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('A half-written prompt');
  await expect.element(turns).not.toBeInTheDocument();
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
