import { afterEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { LinkLostError } from '../../renderer/lib/link.ts';
import { offerUndo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { UndoBars } from '../../renderer/ui/undo-bars.tsx';
import { api } from './panel-fake-main.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

const undone = vi.spyOn(api.deletions, 'undo');
const idsUndone = () => undone.mock.calls.map(([{ ids }]) => ids);

afterEach(() => {
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  vi.useRealTimers();
  undone.mockClear();
});

function remove(title: string): void {
  offerUndo({
    message: `“${title}” deleted`,
    several: { words: '# conversations deleted' },
    place: 'conversations',
    undo: title,
  });
}

async function open() {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const screen = await render(
    <>
      <UndoBars place="conversations" />
      <button type="button">Elsewhere</button>
    </>,
  );
  return { screen, undo: screen.getByRole('button', { name: 'Undo' }) };
}

it('stays while focused or hovered, and for three more seconds', async () => {
  const { screen, undo } = await open();
  remove('Rivers');
  // Vitest advances fake time as the pointer moves, so no step comes near the offer's limit of 55
  // seconds.
  await undo.hover();
  vi.advanceTimersByTime(11_000);
  await userEvent.tab();
  await expect.element(undo).toHaveFocus();
  await screen.getByRole('button', { name: 'Elsewhere' }).hover();
  vi.advanceTimersByTime(11_000);
  remove('Lakes');
  await expect.element(screen.getByText('2 conversations deleted')).toBeVisible();
  await expect.element(undo).toHaveFocus();
  vi.advanceTimersByTime(11_000);
  await expect.element(undo).toBeVisible();
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
  vi.advanceTimersByTime(2000);
  await expect.element(undo).toBeVisible();
  vi.advanceTimersByTime(1100);
  await expect.element(undo).not.toBeInTheDocument();
});

it('explains why Undo failed, and retries at the same button', async () => {
  const { screen, undo } = await open();
  remove('Rivers');
  undone.mockRejectedValueOnce(new LinkLostError());
  await undo.click();
  const again = screen.getByRole('button', { name: 'Try again' });
  await expect.element(again).toHaveFocus();
  await expect
    .element(screen.getByText('Undo failed. Lost connection to Gatehouse.'))
    .toBeVisible();
  await again.click();
  await expect.element(again).not.toBeInTheDocument();
  expect(idsUndone()).toEqual([['Rivers'], ['Rivers']]);
});
