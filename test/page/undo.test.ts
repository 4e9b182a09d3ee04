import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const undone = vi.hoisted(() => vi.fn());
vi.mock('../../renderer/lib/api.ts', () => ({ api: { deletions: { undo: undone } } }));

import { LinkLostError } from '../../renderer/lib/link.ts';
import {
  holdOffer,
  offerUndo,
  releaseOffer,
  undo,
  useUndo,
  withdrawOffer,
  withdrawOffersAt,
} from '../../renderer/lib/undo.ts';

const messages = () => useUndo.getState().offers.map(({ message }) => message);
const newestId = () => useUndo.getState().offers.at(-1)?.id ?? 0;

function offer(message: string, by: Parameters<typeof offerUndo>[0]['undo'] = 'deletion'): number {
  offerUndo({ message, place: 'here', undo: by });
  return newestId();
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

describe('Undo', () => {
  it('is offered for ten seconds, however many others there are', () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) offer(name);
    vi.advanceTimersByTime(9999);
    expect(messages()).toEqual(['one', 'two', 'three', 'four', 'five']);
    vi.advanceTimersByTime(1);
    expect(messages()).toEqual([]);
  });

  it('of what only the page knew ends where that is gone; what main can undo stays', () => {
    offer('Variants replaced', () => undefined);
    offer('Run deleted', 'deletion');
    offerUndo({ message: 'Elsewhere', place: 'there', undo: () => undefined });
    withdrawOffersAt(['here', 'beside it']);
    expect(messages()).toEqual(['Run deleted', 'Elsewhere']);
  });

  it('says under which name something is back whose own is in use', async () => {
    undone.mockResolvedValue({
      renamed: [{ from: 'get_weather', to: 'get_weather_2' }],
      notes: [],
    });
    await undo(offer('Tool deleted'));
    expect(messages()).toEqual(['Name in use: “get_weather” was restored as “get_weather_2”']);
    expect(useUndo.getState().offers[0]).toMatchObject({ place: 'here', undo: null });
  });

  it('that worked is no failure where something else still hides what is back', async () => {
    const onUndone = vi.fn();
    const note = 'The message was restored, but the one before it is still deleted.';
    undone.mockResolvedValue({ renamed: [{ from: 'a', to: 'a_2' }], notes: [note] });
    offerUndo({ message: 'Message deleted', place: 'here', undo: 'deletion', onUndone });
    await undo(newestId());
    expect(onUndone).toHaveBeenCalledOnce();
    expect(messages()).toEqual([`${note} Name in use: “a” was restored as “a_2”`]);
    vi.advanceTimersByTime(10_000);
    expect(messages()).toEqual([]);
  });

  it('that failed can be tried again while main keeps the deletion', async () => {
    const id = offer('Run deleted');
    undone.mockRejectedValueOnce(new LinkLostError());
    await undo(id);
    expect(useUndo.getState().offers).toMatchObject([
      { state: { problem: 'Undo failed. The connection to Gatehouse was lost.', canRetry: true } },
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

  it('that is too late cannot be tried again, and goes unless somebody reads it', async () => {
    const tooLate = { kind: 'not-found', message: 'It is too late to undo this.', nextStep: '' };
    undone.mockRejectedValue(new ORPCError('NOT_FOUND', { data: tooLate }));
    const read = offer('one');
    await undo(read);
    holdOffer(read, 'pointer');
    await undo(offer('two'));
    expect(useUndo.getState().offers).toMatchObject([
      { state: { problem: tooLate.message, canRetry: false } },
      { state: { problem: tooLate.message, canRetry: false } },
    ]);
    vi.advanceTimersByTime(10_000);
    expect(messages()).toEqual(['one']);
    releaseOffer(read, 'pointer');
    vi.advanceTimersByTime(3000);
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

  it('is one offer for several deletions at one place, ten seconds from the newest', async () => {
    const undoneAfter: string[] = [];
    const remove = (name: string, place = 'here') =>
      offerUndo({
        message: `“${name}” deleted`,
        several: { words: '# conversations deleted', note: name === 'b' ? ', answer stopped' : '' },
        place,
        undo: name,
        onUndone: () => undoneAfter.push(name),
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
    expect(undoneAfter).toEqual(['c', 'b', 'a']);
    expect(messages()).toEqual([]);
  });

  it('of several stays while it is held, but no longer than main keeps the first', () => {
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
    // Less than ten seconds are left of the first.
    remove('late');
    expect(messages()).toEqual(['5 deleted', 'late']);
    vi.advanceTimersByTime(9000);
    expect(messages()).toEqual(['late']);
  });

  it('counts what each of them deleted, and keeps counting after a reload', async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    const words = '# runs deleted';
    offerUndo({ message: 'x', several: { words, count: 2 }, place: 'here', undo: ['a', 'b'] });
    vi.resetModules();
    const reloaded = await import('../../renderer/lib/undo.ts');
    reloaded.offerUndo({ message: 'Run deleted', several: { words }, place: 'here', undo: 'c' });
    const [offered, ...others] = reloaded.useUndo.getState().offers;
    expect(offered?.message).toBe('3 runs deleted');
    expect(offered?.undo).toEqual(['c', 'a', 'b']);
    expect(others).toEqual([]);
  });

  it('of what the page alone knows goes back from the newest', async () => {
    const back: string[] = [];
    for (const name of ['a', 'b'])
      offerUndo({
        message: 'Document removed',
        several: { words: '# documents removed' },
        place: 'here',
        undo: () => back.push(name),
      });
    expect(messages()).toEqual(['2 documents removed']);
    await undo(newestId());
    expect(back).toEqual(['b', 'a']);
  });

  it('does nothing to a notice that has nothing to undo', async () => {
    const id = offer('This text is already entered.', null);
    await undo(id);
    expect(messages()).toEqual(['This text is already entered.']);
  });
});
