import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { SheetImage } from '../../renderer/features/image/contact-sheet.ts';
import { ImageSliderDialog } from '../../renderer/features/image/image-slider-dialog.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { pictureFile } from './media-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

async function pictures(): Promise<SheetImage[]> {
  const files = [
    await pictureFile(400, 200, 'one.png'),
    await pictureFile(800, 400, 'two.png'),
    await pictureFile(200, 400, 'three.png'),
  ];
  const stored = await Promise.all(files.map((file) => uploadMedia(file)));
  return stored.map((media, at) => ({
    id: `${at}`,
    runId: `run-${at}`,
    title: `model-${at}`,
    column: at,
    media,
  }));
}

function Wipe({ all }: { all: readonly SheetImage[] }) {
  const [chosen, choose] = useState<readonly [string, string]>(['0', '1']);
  const of = (id: string) => all.find((picture) => picture.id === id) ?? expect.fail(id);
  return (
    <ImageSliderDialog
      images={all}
      left={of(chosen[0])}
      right={of(chosen[1])}
      onChoose={(left, right) => choose([left, right])}
      onClose={() => undefined}
    />
  );
}

test('moves the divider by key and by dragging, and swaps the two images', async () => {
  const screen = await render(<Wipe all={await pictures()} />);
  const slider = screen.getByRole('slider', { name: 'Divider' });
  await expect.element(slider).toHaveFocus();
  await expect.element(slider).toHaveValue('50');
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(slider).toHaveValue('51');
  await userEvent.keyboard('{Home}');
  await expect.element(slider).toHaveValue('0');

  const [left, right] = ['model-0', 'model-1'].map((name) =>
    screen.getByRole('img', { name }).element().getBoundingClientRect(),
  );
  if (left === undefined || right === undefined) throw new TypeError('No pictures');
  expect(left).toEqual(right);
  expect(left.width / left.height).toBeCloseTo(2, 1);

  const frame = screen.getByRole('img', { name: 'model-0' }).element().parentElement?.parentElement;
  const at = { clientX: left.left + left.width / 4, clientY: left.top + 10, pointerId: 1 };
  frame?.dispatchEvent(new PointerEvent('pointerdown', { ...at, bubbles: true }));
  await expect.element(slider).toHaveValue('25');

  await screen.getByRole('combobox', { name: 'Right' }).selectOptions('model-2');
  await screen.getByRole('button', { name: 'Swap' }).click();
  await expect.element(screen.getByRole('combobox', { name: 'Left' })).toHaveValue('2');
  await expect.element(screen.getByRole('combobox', { name: 'Right' })).toHaveValue('0');
  await expect.element(screen.getByRole('img', { name: 'model-2' })).toBeInTheDocument();
});
