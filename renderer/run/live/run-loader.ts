export interface RunPage<Content> {
  content: Content;
  /** The number of the last event that it holds; `after` where it holds none. */
  last: number;
  /** Whether there is more behind it. */
  more: boolean;
}

export interface RunLoaderOptions<Content> {
  /** What was recorded after number `after`, oldest first. */
  fetchPage: (after: number, signal: AbortSignal) => Promise<RunPage<Content>>;
  onContent: (content: Content) => void;
  onProblem: (error: unknown) => void;
  /** Lets the next page of a live run gather. */
  pause: (signal: AbortSignal) => Promise<void>;
}

export interface RunLoader {
  /** The run is at this number now. */
  advance: (seq: number) => void;
  stop: () => void;
}

/** Fetches what is recorded of a run page by page, one request at a time, up to its current number. */
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
        // Without more pages everything up to the target was searched, also what was filtered out.
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
