/** Reads an imported file on a thread and yields it in pieces. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UserFacingError } from '../../../shared/errors.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { getWorkerUrl } from '../../base/worker-url.ts';
import { importError } from './conversation-file.ts';
import { SPLIT } from './import-limits.ts';
import { type ImportPiece, readPiece } from './import-pieces.ts';
import type { ImportWorkerResponse } from './import-worker.ts';

export interface ReadPiece {
  piece: ImportPiece;
  /** The content of a media item; null for other pieces. */
  bytes: Uint8Array | null;
}

/** The largest file allowed needs less than half of this. */
const MAX_HEAP_MB = 2048;

/**
 * Transfers the bytes; throws a `UserFacingError` for an invalid file, and an AbortError once the
 * signal is aborted. The thread ends with the generator.
 */
export async function* readOnThread(
  bytes: Uint8Array<ArrayBuffer>,
  given?: AbortSignal,
): AsyncGenerator<ReadPiece, void> {
  given?.throwIfAborted();
  const worker = new Worker(getWorkerUrl('./import-worker.ts', import.meta.url), {
    workerData: { bytes },
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const stop = new AbortController();
  const signal = given === undefined ? stop.signal : AbortSignal.any([given, stop.signal]);
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The import’s thread ended.');
  });
  ended.catch(() => undefined);
  try {
    for (;;) {
      const answered = once(worker, 'message', { signal });
      worker.postMessage('next');
      const [message] = await Promise.race([answered, ended]);
      const answer: ImportWorkerResponse = message;
      if (answer.kind === 'failed') throw new UserFacingError(answer.error);
      if (answer.kind === 'end') return;
      const { text, bytes: content } = answer.piece;
      yield { piece: readPiece(parseJson(text)), bytes: content };
      signal.throwIfAborted();
    }
  } catch (cause) {
    throw isOutOfMemory(cause) ? importError('The file needs too much memory.', SPLIT) : cause;
  } finally {
    stop.abort();
    await worker.terminate();
  }
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
