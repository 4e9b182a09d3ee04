/** Texts on their way to main: written once typing pauses, each on its own, over failures and from page to page. */
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import type { AppError } from '../../shared/errors.ts';
import { toAppError } from './app-error.ts';
import { useLinkState } from './link-state.ts';
import { writeTabStorage } from './tab-storage.ts';
import type { UnsavedTexts } from './unsaved-texts.ts';

export interface SavedTexts {
  /** What was typed and is not with main yet; null if main has it. */
  unsaved(id: string): string | null;
  saveSoon(id: string, text: string): void;
  /**
   * Resolves when main has what was typed under this ID; also where there is nothing to write, or nothing that `canSave`
   * allows. Rejects where main does not take it: the text then waits for the next call or for the link, unless what it
   * belongs to is gone. Whoever does not await it need not catch.
   */
  flush(id: string): Promise<void>;
  flushAll(): void;
  /** By ID, why main did not take a text; a lost link is the shell's to say. */
  useProblems: UseBoundStore<StoreApi<Readonly<Record<string, AppError>>>>;
  /** In the page's last moment; the next page writes what main does not get any more. */
  leave(): void;
}

interface SavedTextsOptions {
  unsaved: UnsavedTexts;
  afterMs: number;
  /** A text that is not there any more is a `not-found` failure. */
  save: (id: string, text: string) => Promise<unknown>;
  /** What main would refuse waits until it is changed. */
  canSave?: (text: string) => boolean;
}

export function createSavedTexts(options: SavedTextsOptions): SavedTexts {
  const { unsaved, afterMs, save, canSave = () => true } = options;
  const texts = unsaved.byId;
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The newest call of each. */
  const saving = new Map<string, Promise<void>>();
  const useProblems = create<Readonly<Record<string, AppError>>>(() => ({}));

  function flush(id: string): Promise<void> {
    clearTimeout(timers.get(id));
    timers.delete(id);
    const before = saving.get(id);
    const now = before === undefined ? write(id) : before.then(noop, noop).then(() => write(id));
    const done = () => {
      if (saving.get(id) === now) saving.delete(id);
    };
    saving.set(id, now);
    now.then(done, done);
    return now;
  }

  function flushAll(): void {
    for (const id of texts.keys()) void flush(id);
  }

  async function write(id: string): Promise<void> {
    const text = texts.get(id);
    if (text === undefined || !canSave(text)) return;
    try {
      await save(id, text);
      notice(id, null);
    } catch (cause) {
      const problem = toAppError(cause);
      notice(id, problem);
      if (problem.kind === 'not-found') forget(id);
      throw cause;
    }
    if (texts.get(id) === text) forget(id);
  }

  function notice(id: string, problem: AppError | null): void {
    const { [id]: _before, ...others } = useProblems.getState();
    const isSaid = problem !== null && problem.kind !== 'unreachable';
    useProblems.setState(isSaid ? { ...others, [id]: problem } : others, true);
  }

  function forget(id: string): void {
    texts.delete(id);
    keep();
  }

  function keep(): void {
    writeTabStorage(
      unsaved.key,
      [...texts].map(([id, text]) => ({ id, text })),
    );
  }

  // What a lost link kept from main, in this page or the one before.
  if (useLinkState.getState() === 'open') flushAll();
  useLinkState.subscribe((link, before) => {
    if (link === 'open' && before !== 'open') flushAll();
  });

  return {
    unsaved: (id) => texts.get(id) ?? null,
    saveSoon(id, text) {
      texts.set(id, text);
      clearTimeout(timers.get(id));
      timers.set(
        id,
        setTimeout(() => void flush(id), afterMs),
      );
    },
    flush,
    flushAll,
    useProblems,
    leave() {
      keep();
      flushAll();
    },
  };
}

function noop(): void {
  // Either way the next call follows.
}
