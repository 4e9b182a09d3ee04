import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));

import { HistoryPanel } from '../../renderer/features/history/history-panel.tsx';
import { showEverything, useHistory } from '../../renderer/features/history/history-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { useUndo } from '../../renderer/lib/undo.ts';
import { guardFocus } from '../../renderer/ui/focus-guard.ts';
import { type Note, noteEvent } from '../../renderer/ui/note-at.ts';
import { runView } from '../fixtures/run-view.ts';
import { api, main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

const newest = ['third', 'second', 'first'];

beforeEach(() => {
  resetPanels();
  useUndo.setState({ offers: [] });
  useHistory.setState({ shownId: null, marked: new Set() });
  showEverything();
  for (const [index, id] of newest.toReversed().entries()) {
    layDown(
      runView('completion', {
        id,
        preview: `The ${id} run`,
        status: 'succeeded',
        createdAt: index,
        finishedAt: index + 1,
      }),
    );
  }
});

/** Deletions wait until the returned function is called for the run. */
function holdDeletions(): (id: string) => void {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const of = (id: string) => {
    const found = held.get(id) ?? Promise.withResolvers<void>();
    held.set(id, found);
    return found;
  };
  const { remove } = api.runs;
  const removing = vi.spyOn(api.runs, 'remove').mockImplementation(async (input) => {
    await of(input.id).promise;
    return remove(input);
  });
  onTestFinished(() => removing.mockRestore());
  return (id) => of(id).resolve();
}

/** What is said at controls for a moment. */
function notesShown(): string[] {
  const notes: string[] = [];
  const note = ({ detail }: CustomEvent<Note>) => notes.push(detail.text);
  document.addEventListener(noteEvent, note);
  onTestFinished(() => document.removeEventListener(noteEvent, note));
  return notes;
}

async function open() {
  const screen = await render(
    <PanelPage>
      <HistoryPanel />
    </PanelPage>,
  );
  const row = (id: string) => screen.getByRole('option', { name: new RegExp(`The ${id} run`) });
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  await expect.element(row('third')).toBeVisible();
  return { screen, row, button };
}

it('deletes a run while the deletion of another waits, and says where that is still on its way', async () => {
  const release = holdDeletions();
  const notes = notesShown();
  const { screen, row } = await open();
  await row('third').click();
  await userEvent.keyboard('{Delete}{Delete}');
  expect(notes).toEqual(['Still deleting']);
  await row('second').click();
  await userEvent.keyboard('{Delete}');
  release('second');
  await expect.element(row('second')).not.toBeInTheDocument();
  await expect.element(row('third')).toBeVisible();
  // Who has gone to another run since stays there.
  await row('first').click();
  release('third');
  await expect.element(row('third')).not.toBeInTheDocument();
  await expect.element(screen.getByText('2 runs deleted')).toBeVisible();
  expect(useHistory.getState().shownId).toBe('first');
});

it('neither keeps Run again busy nor drops what it reported while another run is deleted', async () => {
  const release = holdDeletions();
  const starting = vi.spyOn(api.runs, 'start').mockRejectedValue(new Error('no connection'));
  onTestFinished(() => starting.mockRestore());
  const { screen, row, button } = await open();
  await row('third').click();
  await userEvent.keyboard('{Delete}');
  await row('second').click();
  await expect.element(button('Run again')).not.toHaveAttribute('aria-busy');
  await button('Run again').click();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  release('third');
  await expect.element(row('third')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('alert')).toBeVisible();
});

it('after Delete the focus is on Undo, and a second press a moment later is not meant for the next run', async () => {
  onTestFinished(guardFocus());
  const notes = notesShown();
  const { screen, row, button } = await open();
  await row('third').click();
  await button('Delete').click();
  await expect.element(row('third')).not.toBeInTheDocument();
  await expect.element(button('Undo')).toHaveFocus();
  expect(useHistory.getState().shownId).toBe('second');
  await button('Delete').click();
  expect(notes).toEqual(['This is the next item. Press again to delete it.']);
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 2000);
  onTestFinished(() => void vi.restoreAllMocks());
  await button('Delete').click();
  await expect.element(screen.getByText('2 runs deleted')).toBeVisible();
});

it('Undo shows and focuses the run that it restores', async () => {
  onTestFinished(guardFocus());
  const before = main.runs;
  const undoing = vi.spyOn(api.deletions, 'undo').mockImplementation(async () => {
    main.runs = before;
    return { renamed: [], notes: [] };
  });
  onTestFinished(() => undoing.mockRestore());
  const { row, button } = await open();
  await row('second').click();
  await userEvent.keyboard('{Delete}');
  await expect.element(row('second')).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.poll(() => useHistory.getState().shownId).toBe('second');
  await queryClient.invalidateQueries();
  await expect.element(row('second')).toHaveFocus();
  await expect.element(row('second')).toHaveAttribute('aria-selected', 'true');
});

it('lists runs without a result apart from those that succeeded', async () => {
  const figures = {
    model: null,
    usage: null,
    finishReasons: [],
    noResult: 'The response is empty.',
  };
  layDown(
    runView('completion', {
      id: 'empty',
      preview: 'Nothing',
      status: 'succeeded',
      figures,
      createdAt: 9,
    }),
  );
  const screen = await render(
    <PanelPage>
      <HistoryPanel />
    </PanelPage>,
  );
  const rows = screen.getByRole('listbox', { name: 'Runs' }).getByRole('option');
  await expect.poll(() => rows.elements().length).toBe(4);
  const status = screen.getByRole('combobox', { name: 'Status' });
  await status.selectOptions('No result');
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(rows.first()).toMatchTextContent(/Nothing/);
  await status.selectOptions('Succeeded');
  await expect.poll(() => rows.elements().length).toBe(3);
});
