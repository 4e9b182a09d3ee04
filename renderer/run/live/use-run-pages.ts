import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pause } from '../../lib/pause.ts';

const pauseMs = 120;

export interface RunPageSource<Content> {
  fetchPage: (after: number, signal: AbortSignal) => Promise<RunPage<Content>>;
  /** Appends the page; returns `before` itself if the page is empty. */
  join: (before: Content | null, page: Content) => Content;
}

/** Loads recorded content page by page; starts over if the source changes. */
export function useRunPages<Content>(source: RunPageSource<Content>, standsAt: number) {
  const [content, setContent] = useState<Content | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  const loader = useRef<RunLoader | null>(null);

  useEffect(() => {
    setContent(null);
    setProblem(null);
    const created = createRunLoader({
      fetchPage: source.fetchPage,
      onContent: (page: Content) => {
        setContent((before) => source.join(before, page));
        setProblem(null);
      },
      onProblem: (error) => setProblem(toAppError(error)),
      pause: (signal) => pause(pauseMs, signal),
    });
    loader.current = created;
    return () => {
      loader.current = null;
      created.stop();
    };
  }, [source]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new loader needs to hear the number again.
  useEffect(() => loader.current?.advance(standsAt), [standsAt, source]);

  const retry = useCallback(() => loader.current?.advance(standsAt), [standsAt]);
  return { content, problem, retry };
}
export interface RunPage<Content> {
  content: Content;
  /** The number of the page's last event; `after` if the page is empty. */
  last: number;
  more: boolean;
}

export interface RunLoaderOptions<Content> {
  /** Returns events after number `after`, oldest first. */
  fetchPage: (after: number, signal: AbortSignal) => Promise<RunPage<Content>>;
  onContent: (content: Content) => void;
  onProblem: (error: unknown) => void;
  /** Pauses between pages, so that a live run's events arrive in larger pages. */
  pause: (signal: AbortSignal) => Promise<void>;
}

export interface RunLoader {
  /** Sets the run's latest event number. */
  advance: (seq: number) => void;
  stop: () => void;
}

/** Fetches events page by page, one request at a time, up to the run's latest number. */
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
        // With no more pages, everything up to the target has been searched.
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
