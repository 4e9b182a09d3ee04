/** The system messages of conversations on their way to main: written once typing pauses, each on its own. */
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';

const SAVE_AFTER_MS = 500;

/** What main does not have for sure, by conversation. */
const unsaved = new Map<string, string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** The newest call of each conversation. */
const saving = new Map<string, Promise<void>>();

/** What was typed and is not with main yet; null where main has it. */
export function unsavedSystemMessage(id: string): string | null {
  return unsaved.get(id) ?? null;
}

export function unsavedSystemMessages(): string[] {
  return [...unsaved.values()];
}

export function saveSystemMessageSoon(id: string, systemMessage: string): void {
  unsaved.set(id, systemMessage);
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => void flushSystemMessage(id), SAVE_AFTER_MS),
  );
}

/**
 * Resolves when main has what was typed in this conversation. Rejects where main does not take it: the
 * text then waits for the next call. Whoever does not await it need not catch.
 */
export function flushSystemMessage(id: string): Promise<void> {
  clearTimeout(timers.get(id));
  timers.delete(id);
  const before = saving.get(id);
  const now = before === undefined ? save(id) : before.then(noop, noop).then(() => save(id));
  const done = () => {
    if (saving.get(id) === now) saving.delete(id);
  };
  saving.set(id, now);
  now.then(done, done);
  return now;
}

/** In the page's last moment. */
export function flushSystemMessages(): void {
  for (const id of unsaved.keys()) void flushSystemMessage(id);
}

async function save(id: string): Promise<void> {
  const systemMessage = unsaved.get(id);
  if (systemMessage === undefined) return;
  try {
    await api.conversations.update({ id, systemMessage });
  } catch (cause) {
    // Of a conversation that was deleted.
    if (toAppError(cause).kind === 'not-found') unsaved.delete(id);
    throw cause;
  }
  if (unsaved.get(id) === systemMessage) unsaved.delete(id);
}

function noop(): void {
  // Either way the next call follows.
}
