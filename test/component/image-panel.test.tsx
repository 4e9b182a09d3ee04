import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { imageForm } from '../../renderer/features/image/image-store.ts';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import type { Media } from '../../shared/media.ts';
import type { ImagePart } from '../../shared/operations/image/state.ts';
import { storedFields } from './fake-forms.ts';
import { answer, came, openImagePanel, resetImagePanel } from './image-fixtures.tsx';
import { pictureFile } from './media-fixtures.ts';
import { main } from './panel-fake-main.ts';

describe('the form', () => {
  beforeEach(resetImagePanel);

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
    await screen.getByRole('textbox', { name: 'Extra config' }).click();
    await expect
      .poll(() => storedFields('image')['input.responseModalities'])
      .toEqual(['IMAGE', 'AUDIO']);
    await screen.getByRole('button', { name: 'Reset Response modalities' }).click();
    await expect.poll(() => storedFields('image')['input.responseModalities']).toBeNull();
  });

  test('opens Extra config on an error, and sends neither the form nor an example', async () => {
    imageForm.change({ input: { prompt: 'A gate' } });
    const screen = await openImagePanel();
    const more = screen.getByRole('textbox', { name: 'Extra config' });
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
    await expect.element(screen.getByRole('alert').first()).toMatchTextContent(/Extra config: /);
    expect(main.started).toEqual([]);
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
});

/** Stores a square image that the page can load. */
async function storePicture(name: string): Promise<Media> {
  const stored = await uploadMedia(await pictureFile(512, 512, name));
  main.media.set(stored.id, stored);
  return stored;
}

describe('the result', () => {
  beforeEach(resetImagePanel);

  test('shows parts in order, requested next to received values, ratings and details', async () => {
    const usage = { promptTokenCount: 12, candidatesTokenCount: 1290, totalTokenCount: 1350 };
    came({ ...answer, usage, model: 'demo-pixel-2', responseId: 'response-7' });
    const screen = await openImagePanel();
    const result = screen.getByRole('region', { name: 'Result' });
    await expect.element(result.getByText('Here it is.')).toBeVisible();
    await expect.element(result.getByText('Requested: 16:9 · 2K · seed 7')).toBeVisible();
    await expect.element(result.getByText('Prompt: A gate')).toBeVisible();
    // The received image is square, although the request asked for 16:9.
    await expect.element(result.getByText('requested 16:9')).toBeVisible();
    const rating = result.getByText('harassment: negligible');
    await expect.element(rating).not.toBeVisible();
    await result.getByText('Response details').click();
    await expect.element(rating).toBeVisible();
    await expect
      .element(screen.getByRole('region', { name: 'Gallery' }).getByRole('button'))
      .toHaveAccessibleName('Show A gate');
    for (const fact of ['STOP', 'demo-pixel-2', '12', '1,290', '1,350', 'response-7']) {
      await expect.element(result.getByText(fact, { exact: true })).toBeVisible();
    }

    const [first = expect.fail()] = answer.candidates ?? [];
    const second = { ...first, parts: first.parts.slice(0, 2), finishReason: 'SAFETY' };
    came({ ...answer, candidates: [first, second] });
    for (const [name, reason] of [
      ['model 1', 'STOP'],
      ['model 2', 'SAFETY'],
    ] as const) {
      await expect.element(result.getByRole('article', { name }).getByText(reason)).toBeVisible();
    }
  });

  test('opens the response details on a rating that is more than low', async () => {
    const [first = expect.fail()] = answer.candidates ?? [];
    const safetyRatings = [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'MEDIUM' }];
    came({ ...answer, candidates: [{ ...first, safetyRatings }] });
    const screen = await openImagePanel();
    await expect.element(screen.getByText('harassment: medium')).toBeVisible();
  });

  test('shows a checkerboard behind an image, so that its transparent parts are visible', async () => {
    const shown = await storePicture('gate.png');
    const part = { type: 'media' as const, mediaId: shown.id, mimeType: 'image/png' };
    const candidate = { role: 'model', parts: [part], finishReason: 'STOP', safetyRatings: [] };
    came({ candidates: [candidate], media: [shown] });
    const screen = await openImagePanel();
    const open = screen.getByRole('region', { name: 'Result' }).getByRole('button', {
      name: 'Open image',
    });
    await expect.element(open).toBeVisible();
    expect(getComputedStyle(open.element()).backgroundImage).toContain('conic-gradient');
  });

  test.each([
    ['candidates', (parts: ImagePart[]) => parts.map((part) => [part])],
    ['parts of one candidate', (parts: ImagePart[]) => [parts]],
  ])('fits four images into a window of 960 × 600, as %s', async (_, group) => {
    await page.viewport(960, 600);
    onTestFinished(() => page.viewport(1360, 860));
    const media = await Promise.all(['a.png', 'b.png', 'c.png', 'd.png'].map(storePicture));
    const parts = media.map(({ id }) => {
      return { type: 'media' as const, mediaId: id, mimeType: 'image/png' };
    });
    const candidates = group(parts).map((own) => {
      return { role: 'model', parts: own, finishReason: 'STOP', safetyRatings: [] };
    });
    came({ candidates, media });
    // The navigation takes 56 px.
    const screen = await openImagePanel({ width: 904, height: 600 });
    const shown = screen.getByRole('region', { name: 'Result' }).getByRole('button', {
      name: /^Open image/,
    });
    await expect.poll(() => shown.elements().length).toBe(4);
    await expect
      .poll(() => {
        const boxes = shown.elements().map((element) => element.getBoundingClientRect());
        return boxes.every(({ top, bottom, height }) => top >= 0 && bottom <= 600 && height >= 100);
      })
      .toBe(true);
  });

  test('explains why a prompt was blocked, and runs it again on Retry', async () => {
    came({ blockReason: 'SAFETY', promptFeedback: { blockReasonMessage: 'Too wild.' } });
    const screen = await openImagePanel();
    const alert = screen.getByRole('region', { name: 'Result' }).getByRole('alert');
    await expect
      .element(alert)
      .toMatchTextContent(/No result\. .*safety filter \(SAFETY\).*Too wild\./);
    await expect
      .element(screen.getByRole('region', { name: 'Result' }))
      .not.toMatchTextContent(/Succeeded/);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await vi.waitFor(() =>
      expect(main.started).toMatchObject([
        { request: { contents: [{ role: 'user', parts: [{ text: 'A gate' }] }] } },
      ]),
    );
  });
});
