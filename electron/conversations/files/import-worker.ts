/** Reads and checks an imported file in a thread, because parsing it blocks for seconds. */
import { parentPort, workerData } from 'node:worker_threads';
import { type AppError, UserFacingError } from '../../../shared/errors.ts';
import { extractInlineData } from './extract-inline-data.ts';
import { type WrittenPiece, writePieces } from './import-pieces.ts';
import { readConversationFile } from './read-file.ts';

export type ImportWorkerResponse =
  | { kind: 'piece'; piece: WrittenPiece }
  | { kind: 'end' }
  | { kind: 'failed'; error: AppError };

const { bytes }: { bytes: Uint8Array } = workerData;

let pieces: Generator<WrittenPiece, void> | null = null;

// The main process requests each piece, so that it handles other work in between.
parentPort?.on('message', () => {
  try {
    pieces ??= writePieces(extractInlineData(readConversationFile(bytes)));
    const { done, value } = pieces.next();
    if (done === true) send({ kind: 'end' });
    else send({ kind: 'piece', piece: value });
  } catch (cause) {
    if (!(cause instanceof UserFacingError)) throw cause;
    send({ kind: 'failed', error: cause.error });
  }
});

function send(answer: ImportWorkerResponse): void {
  const moved =
    answer.kind === 'piece' && answer.piece.bytes !== null ? [answer.piece.bytes.buffer] : [];
  parentPort?.postMessage(answer, moved);
}
