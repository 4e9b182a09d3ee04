import { beforeEach, expect, it, vi } from 'vitest';

vi.mock('../../renderer/lib/api.ts', () => ({ api: {} }));

import { undo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { offerUndoOfReplacement } from '../../renderer/run/form/undo-replacement.ts';

const offers = () => useUndo.getState().offers;
const messages = () => offers().map(({ message }) => message);
const undoNamed = (message: string) =>
  undo(offers().find((offer) => offer.message === message)?.id ?? 0);

/** Saved under one name; null if it was deleted. */
let saved: { prompt: string } | null = null;
const newer = 'Restored. Newer changes were replaced.';

function replace(prompt: string): void {
  const before = saved ?? { prompt: '' };
  saved = { prompt };
  offerUndoOfReplacement(`${before.prompt} replaced`, {
    before,
    after: saved,
    read: async () => saved,
    write: async (value) => {
      saved = value;
    },
    place: 'presets',
  });
}

beforeEach(() => {
  for (const { id } of offers()) withdrawOffer(id);
  saved = { prompt: 'first' };
});

it('restores what was replaced, from the newest to the oldest', async () => {
  replace('second');
  replace('third');
  await undoNamed('second replaced');
  expect(saved).toEqual({ prompt: 'second' });
  await undoNamed('first replaced');
  expect(saved).toEqual({ prompt: 'first' });
  expect(messages()).toEqual([]);
});

it('loses nothing that was saved since: that comes back by Undo in turn', async () => {
  replace('second');
  replace('third');
  await undoNamed('first replaced');
  expect(saved).toEqual({ prompt: 'first' });
  expect(messages()).toEqual(['second replaced', newer]);
  await undoNamed(newer);
  expect(saved).toEqual({ prompt: 'third' });
  await undoNamed('second replaced');
  expect(saved).toEqual({ prompt: 'second' });
  expect(messages()).toEqual([]);
});

it('writes nothing where it is already what it was', async () => {
  replace('second');
  saved = { prompt: 'first' };
  await undoNamed('first replaced');
  expect([saved, messages()]).toEqual([{ prompt: 'first' }, []]);
});

it('says that what is back had been deleted', async () => {
  replace('second');
  saved = null;
  await undoNamed('first replaced');
  expect(saved).toEqual({ prompt: 'first' });
  expect(messages()).toEqual(['Restored. It had been deleted since.']);
});

it('offers nothing to undo where the same was saved again', () => {
  replace('first');
  expect(offers()).toMatchObject([{ message: 'first replaced', undo: null }]);
});
