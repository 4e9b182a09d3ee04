import { useQueryClient } from '@tanstack/react-query';
import { mediaReference } from '../../../shared/media.ts';
import type { RunInput } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { api } from '../../lib/api.ts';
import { type Attempt, useAttempt } from '../../lib/use-attempt.ts';
import { cacheInput } from '../../run/live/recorded-input.ts';
import { embeddingsForm } from './embeddings-form.ts';

/** Returns a function that sends the remaining inputs in a new run. */
export function useResume(view: RunView<'embeddings'> | null, recorded: RunInput | null) {
  const queries = useQueryClient();
  const { attempt, busy, error }: Attempt = useAttempt();

  async function resume(run: RunView<'embeddings'>, { request, ...rest }: RunInput): Promise<void> {
    const { doneCount, dimensions } = run.state;
    const [file] = run.media;
    if (file === undefined || dimensions === null) return;
    const done = { media: mediaReference(file.id), count: doneCount, dimensions };
    const { extraBody, wireNames } = rest;
    const input = { request: { ...request, resume: done }, extraBody, wireNames };
    const { connectionId, operation } = run;
    const { runId } = await api.runs.start({ connectionId, operation, ...input });
    cacheInput(queries, runId, { ...input, follow: null });
    embeddingsForm.change({ runId });
  }

  return {
    busy,
    error,
    resume: () => {
      if (view !== null && recorded !== null) void attempt(() => resume(view, recorded));
    },
  };
}
