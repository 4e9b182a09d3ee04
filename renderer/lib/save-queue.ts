/** Changed fields on their way to the main process: kept in the page, and in the tab over a reload, until it has them. */
import { z } from 'zod';
import { toAppError } from './app-error.ts';
import { linkOpen } from './link-state.ts';
import { readTabStorage, writeTabStorage } from './tab-storage.ts';

const KEY = 'gatehouse:unsaved';
/** Typing is saved once it pauses, and at the latest after `MAX_TYPING_MS`. */
const TYPING_MS = 350;
const MAX_TYPING_MS = 2000;
/** A full disk may have room again. */
const RETRY_MS = 3000;

const kinds = ['form', 'system-message', 'reference-text'] as const;

/** A field without a value is to be unset. */
const keptSchema = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  fields: z.array(z.tuple([z.string()]).rest(z.unknown())),
});

/** By name; a field that is undefined is to be unset. */
export type Fields = ReadonlyMap<string, unknown>;

export interface UnsavedFields {
  kind: (typeof kinds)[number];
  id: string;
  fields: Fields;
}

export interface SaveQueue {
  readonly unsaved: Fields;
  put(fields: Iterable<readonly [name: string, value: unknown]>, typing?: boolean): void;
  /** Saves now. Rejects if this attempt fails; a lost link and a full disk are tried again anyway. */
  flush(): Promise<void>;
  /** Calls `save` even if nothing is unsaved. */
  refresh(): void;
  /** Forgets what is unsaved. */
  clear(): void;
  /** Also removes the queue from `listUnsaved`. */
  close(): void;
}

interface SaveQueueOptions extends Pick<UnsavedFields, 'kind' | 'id'> {
  /** One call at a time. The empty map only refreshes. */
  save: (fields: Fields) => Promise<unknown>;
  /** Fields that would be refused wait until they are changed. */
  canSave?: (fields: Fields) => boolean;
}

const queues = new Set<SaveQueue & Pick<UnsavedFields, 'kind' | 'id'> & { isDue(): boolean }>();
/** Fields that the previous page left in the tab, until a queue takes them over. */
let left = readTabStorage(KEY).flatMap(readUnsaved);

/** Saves what the previous page left behind under this ID. */
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
      } else if (kind === 'file' && sent.size > 0) saveIn(RETRY_MS);
      throw cause;
    } finally {
      keepUnsaved();
    }
  }

  async function flushOnceOpen(): Promise<void> {
    isReopening = true;
    await linkOpen(new AbortController().signal);
    isReopening = false;
    void queue.flush();
  }

  function saveIn(ms: number): void {
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
      saveIn(typing ? Math.max(0, Math.min(TYPING_MS, MAX_TYPING_MS - waited)) : 0);
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
      void queue.flush();
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

/** Everything the main process may not have, including what the previous page left behind. */
export function listUnsaved(): UnsavedFields[] {
  const own = [...queues].map(({ kind, id, unsaved }) => ({ kind, id, fields: unsaved }));
  return [...left, ...own].filter(({ fields }) => fields.size > 0);
}

/** The IDs for which the previous page left something behind. */
export function listLeftIds(kind: UnsavedFields['kind']): string[] {
  return left.filter((one) => one.kind === kind).map(({ id }) => id);
}

/** A page that leaves can't wait for the main process, so the next page in this tab saves the rest. */
export function keepUnsaved(): void {
  const kept = listUnsaved().map(({ kind, id, fields }) => ({
    kind,
    id,
    // JSON has no undefined.
    fields: [...fields].map(([name, value]) => (value === undefined ? [name] : [name, value])),
  }));
  writeTabStorage(KEY, kept);
}

/** Ends every wait for a pause in typing. */
export function flushTyped(): void {
  for (const queue of queues) if (queue.isDue()) void queue.flush();
}

function readUnsaved(kept: unknown): UnsavedFields[] {
  const { data } = keptSchema.safeParse(kept);
  if (data === undefined) return [];
  return [{ ...data, fields: new Map(data.fields.map(([name, value]) => [name, value])) }];
}

function ignore(): void {}
