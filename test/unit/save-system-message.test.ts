import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  flushSystemMessage,
  flushSystemMessages,
  saveSystemMessageSoon,
  unsavedSystemMessage,
} from '../../renderer/features/chat/options/save-system-message.ts';
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
const gone = appError('not-found', 'It is gone.', '', {});

beforeEach(() => {
  vi.useFakeTimers();
  main.fault = null;
});
afterEach(async () => {
  await vi.runAllTimersAsync();
  flushSystemMessages();
  await vi.runAllTimersAsync();
  main.updates = [];
  vi.useRealTimers();
});

describe('the system message of a conversation', () => {
  it('is written once typing pauses', async () => {
    saveSystemMessageSoon('a', 'Be');
    await vi.advanceTimersByTimeAsync(400);
    saveSystemMessageSoon('a', 'Be brief.');
    await vi.advanceTimersByTimeAsync(500);
    expect(main.updates).toEqual([{ id: 'a', systemMessage: 'Be brief.' }]);
    expect(unsavedSystemMessage('a')).toBeNull();
  });

  it('waits after a failure and goes again with the next flush', async () => {
    main.fault = full;
    saveSystemMessageSoon('a', 'Be brief.');
    await vi.advanceTimersByTimeAsync(500);
    expect(unsavedSystemMessage('a')).toBe('Be brief.');
    await expect(flushSystemMessage('a')).rejects.toBe(full);
    main.fault = null;
    await flushSystemMessage('a');
    await flushSystemMessage('a');
    expect(main.updates).toHaveLength(3);
    expect(unsavedSystemMessage('a')).toBeNull();
  });

  it('does not block another conversation', async () => {
    main.fault = full;
    saveSystemMessageSoon('a', 'Be brief.');
    await expect(flushSystemMessage('a')).rejects.toBe(full);
    await flushSystemMessage('b');
    main.fault = null;
    flushSystemMessages();
    await vi.advanceTimersByTimeAsync(0);
    expect(main.updates.at(-1)).toEqual({ id: 'a', systemMessage: 'Be brief.' });
  });

  it('is dropped with its conversation', async () => {
    main.fault = gone;
    saveSystemMessageSoon('a', 'Be brief.');
    await expect(flushSystemMessage('a')).rejects.toBe(gone);
    expect(unsavedSystemMessage('a')).toBeNull();
  });
});
