import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemMessages } from '../../renderer/features/chat/options/save-system-message.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { type AppError, appError } from '../../shared/errors.ts';

const main = vi.hoisted(() => ({
  updates: [] as { id: string; systemMessage: string }[],
  fault: null as AppError | null,
}));
vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    conversations: {
      update: async (update: { id: string; systemMessage: string }) => {
        main.updates.push(update);
        if (main.fault !== null) throw main.fault;
      },
    },
  },
}));
vi.mock('../../renderer/lib/app-error.ts', () => ({ toAppError: (error: unknown) => error }));

const full = appError('file', 'The disk is full.', 'Free some space.', {});
const lost = appError('unreachable', 'Lost.', 'Wait.', {});
const gone = appError('not-found', 'It is gone.', '', {});

let tab: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  main.fault = null;
  tab = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => tab.get(name) ?? null,
    setItem: (name: string, text: string) => tab.set(name, text),
    removeItem: (name: string) => tab.delete(name),
  });
});
afterEach(async () => {
  main.fault = null;
  await vi.runAllTimersAsync();
  systemMessages.flushAll();
  await vi.runAllTimersAsync();
  main.updates = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the system message of a conversation', () => {
  it('is written once typing pauses', async () => {
    systemMessages.saveSoon('a', 'Be');
    await vi.advanceTimersByTimeAsync(400);
    systemMessages.saveSoon('a', 'Be brief.');
    await vi.advanceTimersByTimeAsync(500);
    expect(main.updates).toEqual([{ id: 'a', systemMessage: 'Be brief.' }]);
    expect(systemMessages.unsaved('a')).toBeNull();
  });

  it('waits after a failure and goes again with the next flush', async () => {
    main.fault = full;
    systemMessages.saveSoon('a', 'Be brief.');
    await vi.advanceTimersByTimeAsync(500);
    expect(systemMessages.unsaved('a')).toBe('Be brief.');
    await expect(systemMessages.flush('a')).rejects.toBe(full);
    main.fault = null;
    await systemMessages.flush('a');
    await systemMessages.flush('a');
    expect(main.updates).toHaveLength(3);
    expect(systemMessages.unsaved('a')).toBeNull();
  });

  it('does not block another conversation', async () => {
    main.fault = full;
    systemMessages.saveSoon('a', 'Be brief.');
    await expect(systemMessages.flush('a')).rejects.toBe(full);
    await systemMessages.flush('b');
    main.fault = null;
    systemMessages.flushAll();
    await vi.advanceTimersByTimeAsync(0);
    expect(main.updates.at(-1)).toEqual({ id: 'a', systemMessage: 'Be brief.' });
  });

  it('is dropped with its conversation', async () => {
    main.fault = gone;
    systemMessages.saveSoon('a', 'Be brief.');
    await expect(systemMessages.flush('a')).rejects.toBe(gone);
    expect(systemMessages.unsaved('a')).toBeNull();
  });

  it('goes again once the link is back', async () => {
    useLinkState.setState('lost', true);
    main.fault = lost;
    systemMessages.saveSoon('a', 'Be brief.');
    await vi.advanceTimersByTimeAsync(500);
    main.fault = null;
    main.updates = [];
    useLinkState.setState('open', true);
    await vi.advanceTimersByTimeAsync(0);
    expect(main.updates).toEqual([{ id: 'a', systemMessage: 'Be brief.' }]);
  });

  it('is written by the next page, once, where this one leaves while the link is lost', async () => {
    useLinkState.setState('lost', true);
    main.fault = lost;
    systemMessages.saveSoon('a', 'Be brief.');
    systemMessages.leave();
    await vi.advanceTimersByTimeAsync(0);
    main.updates = [];

    const next = await openNextPage();
    expect(next.systemMessages.unsaved('a')).toBe('Be brief.');
    expect(next.unsavedTexts()).toEqual([{ title: 'Chat: System message', text: 'Be brief.' }]);
    main.fault = null;
    next.link.setState('open', true);
    await vi.advanceTimersByTimeAsync(0);
    expect(main.updates).toEqual([{ id: 'a', systemMessage: 'Be brief.' }]);
    expect(next.systemMessages.unsaved('a')).toBeNull();

    const last = await openNextPage();
    expect(last.systemMessages.unsaved('a')).toBeNull();
  });

  it.each(['{', 'null', '[5, null, {"id":"a"}]'])(
    'is nothing where the tab holds %s',
    async (damaged) => {
      tab.set('gatehouse:unsaved-system-messages', damaged);
      const next = await openNextPage();
      expect(next.unsavedTexts()).toEqual([]);
    },
  );
});

/** Modules of their own, as a new page has them; the tab is the same. */
async function openNextPage() {
  vi.resetModules();
  const { useLinkState: link } = await import('../../renderer/lib/link-state.ts');
  const page = await import('../../renderer/features/chat/options/save-system-message.ts');
  const { unsavedTexts } = await import('../../renderer/lib/unsaved-texts.ts');
  return { ...page, unsavedTexts, link };
}
