/** Films in the making and made: one at a time, from their order on; the oldest are made again when requested. */
import { runSingle } from '../studio/studio.ts';
import type { FilmPlan } from '../studio/worker/jobs.ts';

export interface VideoCache {
  /** Starts making it, unless it was ordered before. */
  film: (id: string, plan: FilmPlan) => Promise<Buffer>;
  /** `failed` with the reason where it could not be made. */
  progress: (id: string) => 'making' | 'made' | { failed: string };
  close: () => void;
}

const MAX_BYTES = 256 * 1024 * 1024;

type Make = (plan: FilmPlan, signal: AbortSignal) => Promise<Uint8Array>;
const makeInStudio: Make = (plan, signal) => runSingle({ kind: 'film', plan }, signal);

export function createVideoCache(make: Make = makeInStudio): VideoCache {
  const closing = new AbortController();
  const films = new Map<string, { bytes: Promise<Buffer>; sizeBytes: number }>();
  const states = new Map<string, 'made' | { failed: string }>();
  let last: Promise<unknown> = Promise.resolve();

  function order(id: string, plan: FilmPlan): Promise<Buffer> {
    const bytes = last.then(async () => Buffer.from(await make(plan, closing.signal)));
    last = bytes.catch(() => undefined);
    const entry = { bytes, sizeBytes: 0 };
    films.set(id, entry);
    bytes.then(
      ({ length }) => {
        entry.sizeBytes = length;
        states.set(id, 'made');
        makeRoom(id);
      },
      (cause: unknown) => {
        films.delete(id);
        states.set(id, { failed: cause instanceof Error ? cause.message : String(cause) });
      },
    );
    return bytes;
  }

  function makeRoom(newest: string): void {
    let total = [...films.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const [id, { sizeBytes }] of films) {
      if (total <= MAX_BYTES) return;
      if (id === newest || sizeBytes === 0) continue;
      films.delete(id);
      total -= sizeBytes;
    }
  }

  return {
    film: (id, plan) => films.get(id)?.bytes ?? order(id, plan),
    progress: (id) => states.get(id) ?? 'making',
    close: () => closing.abort(),
  };
}
