/** Reads an imported file on a thread and yields it in pieces. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UserFacingError } from '../../../shared/errors.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { getWorkerUrl } from '../../worker-url.ts';
import { type ImportPiece, readPiece } from './import-pieces.ts';
import type { ImportAnswer } from './import-worker.ts';

export interface ReadPiece {
  piece: ImportPiece;
  /** The content of a media item; null for other pieces. */
  bytes: Uint8Array | null;
}

/** Transfers the bytes; throws a `UserFacingError` before the first piece for an invalid file. */
export async function* readOnThread(
  bytes: Uint8Array<ArrayBuffer>,
): AsyncGenerator<ReadPiece, void> {
  const worker = new Worker(getWorkerUrl('./import-worker.ts', import.meta.url), {
    workerData: { bytes },
    transferList: [bytes.buffer],
  });
  const stop = new AbortController();
  const { signal } = stop;
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The import’s thread ended.');
  });
  ended.catch(() => undefined);
  try {
    for (;;) {
      const answered = once(worker, 'message', { signal });
      worker.postMessage('next');
      const [message] = await Promise.race([answered, ended]);
      const answer: ImportAnswer = message;
      if (answer.kind === 'failed') throw new UserFacingError(answer.error);
      if (answer.kind === 'end') return;
      const { text, bytes: content } = answer.piece;
      yield { piece: readPiece(parseJson(text)), bytes: content };
    }
  } finally {
    stop.abort();
    await worker.terminate();
  }
}
