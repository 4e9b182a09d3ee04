import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pause } from '../../lib/pause.ts';
import { createRunLoader, type RunLoader, type RunPage } from './run-loader.ts';

const pauseMs = 120;

export interface RunPages<Content> {
  content: Content | null;
  problem: AppError | null;
  retry: () => void;
}

export interface RunPageSource<Content> {
  fetchPage: (after: number, signal: AbortSignal) => Promise<RunPage<Content>>;
  /** Returns `before` if the page is empty. */
  join: (before: Content | null, page: Content) => Content;
}

/** Loads recorded content page by page, and restarts if the source changes. */
export function useRunPages<Content>(
  source: RunPageSource<Content>,
  standsAt: number,
): RunPages<Content> {
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
