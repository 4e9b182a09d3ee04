/** Keeps changed fields in memory and tab storage until the main process has saved them. */
import { z } from 'zod';
import { toAppError } from './app-error.ts';
import { waitForLink } from './link-state.ts';
import { readTabStorage, writeTabStorage } from './tab-storage.ts';

const KEY = 'gatehouse:unsaved';
/** Saves after a pause in typing, but no later than `MAX_TYPING_MS`. */
const TYPING_MS = 350;
const MAX_TYPING_MS = 2000;
/** The delay before retrying, because a full disk may have space again. */
const RETRY_MS = 3000;

const kinds = ['form', 'system-message', 'reference-text'] as const;

/** An unset field has no value. */
const keptSchema = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  fields: z.array(z.tuple([z.string()]).rest(z.unknown())),
});

/** Maps field names to values; undefined unsets a field. */
export type Fields = ReadonlyMap<string, unknown>;

export interface UnsavedFields {
  kind: (typeof kinds)[number];
  id: string;
  fields: Fields;
}

export interface SaveQueue {
  readonly unsaved: Fields;
  put(fields: Iterable<readonly [name: string, value: unknown]>, typing?: boolean): void;
  /**
   * Saves now and rejects on failure; keeps retrying if the connection is lost or the disk is full.
   */
  flush(): Promise<void>;
  /** Calls `save` even without unsaved fields; while the user is typing, after a pause. */
  refresh(): void;
  /** Discards the unsaved fields. */
  clear(): void;
  /** Removes the queue, including from `listUnsaved`. */
  close(): void;
}

interface SaveQueueOptions extends Pick<UnsavedFields, 'kind' | 'id'> {
  /** Only one call runs at a time; an empty map only refreshes. */
  save: (fields: Fields) => Promise<unknown>;
  /** If false, the fields aren't saved until the next change. */
  canSave?: (fields: Fields) => boolean;
}

const queues = new Set<SaveQueue & Pick<UnsavedFields, 'kind' | 'id'> & { isDue(): boolean }>();
/** Fields that the previous page left in tab storage, until a queue claims them. */
let left = readTabStorage(KEY).flatMap(readUnsaved);

/** Creates a queue that also saves fields the previous page left under this ID. */
export function createSaveQueue({ kind, id, save, canSave }: SaveQueueOptions): SaveQueue {
  const unsaved = new Map<string, unknown>();
  let unsavedSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStale = false;
  let isReopening = false;
  let last: Promise<void> = Promise.resolve();
  let pending = 0;

  async function attempt(): Promise<void> {
    const wasStale = isStale;
    const sent = canSave?.(unsaved) === false ? new Map() : new Map(unsaved);
    if (sent.size === 0 && !wasStale) return;
    isStale = false;
    unsavedSince = performance.now();
    try {
      await save(sent);
      for (const [name, value] of sent) if (unsaved.get(name) === value) unsaved.delete(name);
    } catch (cause) {
      const { kind } = toAppError(cause);
      if (kind === 'unreachable') {
        isStale ||= wasStale;
        if (!isReopening) void flushOnceOpen();
      } else if (kind === 'file' && sent.size > 0) scheduleSave(RETRY_MS);
      throw cause;
    } finally {
      keepUnsaved();
    }
  }

  async function flushOnceOpen(): Promise<void> {
    isReopening = true;
    await waitForLink(new AbortController().signal);
    isReopening = false;
    void queue.flush();
  }

  function scheduleSave(ms: number): void {
    timer ??= setTimeout(queue.flush, ms);
  }

  function stopTimer(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  const queue = {
    kind,
    id,
    unsaved,
    isDue: () => timer !== undefined,
    put(fields: Iterable<readonly [string, unknown]>, typing = false) {
      if (unsaved.size === 0) unsavedSince = performance.now();
      for (const [name, value] of fields) unsaved.set(name, value);
      stopTimer();
      const waited = performance.now() - unsavedSince;
      scheduleSave(typing ? Math.max(0, Math.min(TYPING_MS, MAX_TYPING_MS - waited)) : 0);
    },
    flush() {
      stopTimer();
      last = pending === 0 ? attempt() : last.catch(ignore).then(attempt);
      pending += 1;
      last.catch(ignore).finally(() => {
        pending -= 1;
      });
      return last;
    },
    refresh() {
      isStale = true;
      if (timer === undefined) void queue.flush();
    },
    clear() {
      stopTimer();
      unsaved.clear();
    },
    close() {
      queue.clear();
      queues.delete(queue);
    },
  };
  queues.add(queue);
  const isOwn = (one: UnsavedFields) => one.kind === kind && one.id === id;
  for (const { fields } of left.filter(isOwn)) queue.put(fields);
  left = left.filter((one) => !isOwn(one));
  return queue;
}

/** Lists fields that may not be saved yet, including those of the previous page. */
export function listUnsaved(): UnsavedFields[] {
  const own = [...queues].map(({ kind, id, unsaved }) => ({ kind, id, fields: unsaved }));
  return [...left, ...own].filter(({ fields }) => fields.size > 0);
}

/** Returns the IDs of forms with fields that the previous page didn't save. */
export function listLeftIds(kind: UnsavedFields['kind']): string[] {
  return left.filter((one) => one.kind === kind).map(({ id }) => id);
}

/** Keeps unsaved fields for the tab's next page, because a closing page can't wait for a save. */
export function keepUnsaved(): void {
  const kept = listUnsaved().map(({ kind, id, fields }) => ({
    kind,
    id,
    // JSON has no undefined, so an unset field omits the second item.
    fields: [...fields].map(([name, value]) => (value === undefined ? [name] : [name, value])),
  }));
  writeTabStorage(KEY, kept);
}

/** Saves typed fields without waiting for a pause. */
export function flushTyped(): void {
  for (const queue of queues) if (queue.isDue()) void queue.flush();
}

function readUnsaved(kept: unknown): UnsavedFields[] {
  const { data } = keptSchema.safeParse(kept);
  if (data === undefined) return [];
  return [{ ...data, fields: new Map(data.fields.map(([name, value]) => [name, value])) }];
}

function ignore(): void {}
