/** Media that a run produces: each recorded at its first byte, and again when it is complete. */
import type { Media } from '../../shared/media.ts';
import { outputStem } from '../../shared/output-name.ts';
import type { RunEventBody, RunSummary } from '../../shared/run.ts';
import { nameByContent } from '../media/media-name.ts';
import type { MediaStore } from '../media/media-store.ts';

export interface OutputPlan {
  /** The run, after which it is named. */
  run: Pick<RunSummary, 'id' | 'preview' | 'createdAt'>;
  /** What it is, for a run that says nothing of it: `speech`. */
  stem: string;
  /** MIME type as the sender declares it. */
  declaredType: string | null;
  /** Where it is known. */
  sizeBytes: number | null;
}

/** Methods throw a `UserFacingError` if the disk or the file is the problem. */
export interface RunOutput {
  readonly id: string;
  /** Bytes received so far. */
  readonly doneBytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Sniffs, measures and records it. */
  finish(): Promise<Media>;
  /** Deletes what was received. */
  forget(): Promise<void>;
}

/** `opening`: the first bytes, for the name only; write them too. */
export function beginOutput(
  store: MediaStore,
  { run, stem, declaredType, sizeBytes }: OutputPlan,
  opening: Uint8Array,
  exchange: number,
  record: (event: RunEventBody) => void,
): RunOutput {
  const named = outputStem(run.preview, new Date(run.createdAt), stem);
  const name = store.freeName(nameByContent(named, opening, declaredType));
  const writer = store.begin({ name, declaredType, role: 'output', runId: run.id, sizeBytes });
  let doneBytes = 0;
  let isRecorded = false;

  function recordFirst(): void {
    if (isRecorded) return;
    isRecorded = true;
    const media = store.get(writer.id);
    if (media) record({ kind: 'media', exchange, media });
  }

  return {
    id: writer.id,
    get doneBytes() {
      return doneBytes;
    },
    async write(bytes) {
      doneBytes += bytes.byteLength;
      await writer.write(bytes);
      recordFirst();
    },
    async finish() {
      const media = await writer.finish();
      isRecorded = true;
      record({ kind: 'media', exchange, media });
      return media;
    },
    forget: () => writer.abort(),
  };
}
