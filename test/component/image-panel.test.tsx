import { beforeEach, expect, test, vi } from 'vitest';

import { imageForm } from '../../renderer/features/image/image-store.ts';
import { storedFields } from './fake-forms.ts';
import { mediaId, openImagePanel, resetImagePanel } from './image-fixtures.tsx';
import { recordNotes } from './notes.ts';
import { api, main } from './panel-fake-main.ts';

beforeEach(resetImagePanel);

test('sends the prompt, ratio and size as typed, with the default modalities', async () => {
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
});

test('leaves a modality out, adds another, or sends none at all', async () => {
  const screen = await openImagePanel();
  await screen.getByRole('button', { name: 'TEXT' }).click();
  const other = screen.getByRole('textbox', { name: 'Other modality' });
  await other.fill('AUDIO');
  await screen.getByRole('textbox', { name: 'More fields' }).click();
  await expect
    .poll(() => storedFields('image')['input.responseModalities'])
    .toEqual(['IMAGE', 'AUDIO']);
  await screen.getByRole('button', { name: 'Reset Response modalities' }).click();
  await expect.poll(() => storedFields('image')['input.responseModalities']).toBeNull();
});

test('does not run if more fields are not a JSON object', async () => {
  const screen = await openImagePanel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A gate');
  await screen.getByRole('textbox', { name: 'More fields' }).fill('[1]');
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await expect.element(run).toHaveAttribute('aria-disabled', 'true');
  const example = screen.getByRole('button', { name: 'A woodcut' });
  await expect.element(example).toHaveAttribute('aria-disabled', 'true');
  await example.click({ force: true });
  await expect.element(screen.getByRole('alert').first()).toMatchTextContent(/More fields: /);
  expect(main.started).toEqual([]);
});

test.each([
  ['{"imageConfig": 5}', 'imageConfig: Enter a JSON object.'],
  ['{"imageConfig": {"aspectRatio": 5}}', 'imageConfig.aspectRatio: Enter text.'],
  ['{"imageConfig": {"imageSize": ["2K"]}}', 'imageConfig.imageSize: Enter text.'],
])('shows at the field what is wrong in %s, and sends nothing', async (text, words) => {
  const screen = await openImagePanel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A gate');
  const more = screen.getByRole('textbox', { name: 'More fields' });
  await more.fill(text);
  await expect.element(more).toHaveAccessibleDescription(new RegExp(words.replace('.', '\\.')));
  await expect
    .element(screen.getByRole('button', { name: 'Run', exact: true }))
    .toHaveAttribute('aria-disabled', 'true');
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  expect(main.started).toEqual([]);
});

test('sends an example alone and keeps the attached images in the form', async () => {
  const images = [{ mediaId, mimeType: 'image/png' }];
  imageForm.change({ input: { images } });
  const screen = await openImagePanel();
  await screen.getByRole('button', { name: 'A woodcut' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request.contents).toEqual([
    { role: 'user', parts: [{ text: expect.stringContaining('as a woodcut') }] },
  ]);
  expect(imageForm.state.getState().values.input).toMatchObject({ images });
});

test('shows “Starting…” if an example is pressed again', async () => {
  const start = Promise.withResolvers<void>();
  const { start: startAtOnce } = api.runs;
  const starting = vi.spyOn(api.runs, 'start').mockImplementation(async (input) => {
    const started = await startAtOnce(input);
    await start.promise;
    return started;
  });
  const notes = recordNotes();
  const screen = await openImagePanel();
  const example = screen.getByRole('list', { name: 'Examples' }).getByRole('button').first();
  await example.click();
  await expect.poll(() => main.started.length).toBe(1);
  await example.click();
  expect(notes).toMatchObject([{ text: 'Starting…' }]);
  expect(main.started).toHaveLength(1);
  start.resolve();
  starting.mockRestore();
});
