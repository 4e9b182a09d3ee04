import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lazyStorage } from '../../renderer/run/form/lazy-storage.ts';

interface Kept {
  text: string;
  saved: string;
}

const room = 100;
let stored: Map<string, string>;
let writes: number;
let leave: () => void;

beforeEach(() => {
  stored = new Map();
  writes = 0;
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', (_type: string, listener: () => void) => {
    leave = listener;
  });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => {
      writes += 1;
      if (text.length > room) throw new Error('QuotaExceededError');
      stored.set(name, text);
    },
    removeItem: (name: string) => stored.delete(name),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const state = (text: string): { state: Kept } => ({ state: { text, saved: 'kept' } });

describe('lazyStorage', () => {
  it('writes once for many changes, and the last of them', () => {
    const storage = lazyStorage<Kept>();
    for (const text of ['a', 'ab', 'abc']) storage.setItem('draft', state(text));
    expect(writes).toBe(0);
    vi.runAllTimers();
    expect(writes).toBe(1);
    expect(storage.getItem('draft')).toEqual(state('abc'));
  });

  it('writes at once when the page is left', () => {
    const storage = lazyStorage<Kept>();
    storage.setItem('draft', state('abc'));
    leave();
    expect(storage.getItem('draft')).toEqual(state('abc'));
  });

  it('leaves out what does not fit, rather than keeping an older text', () => {
    const storage = lazyStorage<Kept>();
    storage.setItem('draft', state('old'));
    vi.runAllTimers();
    storage.setItem('draft', state('x'.repeat(room)));
    vi.runAllTimers();
    expect(storage.getItem('draft')).toBeNull();
  });

  it('keeps the part that is worth it where the whole does not fit', () => {
    const storage = lazyStorage<Kept>((kept) => ({ ...kept, text: '' }));
    storage.setItem('draft', state('x'.repeat(room)));
    vi.runAllTimers();
    expect(storage.getItem('draft')).toEqual(state(''));
  });
});
