import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { createMediaReference, type Media } from '../../shared/media.ts';
import { came, mediaId, openImagePanel, picture, resetImagePanel } from './image-fixtures.tsx';
import { pictureFile } from './media-fixtures.ts';
import { main } from './panel-fake-main.ts';

beforeEach(resetImagePanel);

/** Returns one candidate per image. */
function candidatesOf(media: readonly Media[]) {
  return media.map(({ id }) => ({
    role: 'model',
    finishReason: 'STOP',
    safetyRatings: [],
    parts: [{ type: 'media' as const, mediaId: id, mimeType: 'image/png' }],
  }));
}

test.each([
  [1080, 0.6],
  [1600, 0.73],
])(
  'in a %d px high window, shows the image at %d to 0.75 of the panel’s height',
  async (height, least) => {
    await page.viewport(1920, height);
    const square = await uploadMedia(await pictureFile(1200, 1200, 'gate.png'));
    came({ candidates: candidatesOf([square]), media: [square] });
    const screen = await openImagePanel({ width: 1868, height: height - 24 });
    const result = screen.getByRole('region', { name: 'Result' });
    const shown = result.getByRole('img', { name: 'image' });
    await expect.element(shown).toBeInViewport({ ratio: 1 });
    const gallery = screen.getByRole('region', { name: 'Gallery' });
    const content = gallery.element().parentElement;
    const share = () =>
      shown.element().getBoundingClientRect().height / (content?.clientHeight ?? 0);
    await expect.poll(share).toBeGreaterThan(least);
    expect(share()).toBeLessThanOrEqual(0.75);
    const box = shown.element().getBoundingClientRect();
    expect(box.width).toBeCloseTo(box.height, 0);
    await expect.element(gallery).toBeInViewport({ ratio: 1 });
    for (const name of ['Continue from here', 'Send to video']) {
      const action = result.getByRole('button', { name }).element().getBoundingClientRect();
      expect(action.left).toBeGreaterThan(box.right);
    }
  },
);

test('collapses a draft image with the reasoning', async () => {
  const draft = await uploadMedia(await pictureFile(64, 64, 'draft.png'));
  const parts = [
    { type: 'text' as const, text: 'Drafting the gate.', thought: true },
    { type: 'media' as const, mediaId: draft.id, mimeType: 'image/png', thought: true as const },
    { type: 'media' as const, mediaId, mimeType: 'image/png' },
  ];
  const candidate = { role: 'model', parts, finishReason: 'STOP', safetyRatings: [] };
  came({ candidates: [candidate], media: [draft, picture] });
  const result = (await openImagePanel()).getByRole('region', { name: 'Result' });
  await expect.element(result.getByText('Drafting the gate.')).not.toBeVisible();
  await result.getByText('Reasoning · 1 draft image').click();
  await expect.element(result.getByText('Drafting the gate.')).toBeVisible();
  await expect.element(result.getByRole('img', { name: 'draft' })).toBeVisible();
});

const toolNames = ['Copy image', 'Download', 'Attach to prompt', 'Full view'];

test('shows an image’s actions on hover and on focus', async () => {
  const square = await uploadMedia(await pictureFile(400, 400, 'gate.png'));
  came({ candidates: candidatesOf([square]), media: [square] });
  const screen = await openImagePanel();
  const result = screen.getByRole('region', { name: 'Result' });
  const image = result.getByRole('button', { name: 'Open image' });
  await expect.element(image).toBeVisible();
  const tools = () => result.getByRole('button', { name: 'Full view' }).element().parentElement;
  const opacity = () => tools() && getComputedStyle(tools() ?? document.body).opacity;
  await screen.getByRole('textbox', { name: 'Prompt' }).hover();
  await expect.poll(opacity).toBe('0');
  await image.hover();
  await expect.poll(opacity).toBe('1');
  const box = image.element().getBoundingClientRect();
  for (const name of toolNames) {
    const tool = result.getByRole('button', { name, exact: true }).element();
    expect(tool.getBoundingClientRect().right).toBeLessThan(box.right);
    expect(tool.getBoundingClientRect().bottom).toBeLessThan(box.bottom);
  }
  await screen.getByRole('textbox', { name: 'Prompt' }).hover();
  await expect.poll(opacity).toBe('0');
  image.element().focus();
  await userEvent.keyboard('{Tab}');
  await expect.element(result.getByRole('button', { name: 'Copy image' })).toHaveFocus();
  await expect.poll(opacity).toBe('1');
  await result.getByRole('button', { name: 'Full view' }).click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
});

test('shows four images in two rows that fit the panel, and flips through them with their settings', async () => {
  const names = ['one.png', 'two.png', 'three.png', 'four.png'];
  const squares = await Promise.all(
    names.map(async (name) => uploadMedia(await pictureFile(1024, 1024, name))),
  );
  came({ candidates: candidatesOf(squares), media: squares });
  const screen = await openImagePanel();
  const image = (name: string) =>
    screen.getByRole('article', { name }).getByRole('button', { name: 'Open image' });
  await expect.element(image('model 4')).toBeVisible();
  const [first, second, , fourth] = names.map((_, index) =>
    image(`model ${index + 1}`)
      .element()
      .getBoundingClientRect(),
  );
  expect(second?.top).toBe(first?.top);
  expect(second?.left).toBeGreaterThan(first?.right ?? 0);
  expect(fourth?.bottom).toBeLessThan(800);
  expect(screen.getByText('Prompt: A gate').elements()).toEqual([]);

  await image('model 2').click();
  const dialog = screen.getByRole('dialog', { name: 'Image 2 of 4' });
  await expect.element(dialog.getByText('A gate', { exact: true })).toBeVisible();
  await expect.element(dialog.getByText('Seed 7')).toBeVisible();
  await userEvent.keyboard('{ArrowRight}');
  const next = screen.getByRole('dialog', { name: 'Image 3 of 4' });
  await next.getByRole('button', { name: 'Previous image' }).click();
  await expect.element(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Use these settings' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A gate');
});

test('compares the edited image with the result', async () => {
  const [before, after] = await Promise.all(
    ['before.png', 'after.png'].map(async (name) => uploadMedia(await pictureFile(40, 40, name))),
  );
  if (before === undefined || after === undefined) return expect.fail();
  main.media.set(before.id, before);
  const inlineData = { mimeType: 'image/png', data: createMediaReference(before.id) };
  const contents = [{ role: 'user', parts: [{ text: 'Add a moat' }, { inlineData }] }];
  came({ candidates: candidatesOf([after]), media: [after] }, { contents });
  const screen = await openImagePanel();
  await screen.getByRole('button', { name: 'Before and after' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Before and after' });
  await expect.element(dialog.getByRole('img', { name: 'Before' })).toBeInTheDocument();
  await expect.element(dialog.getByRole('img', { name: 'After' })).toBeInTheDocument();
});

test('marks partial images, which have no actions', async () => {
  const square = await uploadMedia(await pictureFile(400, 400, 'gate.png'));
  const [candidate = expect.fail()] = candidatesOf([square]);
  const parts = [
    { type: 'media' as const, mediaId: square.id, mimeType: 'image/png', preview: true as const },
  ];
  came({ candidates: [{ ...candidate, parts }], media: [square] });
  const result = (await openImagePanel()).getByRole('region', { name: 'Result' });
  await expect.element(result.getByText('Partial image')).toBeVisible();
  expect(result.getByRole('button', { name: 'Download' }).elements()).toEqual([]);
});
