import { beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { imageForm } from '../../renderer/features/image/image-store.ts';
import { MaskDialog } from '../../renderer/features/image/mask/mask-dialog.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { getMediaUrl, type Media } from '../../shared/media.ts';
import { mediaId, openImagePanel, picture, resetImagePanel } from './image-fixtures.tsx';
import { pictureFile } from './media-fixtures.ts';
import { main } from './panel-fake-main.ts';

beforeEach(resetImagePanel);

async function openDialog(maskId: string | null = null) {
  const image = await uploadMedia(await pictureFile(200, 100, 'a.png'));
  const used: Media[] = [];
  const onClose = vi.fn();
  const screen = await render(
    <MaskDialog
      image={image}
      maskId={maskId}
      onUse={(mask) => used.push(mask)}
      onClose={onClose}
    />,
  );
  const dialog = screen.getByRole('alertdialog', { name: 'Mask' });
  await expect.element(dialog.getByAltText('To edit')).toBeVisible();
  const canvas = dialog.getByRole('img', { name: 'Mask' });
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  /** Clicks halfway down, at this fraction of the width. */
  const dot = async (share: number) => {
    const { width, height } = canvas.element().getBoundingClientRect();
    await canvas.click({ position: { x: width * share, y: height / 2 } });
  };
  const choose = (file: File) => userEvent.upload(dialog.getByLabelText('Mask file'), file);
  const use = async () => {
    await press('Use mask');
    await expect.poll(() => used.length).toBe(1);
    return readAlpha(used[0] ?? expect.fail());
  };
  return { dialog, press, dot, choose, use, used, onClose };
}

/** Returns a function that reads the opacity halfway down, at a fraction of the width. */
async function readAlpha({ id, type, width, height }: Media) {
  expect({ type, width, height }).toEqual({ type: 'image/png', width: 200, height: 100 });
  const bitmap = await createImageBitmap(await (await fetch(getMediaUrl(id))).blob());
  const context = new OffscreenCanvas(200, 100).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  return (share: number) => context?.getImageData(share * 200, 50, 1, 1).data[3];
}

async function maskFile(width: number, height: number, clearShare: number): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context?.fillRect(width * clearShare, 0, width, height);
  return new File([await canvas.convertToBlob()], 'own.png', { type: 'image/png' });
}

test('edits, erases, undoes and clears an existing mask, and stores a PNG', async () => {
  const { id } = await uploadMedia(await maskFile(200, 100, 0.3));
  const { dialog, dot, press, use, onClose } = await openDialog(id);
  const useMask = dialog.getByRole('button', { name: 'Use mask' });
  await expect.element(useMask).toBeEnabled();
  await dot(0.5);
  await dot(0.75);
  await press('Clear');
  await expect.element(useMask).toBeDisabled();
  await press('Undo');
  await press('Undo');
  await dialog.getByRole('radio', { name: 'Eraser' }).click();
  await dot(0.25);
  const alphaAt = await use();
  expect([0.1, 0.25, 0.5, 0.75].map(alphaAt)).toEqual([0, 255, 0, 255]);
  expect(onClose).toHaveBeenCalledOnce();
});

test('rejects an empty mask and unsuitable files, and accepts a file without a pointer', async () => {
  const { dialog, dot, press, choose, use, used } = await openDialog();
  const problem = dialog.getByRole('alert');
  await expect.element(dialog.getByRole('button', { name: 'Use mask' })).toBeDisabled();
  await dot(0.5);
  await dialog.getByRole('radio', { name: 'Eraser' }).click();
  await dot(0.5);
  await press('Use mask');
  await expect.element(problem).toMatchTextContent(/Nothing is painted\./);
  expect(used).toEqual([]);
  for (const [file, words] of [
    [await maskFile(100, 100, 0.5), /“own.png” is 100 × 100, the image 200 × 100/],
    [await maskFile(200, 100, 0), /“own.png” has no transparent area\./],
    [new File(['no image'], 'own.png', { type: 'image/png' }), /“own.png” isn’t an image\./],
  ] as const) {
    await choose(file);
    await expect.element(problem).toMatchTextContent(words);
  }
  await choose(await maskFile(200, 100, 0.5));
  await expect.element(problem).not.toBeInTheDocument();
  const alphaAt = await use();
  expect([0.25, 0.75].map(alphaAt)).toEqual([0, 255]);
});

test('sends the first image’s mask only in the Images format', async () => {
  const maskId = 'm'.repeat(22);
  main.media.set(maskId, { ...picture, id: maskId, name: 'mask.png' });
  const images = [{ mediaId, mimeType: 'image/png' }];
  imageForm.change({
    input: { images, prompt: 'A hat', mask: { mediaId: maskId, imageId: mediaId } },
  });
  const screen = await openImagePanel();
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  const mask = screen.getByRole('group', { name: 'Mask' });
  await run.click();
  await expect.poll(() => main.started.length).toBe(1);
  expect(main.started[0]?.request).not.toHaveProperty('mask');
  await expect.element(mask).not.toBeInTheDocument();

  imageForm.change({ params: { format: { value: 'images' } } });
  await expect.element(mask).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Edit mask' })).toBeVisible();
  await run.click();
  await expect.poll(() => main.started.length).toBe(2);
  expect(main.started[1]?.request).toEqual({
    model: 'demo-model',
    format: 'images',
    contents: [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: `media:${mediaId}` } },
          { text: 'A hat' },
        ],
      },
    ],
    mask: `media:${maskId}`,
  });

  await mask.getByRole('button', { name: 'Remove Mask' }).click();
  await expect.element(screen.getByRole('button', { name: 'Draw mask' })).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(mask).toBeVisible();
  const other = 'o'.repeat(22);
  main.media.set(other, { ...picture, id: other });
  imageForm.change({ input: { images: [{ mediaId: other, mimeType: 'image/png' }, ...images] } });
  await expect.element(mask).not.toBeInTheDocument();
  await run.click();
  await expect.poll(() => main.started.length).toBe(3);
  expect(main.started[2]?.request).not.toHaveProperty('mask');
});
