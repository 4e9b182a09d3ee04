import type { RunEvent } from '../../../shared/run.ts';

export interface EventPage {
  events: RunEvent[];
  more: boolean;
}

export interface EventLoaderOptions {
  /** Events after number `after`, oldest first. */
  fetchPage: (after: number, signal: AbortSignal) => Promise<EventPage>;
  onEvents: (events: RunEvent[]) => void;
  onProblem: (error: unknown) => void;
  /** Lets the next page of a live run gather. */
  pause: (signal: AbortSignal) => Promise<void>;
}

export interface EventLoader {
  /** The run stands at this number now. */
  advance: (seq: number) => void;
  stop: () => void;
}

/** Fetches the events of a run page by page, one request at a time, as far as the run stands. */
export function createEventLoader(options: EventLoaderOptions): EventLoader {
  const stopped = new AbortController();
  let loadedTo = 0;
  let standsAt = 0;
  let loading = false;

  async function load(): Promise<void> {
    if (loading) return;
    loading = true;
    try {
      while (loadedTo < standsAt && !stopped.signal.aborted) {
        const target = standsAt;
        const page = await options.fetchPage(loadedTo, stopped.signal);
        if (stopped.signal.aborted) return;
        const last = page.events.at(-1)?.seq ?? loadedTo;
        // Without more pages all up to the target was looked through, also what the kinds leave out.
        loadedTo = page.more ? last : Math.max(last, target);
        if (page.events.length > 0) options.onEvents(page.events);
        if (!page.more) await options.pause(stopped.signal);
      }
    } catch (error) {
      if (!stopped.signal.aborted) options.onProblem(error);
    } finally {
      loading = false;
    }
  }

  return {
    advance(seq) {
      standsAt = Math.max(standsAt, seq);
      void load();
    },
    stop: () => stopped.abort(),
  };
}
