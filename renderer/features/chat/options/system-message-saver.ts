/** Saves the system message a moment after the last keystroke, and before anything is sent. */
import { api } from '../../../lib/api.ts';

const SAVE_AFTER_MS = 500;

let waiting: { id: string; systemMessage: string } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let saving: Promise<unknown> = Promise.resolve();

export function saveSystemMessageSoon(id: string, systemMessage: string): void {
  if (waiting !== null && waiting.id !== id) void flushSystemMessage();
  waiting = { id, systemMessage };
  clearTimeout(timer);
  timer = setTimeout(() => void flushSystemMessage(), SAVE_AFTER_MS);
}

/** Settled when main has every system message typed so far. */
export function flushSystemMessage(): Promise<unknown> {
  clearTimeout(timer);
  if (waiting === null) return saving;
  const update = waiting;
  waiting = null;
  saving = api.conversations.update(update);
  // Told to whoever sends next; nobody else waits for it.
  saving.catch(() => undefined);
  return saving;
}
