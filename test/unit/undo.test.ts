import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const undone = vi.hoisted(() => vi.fn());
vi.mock('../../renderer/lib/api.ts', () => ({ api: { deletions: { undo: undone } } }));

import {
  holdOffer,
  offerUndo,
  releaseOffer,
  undo,
  useUndo,
  withdrawOffer,
} from '../../renderer/lib/undo.ts';

const messages = () => useUndo.getState().offers.map(({ message }) => message);
const newestId = () => useUndo.getState().offers.at(-1)?.id ?? 0;

function offer(message: string, by: Parameters<typeof offerUndo>[0]['undo'] = 'deletion'): number {
  offerUndo({ message, place: 'here', undo: by });
  return newestId();
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  undone.mockReset();
});

describe('Undo', () => {
  it('is offered for ten seconds, however many others there are', () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) offer(name);
    vi.advanceTimersByTime(9999);
    expect(messages()).toEqual(['one', 'two', 'three', 'four', 'five']);
    vi.advanceTimersByTime(1);
    expect(messages()).toEqual([]);
  });

  it('stays while the pointer or the focus rests on it', () => {
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

  it('ends before main forgets the deletion, although it is held', () => {
    holdOffer(offer('a deletion'), 'pointer');
    holdOffer(
      offer('a change', () => undefined),
      'pointer',
    );
    vi.advanceTimersByTime(55_000);
    expect(messages()).toEqual(['a change']);
  });

  it('brings back several deletions, also after a reload', async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    offer('2 runs deleted', ['first', 'second']);
    vi.resetModules();
    const reloaded = await import('../../renderer/lib/undo.ts');
    const [offered] = reloaded.useUndo.getState().offers;
    expect(offered?.message).toBe('2 runs deleted');
    await reloaded.undo(offered?.id ?? 0);
    expect(undone.mock.calls).toEqual([[{ ids: ['first', 'second'] }]]);
    expect(reloaded.useUndo.getState().offers).toEqual([]);
  });

  it('does nothing to a notice that has nothing to undo', async () => {
    const id = offer('This text is already entered.', null);
    await undo(id);
    expect(messages()).toEqual(['This text is already entered.']);
  });
});
