import { useEffect, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { getMediaUrl } from '../../../../shared/media.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { PageError } from '../../../lib/page-failure.ts';
import type { VectorComparison } from './compare-vectors.ts';
import type {
  TaskInput,
  TaskName,
  TaskOutput,
  TaskRequest,
  TaskResponse,
  VectorSummary,
} from './vector-worker.ts';

export interface VectorSet extends VectorSummary {
  /** Rejects with a `PageError`. */
  compute: <Name extends TaskName>(name: Name, input: TaskInput<Name>) => Promise<TaskOutput<Name>>;
}

interface Loaded {
  vectors: VectorSet | null;
  error: AppError | null;
}

const nothing: Loaded = { vectors: null, error: null };

/** Loads a run's vectors into a worker; null means that there are none yet. */
export function useVectors(mediaId: string | null): Loaded {
  const [loaded, setLoaded] = useState<Loaded & { mediaId: string | null }>({
    ...nothing,
    mediaId,
  });
  useEffect(() => {
    if (mediaId === null) return undefined;
    const { compute, close } = openWorker();
    let isClosed = false;
    compute('load', { url: getVectorUrl(mediaId) }).then(
      (size) => {
        if (!isClosed) setLoaded({ mediaId, vectors: { ...size, compute }, error: null });
      },
      (cause: unknown) => {
        if (!isClosed) setLoaded({ mediaId, vectors: null, error: toAppError(cause) });
      },
    );
    return () => {
      isClosed = true;
      close();
    };
  }, [mediaId]);
  return loaded.mediaId === mediaId ? loaded : nothing;
}

/** A worker has a different base URL. */
export function getVectorUrl(mediaId: string): string {
  return new URL(getMediaUrl(mediaId), location.href).href;
}

interface ComparedState {
  output: VectorComparison | null;
  error: AppError | null;
}

/** Compares the vectors of several runs in a worker; `mediaIds` must keep its identity. */
export function useVectorComparison(mediaIds: readonly string[], k: number): ComparedState {
  const [settled, setSettled] = useState<ComparedState & { mediaIds: readonly string[] }>({
    output: null,
    error: null,
    mediaIds,
  });
  useEffect(() => {
    if (mediaIds.length === 0) return undefined;
    const { compute, close } = openWorker();
    let isClosed = false;
    compute('compare', { urls: mediaIds.map(getVectorUrl), k }).then(
      (output) => {
        if (!isClosed) setSettled({ output, error: null, mediaIds });
      },
      (cause: unknown) => {
        if (!isClosed) setSettled({ output: null, error: toAppError(cause), mediaIds });
      },
    );
    return () => {
      isClosed = true;
      close();
    };
  }, [mediaIds, k]);
  return settled.mediaIds === mediaIds ? settled : { output: null, error: null };
}

interface Waiting {
  resolve: (output: TaskOutput<TaskName>) => void;
  reject: (cause: PageError) => void;
}

function openWorker() {
  const worker = new Worker(new URL('./vector-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<TaskResponse>) => {
    const task = waiting.get(data.id);
    waiting.delete(data.id);
    if ('problem' in data) task?.reject(createFailure(data.problem));
    else task?.resolve(data.output);
  });
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(createFailure(message));
    waiting.clear();
  });
  return {
    compute<Name extends TaskName>(name: Name, input: TaskInput<Name>) {
      last += 1;
      const request: TaskRequest<Name> = { id: last, name, input };
      return new Promise<TaskOutput<Name>>((resolve, reject) => {
        // The worker replies to each request with the output of the same task.
        waiting.set(last, { resolve: (output) => resolve(output as TaskOutput<Name>), reject });
        worker.postMessage(request);
      });
    },
    close: () => worker.terminate(),
  };
}

function createFailure(detail: string): PageError {
  return new PageError({
    kind: 'unexpected',
    message: 'Couldn’t compute with these vectors.',
    nextStep: 'Open the result again.',
    gateway: null,
    detail,
  });
}
