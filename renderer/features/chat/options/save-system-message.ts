/** The system messages of conversations on their way to main: written once typing pauses, each on its own. */
import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { useLinkState } from '../../../lib/link-state.ts';
import { keepInTab, keptInTab } from '../../../lib/tab-storage.ts';

const KEY = 'gatehouse:unsaved-system-messages';
const SAVE_AFTER_MS = 500;

/** What main does not have for sure, by conversation; at first, what the page before had left behind. */
const unsaved = new Map(keptInTab(KEY).flatMap(readUnsaved));
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

/** In the page's last moment; the next page writes what main does not get any more. */
export function leaveSystemMessages(): void {
  keepUnsaved();
  flushSystemMessages();
}

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
    if (toAppError(cause).kind === 'not-found') forget(id);
    throw cause;
  }
  if (unsaved.get(id) === systemMessage) forget(id);
}

function forget(id: string): void {
  unsaved.delete(id);
  keepUnsaved();
}

function keepUnsaved(): void {
  keepInTab(
    KEY,
    [...unsaved].map(([id, systemMessage]) => ({ id, systemMessage })),
  );
}

function readUnsaved(kept: JsonValue): [id: string, systemMessage: string][] {
  if (!isJsonObject(kept)) return [];
  const { id, systemMessage } = kept;
  return typeof id === 'string' && typeof systemMessage === 'string' ? [[id, systemMessage]] : [];
}

function noop(): void {
  // Either way the next call follows.
}

// What a lost link kept from main, in this page or the one before.
if (useLinkState.getState() === 'open') flushSystemMessages();
useLinkState.subscribe((link, before) => {
  if (link === 'open' && before !== 'open') flushSystemMessages();
});
