/** Saves texts that aren't in forms while the user types, each with its own queue. */
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import type { AppError } from '../../shared/errors.ts';
import { toAppError } from './app-error.ts';
import { createSaveQueue, listLeftIds, type SaveQueue, type UnsavedFields } from './save-queue.ts';

export interface SavedTexts {
  /** Returns the unsaved text; null if it's saved. */
  getUnsaved(id: string): string | null;
  saveSoon(id: string, text: string): void;
  /** Resolves immediately if everything is saved; see `SaveQueue.flush`. */
  flush(id: string): Promise<void>;
  /** Maps IDs to why the main process rejected the text; excludes connection losses. */
  useProblems: UseBoundStore<StoreApi<Readonly<Record<string, AppError>>>>;
}

interface SavedTextsOptions {
  kind: UnsavedFields['kind'];
  /** Rejects with `not-found` if the text's owner was deleted. */
  save: (id: string, text: string) => Promise<unknown>;
  canSave?: (text: string) => boolean;
}

export function createSavedTexts({ kind, save, canSave }: SavedTextsOptions): SavedTexts {
  const queues = new Map<string, SaveQueue>();
  const useProblems = create<Readonly<Record<string, AppError>>>(() => ({}));

  const getText = (fields: ReadonlyMap<string, unknown> | undefined) => {
    const text = fields?.get('text');
    return typeof text === 'string' ? text : null;
  };

  function getQueue(id: string): SaveQueue {
    const queue =
      queues.get(id) ??
      createSaveQueue({
        kind,
        id,
        save: (fields) => write(id, getText(fields) ?? ''),
        ...(canSave && { canSave: (fields) => canSave(getText(fields) ?? '') }),
      });
    queues.set(id, queue);
    return queue;
  }

  async function write(id: string, text: string): Promise<void> {
    try {
      await save(id, text);
      report(id, null);
    } catch (cause) {
      const problem = toAppError(cause);
      report(id, problem);
      if (problem.kind === 'not-found') queues.get(id)?.clear();
      throw cause;
    }
  }

  function report(id: string, problem: AppError | null): void {
    const { [id]: _before, ...others } = useProblems.getState();
    const isSaid = problem !== null && problem.kind !== 'unreachable';
    useProblems.setState(isSaid ? { ...others, [id]: problem } : others, true);
  }

  for (const id of listLeftIds(kind)) getQueue(id);

  return {
    getUnsaved: (id) => getText(queues.get(id)?.unsaved),
    saveSoon: (id, text) => getQueue(id).put([['text', text]], true),
    flush: (id) => queues.get(id)?.flush() ?? Promise.resolve(),
    useProblems,
  };
}
