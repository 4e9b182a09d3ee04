import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flushUnsaved, keepUnwritten } from '../../renderer/run/form/unsaved-fields.ts';
import { type AppError, appError } from '../../shared/errors.ts';

const main = vi.hoisted(() => ({
  written: [] as unknown[],
  fault: null as AppError | null,
  reopen: (): void => undefined,
  waits: 0,
}));
vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    forms: {
      change: async (change: unknown) => {
        if (main.fault !== null) throw main.fault;
        main.written.push(change);
      },
    },
  },
}));
vi.mock('../../renderer/lib/link-state.ts', () => ({
  linkOpen: () => {
    main.waits += 1;
    return new Promise<void>((resolve) => (main.reopen = resolve));
  },
}));
vi.mock('../../renderer/lib/app-error.ts', () => ({ toAppError: (error: unknown) => error }));

const KEY = 'gatehouse:unwritten-forms';
const fields = {
  id: 'completion',
  content: { operation: 'completion' as const, fields: { input: { prompt: 'Once' } } },
  unset: ['parameters.n'],
};
const lost = appError('unreachable', 'Lost.', 'Wait.', {});
let tab: Map<string, string>;

beforeEach(() => {
  main.written = [];
  main.fault = null;
  main.waits = 0;
  tab = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => tab.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (text.length > 1000) throw new Error('QuotaExceededError');
      tab.set(name, text);
    },
    removeItem: (name: string) => tab.delete(name),
  });
});
afterEach(() => void vi.unstubAllGlobals());

describe('what main did not have when the page went away', () => {
  it('is written by the next page, once', async () => {
    keepUnwritten([fields]);
    await flushUnsaved();
    await flushUnsaved();
    expect(main.written).toEqual([{ ...fields, after: null }]);
  });

  it('waits in the tab while main cannot be reached, and goes once the link is open', async () => {
    keepUnwritten([fields]);
    main.fault = lost;
    const written = flushUnsaved();
    await vi.waitFor(() => expect(main.waits).toBe(1));
    expect(tab.size).toBe(1);
    main.fault = null;
    main.reopen();
    await written;
    expect(main.written).toHaveLength(1);
    expect(tab.size).toBe(0);
  });

  it('stays kept, before what is newer, where the page goes away while it waits', async () => {
    keepUnwritten([fields]);
    main.fault = lost;
    const written = flushUnsaved();
    await vi.waitFor(() => expect(main.waits).toBe(1));
    const newer = { ...fields, unset: ['parameters.seed'] };
    keepUnwritten([newer]);
    expect(JSON.parse(tab.get(KEY) ?? '')).toEqual([fields, newer]);
    main.fault = null;
    main.reopen();
    await written;
  });

  it('is nothing where the site may not store anything', async () => {
    vi.stubGlobal('sessionStorage', undefined);
    keepUnwritten([fields]);
    await flushUnsaved();
    expect(main.written).toEqual([]);
  });

  it('is dropped where main refuses it', async () => {
    keepUnwritten([fields]);
    main.fault = appError('invalid-request', 'Too long.', 'Shorten it.', { fields: [] });
    await flushUnsaved();
    expect(tab.size).toBe(0);
  });

  it('is nothing once everything is written, and does no harm where it is too long', async () => {
    keepUnwritten([fields]);
    keepUnwritten([]);
    keepUnwritten([{ ...fields, unset: ['x'.repeat(2000)] }]);
    await flushUnsaved();
    expect(main.written).toEqual([]);
  });

  it.each(['{', 'null', '[5, null, {}]', '[{"id":"a","content":{"operation":"x"},"unset":[]}]'])(
    'is nothing where the tab holds %s',
    async (damaged) => {
      tab.set(KEY, damaged);
      await flushUnsaved();
      expect(main.written).toEqual([]);
    },
  );
});
