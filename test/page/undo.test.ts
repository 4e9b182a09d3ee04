import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const undone = vi.hoisted(() => vi.fn());
vi.mock('../../renderer/lib/api.ts', () => ({ api: { deletions: { undo: undone } } }));

import { LinkLostError } from '../../renderer/lib/link.ts';
import {
  hideOffer,
  holdOffer,
  offerUndo,
  releaseOffer,
  undo,
  useUndo,
  withdrawOffer,
  withdrawOffersAt,
} from '../../renderer/lib/undo.ts';

const shown = () => useUndo.getState().offers.filter(({ state }) => state !== 'hidden');
const messages = () => shown().map(({ message }) => message);
const newestId = () => shown().at(-1)?.id ?? 0;

function offer(message: string, by: Parameters<typeof offerUndo>[0]['undo'] = 'deletion'): number {
  offerUndo({ message, place: 'here', undo: by });
  return newestId();
}

function stubTab(): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
}

async function reload() {
  vi.resetModules();
  return await import('../../renderer/lib/undo.ts');
}

beforeEach(() => {
  vi.useFakeTimers();
  undone.mockResolvedValue({ renamed: [], notes: [] });
});
afterEach(() => {
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  undone.mockReset();
});

describe('an offer of Undo', () => {
  it('expires after ten seconds', () => {
    offer('one');
    vi.advanceTimersByTime(9999);
    expect(messages()).toEqual(['one']);
    vi.advanceTimersByTime(1);
    expect(messages()).toEqual([]);
  });

  it('keeps a hidden deletion available to the shortcut for 55 seconds, even after a reload', async () => {
    stubTab();
    offer('one');
    const id = offer('two', ['b']);
    hideOffer(id);
    vi.advanceTimersByTime(30_000);
    const hidden = { message: 'one. two', state: 'hidden' };
    expect(useUndo.getState().offers).toMatchObject([hidden]);
    const reloaded = await reload();
    expect(reloaded.useUndo.getState().offers).toMatchObject([hidden]);
    vi.advanceTimersByTime(24_999);
    expect(useUndo.getState().offers).toMatchObject([hidden]);
    await undo(id);
    expect(undone.mock.calls).toEqual([[{ ids: ['b', 'deletion'] }]]);
    vi.advanceTimersByTime(1);
    expect(reloaded.useUndo.getState().offers).toEqual([]);
  });

  it('replaces an earlier change in the same place, and keeps notices', () => {
    offer('Input replaced', () => undefined);
    offer('Image removed', () => undefined);
    offer('This text is already entered.', null);
    expect(messages()).toEqual(['Image removed', 'This text is already entered.']);
  });

  it('merges with an earlier deletion of a different kind in the same place', async () => {
    offer('Run deleted', 'a');
    offer('Comparison deleted', 'b');
    expect(messages()).toEqual(['Run deleted. Comparison deleted']);
    await undo(newestId());
    expect(undone.mock.calls).toEqual([[{ ids: ['b', 'a'] }]]);
  });

  it('disappears with its place unless it is a deletion', () => {
    offer('Variants replaced', () => undefined);
    offer('Run deleted', 'deletion');
    offerUndo({ message: 'Elsewhere', place: 'there', undo: () => undefined });
    withdrawOffersAt(['here', 'beside it']);
    expect(messages()).toEqual(['Run deleted', 'Elsewhere']);
  });

  it('stays while hovered or focused, and for three more seconds', () => {
    const id = offer('held');
    holdOffer(id, 'focus');
    holdOffer(id, 'pointer');
    vi.advanceTimersByTime(20_000);
    releaseOffer(id, 'pointer');
    vi.advanceTimersByTime(20_000);
    expect(messages()).toEqual(['held']);
    releaseOffer(id, 'focus');
    vi.advanceTimersByTime(2999);
    expect(messages()).toEqual(['held']);
    vi.advanceTimersByTime(1);
    expect(messages()).toEqual([]);
  });

  it('expires before the main process purges the deletion, even while hovered', () => {
    offerUndo({ message: 'a change', place: 'there', undo: () => undefined });
    holdOffer(newestId(), 'pointer');
    holdOffer(offer('a deletion'), 'pointer');
    vi.advanceTimersByTime(55_000);
    expect(messages()).toEqual(['a change']);
  });

  it('counts deletions of one kind, and expires ten seconds after the newest', async () => {
    const restored: string[] = [];
    const remove = (name: string, place = 'here') =>
      offerUndo({
        message: `“${name}” deleted`,
        several: { words: '# conversations deleted', note: name === 'b' ? ', answer stopped' : '' },
        place,
        undo: name,
        onUndone: () => restored.push(name),
      });
    remove('a');
    expect(messages()).toEqual(['“a” deleted']);
    vi.advanceTimersByTime(9000);
    remove('b');
    remove('elsewhere', 'there');
    vi.advanceTimersByTime(9000);
    remove('c');
    expect(messages()).toEqual(['3 conversations deleted, answer stopped', '“elsewhere” deleted']);
    vi.advanceTimersByTime(9999);
    expect(messages()).toEqual(['3 conversations deleted, answer stopped']);
    await undo(newestId());
    expect(undone.mock.calls).toEqual([[{ ids: ['c', 'b', 'a'] }]]);
    expect(restored).toEqual(['c', 'b', 'a']);
    expect(messages()).toEqual([]);
  });

  it('replaces a deletion that has less than ten seconds left', () => {
    const remove = (name: string) =>
      offerUndo({ message: name, several: { words: '# deleted' }, place: 'here', undo: name });
    remove('a');
    holdOffer(newestId(), 'focus');
    for (let count = 0; count < 4; count += 1) {
      vi.advanceTimersByTime(10_000);
      remove('another');
    }
    expect(messages()).toEqual(['5 deleted']);
    vi.advanceTimersByTime(6000);
    remove('late');
    expect(messages()).toEqual(['late']);
  });

  it('keeps counting after a reload', async () => {
    stubTab();
    const words = '# runs deleted';
    offerUndo({ message: 'x', several: { words, count: 2 }, place: 'here', undo: ['a', 'b'] });
    const reloaded = await reload();
    reloaded.offerUndo({ message: 'Run deleted', several: { words }, place: 'here', undo: 'c' });
    expect(reloaded.useUndo.getState().offers).toMatchObject([
      { message: '3 runs deleted', undo: ['c', 'a', 'b'] },
    ]);
  });
});

