import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';
import { MaskDialog } from '../../renderer/features/image/mask/mask-dialog.tsx';
import { useCommands } from '../../renderer/lib/commands.ts';
import { offerUndo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { Button } from '../../renderer/ui/button.tsx';
import { ConfirmDialog, Dialog, Modal } from '../../renderer/ui/dialog.tsx';
import { FormDialog } from '../../renderer/ui/form-dialog.tsx';
import { guardUndo } from '../../renderer/ui/press-guard.ts';
import { Slider } from '../../renderer/ui/slider.tsx';
import { TextField } from '../../renderer/ui/text-field.tsx';
import { ToastRegion } from '../../renderer/ui/toast-region.tsx';
import { UndoBars } from '../../renderer/ui/undo-bars.tsx';
import { pictureFile } from './media-fixtures.ts';
import { PanelPage } from './panel-fixtures.tsx';

const undone = vi.fn();
const ran = vi.fn();

beforeEach(() => {
  undone.mockClear();
  ran.mockClear();
});

afterEach(() => {
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
});

/** Renders a panel with a field, and a dialog over it once the field was edited. */
function Page({ dialog }: { dialog: ReactNode }) {
  const [count, setCount] = useState('10');
  const [isOpen, setOpen] = useState(false);
  useShortcutKeys();
  useCommands([{ id: 'panel.run', title: 'Run', group: 'Panel', shortcut: 'Mod+Enter', run: ran }]);
  return (
    <PanelPage>
      <main tabIndex={-1}>
        <TextField label="Images" value={count} onValueChange={setCount} />
        <output>{count}</output>
        <Button onClick={() => setOpen(true)}>Open</Button>
      </main>
      {isOpen && dialog}
      <ToastRegion />
    </PanelPage>
  );
}

const field = page.getByRole('textbox', { name: 'Images', includeHidden: true });

async function openOver(dialog: ReactNode) {
  onTestFinished(guardUndo());
  offerUndo({ message: 'Prompt replaced', place: 'panel', undo: undone });
  await render(<Page dialog={dialog} />);
  await userEvent.fill(field, '1');
  await page.getByRole('button', { name: 'Open' }).click();
}

const onClose = () => undefined;
const content = (
  <>
    <TextField label="Name" value="" onValueChange={() => undefined} />
    <Slider label="Size" value={1} min={0} max={2} step={1} onValueChange={() => undefined} />
    <Button>Act</Button>
  </>
);

const dialogs: Record<string, ReactNode> = {
  dialog: (
    <Dialog open title="Kind" onClose={onClose}>
      {content}
    </Dialog>
  ),
  form: (
    <FormDialog title="Kind" onSave={onClose} onClose={onClose}>
      {content}
    </FormDialog>
  ),
  question: (
    <ConfirmDialog open title="Kind" confirmLabel="Delete" onConfirm={onClose} onClose={onClose}>
      {content}
    </ConfirmDialog>
  ),
  modal: (
    <Modal className="" label="Kind" getInitialFocus={() => null} onClose={onClose}>
      {content}
    </Modal>
  ),
};

describe.each(Object.keys(dialogs))('a %s', (kind) => {
  it('keeps undo and run away from the panel behind it, wherever the focus is', async () => {
    await openOver(dialogs[kind]);
    const popup = page.getByRole(kind === 'question' ? 'alertdialog' : 'dialog');
    await expect.element(popup).toBeVisible();
    const stops = popup.element().querySelectorAll<HTMLElement>('[tabindex], input, button');
    const places = [document.activeElement, popup.element(), ...stops, null];
    expect(places.length).toBeGreaterThan(3);
    for (const place of places) {
      if (place instanceof HTMLElement) place.focus();
      // A click on the backdrop of a question leaves the focus on the page.
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      await userEvent.keyboard('{Control>}z{/Control}');
      // Redo would hide an undo.
      await expect.element(field).toHaveValue('1');
      await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
      await userEvent.keyboard('{Control>}y{/Control}');
      if (place === null || place instanceof HTMLInputElement) {
        await userEvent.keyboard('{Control>}{Enter}{/Control}');
      }
      await expect.element(field).toHaveValue('1');
    }
    expect(undone).not.toHaveBeenCalled();
    expect(ran).not.toHaveBeenCalled();
  });
});

it('undoes a deletion in the dialog where it happened', async () => {
  await openOver(
    <Dialog open title="Presets" onClose={onClose}>
      <UndoBars place="presets" />
      {content}
    </Dialog>,
  );
  const restored = vi.fn();
  offerUndo({ message: 'Preset deleted', place: 'presets', undo: restored });
  await expect.element(page.getByText('Preset deleted')).toBeVisible();
  page.getByRole('button', { name: 'Act' }).element().focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => restored.mock.calls.length).toBe(1);
  expect(undone).not.toHaveBeenCalled();
});

it('undoes and redoes strokes of a mask by key', async () => {
  const image = await uploadMedia(await pictureFile(200, 100, 'a.png'));
  await openOver(<MaskDialog image={image} maskId={null} onUse={onClose} onClose={onClose} />);
  await expect.element(page.getByAltText('To edit')).toBeVisible();
  const useMask = page.getByRole('button', { name: 'Use mask' });
  const redo = page.getByRole('button', { name: 'Redo' });
  const stroke = page.getByRole('img', { name: 'Mask' });
  await stroke.click();
  await expect.element(useMask).toBeEnabled();
  for (const place of ['canvas', 'slider'] as const) {
    if (place === 'slider') page.getByRole('slider').element().focus();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(useMask).toBeDisabled();
    await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    await expect.element(useMask).toBeEnabled();
    await userEvent.keyboard('{Control>}z{/Control}{Control>}y{/Control}');
    await expect.element(useMask).toBeEnabled();
    await expect.element(redo).toBeDisabled();
  }
  await userEvent.keyboard('{Control>}z{/Control}');
  await redo.click();
  await expect.element(useMask).toBeEnabled();
  await expect.element(field).toHaveValue('1');
  expect(undone).not.toHaveBeenCalled();
});
