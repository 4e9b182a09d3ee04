export interface RunPage<Content> {
  content: Content;
  /** The number of the page's last event; `after` if it is empty. */
  last: number;
  more: boolean;
}

export interface RunLoaderOptions<Content> {
  /** Returns the events after number `after`, oldest first. */
  fetchPage: (after: number, signal: AbortSignal) => Promise<RunPage<Content>>;
  onContent: (content: Content) => void;
  onProblem: (error: unknown) => void;
  /** Lets a page of events gather during a live run. */
  pause: (signal: AbortSignal) => Promise<void>;
}

export interface RunLoader {
  /** Reports the run's current number. */
  advance: (seq: number) => void;
  stop: () => void;
}

/** Fetches the recorded events page by page, one request at a time, up to the run's current number. */
export function createRunLoader<Content>(options: RunLoaderOptions<Content>): RunLoader {
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
        const { content, last, more } = await options.fetchPage(loadedTo, stopped.signal);
        if (stopped.signal.aborted) return;
        // Without more pages, everything up to the target was searched.
        loadedTo = more ? last : Math.max(last, target);
        options.onContent(content);
        if (!more) await options.pause(stopped.signal);
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