describe('Undo', () => {
  it('restores a deletion after a reload', async () => {
    stubTab();
    offer('2 runs deleted', ['first', 'second']);
    const reloaded = await reload();
    const [offered] = reloaded.useUndo.getState().offers;
    expect(offered?.message).toBe('2 runs deleted');
    await reloaded.undo(offered?.id ?? 0);
    expect(undone.mock.calls).toEqual([[{ ids: ['first', 'second'] }]]);
    expect(reloaded.useUndo.getState().offers).toEqual([]);
  });

  it('reports a new name and why the restored item is still hidden', async () => {
    const onUndone = vi.fn();
    const note = 'The message was restored, but undo the deletion of the message before it.';
    undone.mockResolvedValue({ renamed: [{ from: 'a', to: 'a_2' }], notes: [note] });
    offerUndo({ message: 'Message deleted', place: 'here', undo: 'deletion', onUndone });
    await undo(newestId());
    expect(onUndone).toHaveBeenCalledOnce();
    expect(messages()).toEqual([`${note} Name already in use: “a” was restored as “a_2”`]);
    expect(useUndo.getState().offers[0]).toMatchObject({ place: 'here', undo: null });
    vi.advanceTimersByTime(10_000);
    expect(messages()).toEqual([]);
  });

  it('offers a retry while the main process keeps the deletion', async () => {
    const id = offer('Run deleted');
    undone.mockRejectedValueOnce(new LinkLostError());
    await undo(id);
    expect(useUndo.getState().offers).toMatchObject([
      { state: { problem: 'Undo failed. Lost connection to Gatehouse.', canRetry: true } },
    ]);
    vi.advanceTimersByTime(54_999);
    await undo(id);
    expect(undone.mock.calls).toEqual([[{ ids: ['deletion'] }], [{ ids: ['deletion'] }]]);
    expect(messages()).toEqual([]);
    undone.mockRejectedValueOnce(new LinkLostError());
    await undo(offer('Another deleted'));
    vi.advanceTimersByTime(55_000);
    expect(messages()).toEqual([]);
  });

  it('offers no retry once it is too late', async () => {
    const tooLate = { kind: 'not-found', message: 'This can no longer be undone.', nextStep: '' };
    undone.mockRejectedValue(new ORPCError('NOT_FOUND', { data: tooLate }));
    await undo(offer('one'));
    expect(useUndo.getState().offers).toMatchObject([
      { state: { problem: tooLate.message, canRetry: false } },
    ]);
    vi.advanceTimersByTime(10_000);
    expect(messages()).toEqual([]);
  });

  it('ignores a notice', async () => {
    await undo(offer('This text is already entered.', null));
    expect(messages()).toEqual(['This text is already entered.']);
  });
});
