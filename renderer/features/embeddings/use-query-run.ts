import { useState } from 'react';
import type { AppError, FieldError } from '../../../shared/errors.ts';
import { isFinished, type RunInput } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { getFieldErrors } from '../../lib/field-errors.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { getVectorUrl } from './work/use-vectors.ts';

interface QueryRun {
  /** Null if no text was embedded. */
  runId: string | null;
  text: string;
  isRunning: boolean;
  /** The URL of the file with the query's vector; null until the file is available. */
  url: string | null;
  error: AppError | null;
  fieldErrors: readonly FieldError[];
  start: (text: string) => void;
  clear: () => void;
}

/** Embeds a text with the connection, model and parameters of an earlier run. */
export function useQueryRun(connectionId: string, recorded: RunInput): QueryRun {
  const [started, setStarted] = useState<{ runId: string; text: string } | null>(null);
  const { busy, error, attempt } = useAttempt();
  const view = useRun('embeddings', started?.runId ?? null);
  const media = view !== null && isFinished(view.status) ? view.media[0] : undefined;

  async function start(text: string): Promise<void> {
    const { resume: _resume, ...request } = recorded.request;
    const { input: _input, ...extraBody } = recorded.extraBody;
    const { wireNames } = recorded;
    const { runId } = await api.runs.start({
      connectionId,
      operation: 'embeddings',
      request: { ...request, input: [text] },
      extraBody,
      wireNames,
    });
    setStarted({ runId, text });
  }

  return {
    runId: started?.runId ?? null,
    text: started?.text ?? '',
    isRunning: busy || (started !== null && (view === null || !isFinished(view.status))),
    url: media === undefined ? null : getVectorUrl(media.id),
    error: error ?? view?.error ?? null,
    fieldErrors: getFieldErrors(error),
    start: (text) => void attempt(() => start(text)),
    clear: () => setStarted(null),
  };
}
