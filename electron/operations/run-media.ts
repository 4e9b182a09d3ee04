/** Saves a run's output files, which are recorded at the first byte and again when complete. */
import type { Media } from '../../shared/media.ts';
import { createOutputStem } from '../../shared/output-name.ts';
import type { RunEventBody, RunSummary } from '../../shared/run.ts';
import { getNameByContent } from '../media/media-name.ts';
import type { MediaStore } from '../media/media-store.ts';

export interface OutputPlan {
  run: Pick<RunSummary, 'id' | 'preview' | 'createdAt'>;
  stem: string;
  declaredType: string | null;
  sizeBytes: number | null;
}

/** Methods throw a `UserFacingError` on a disk or file problem. */
export interface RunOutput {
  readonly id: string;
  readonly doneBytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Writes and finishes a file whose bytes have all arrived; the caller records it. */
  save(bytes: Uint8Array): Promise<Media>;
  finish(): Promise<Media>;
  /** Deletes the partial file. */
  forget(): Promise<void>;
}

/** `opening` is used only to detect the file type; write those bytes as well. */
export function beginOutput(
  store: MediaStore,
  { run, stem, declaredType, sizeBytes }: OutputPlan,
  opening: Uint8Array,
  exchange: number,
  record: (event: RunEventBody) => void,
): RunOutput {
  const named = createOutputStem(run.preview, new Date(run.createdAt), stem);
  const name = store.freeName(getNameByContent(named, opening, declaredType));
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
    async write(bytes: Uint8Array): Promise<void> {
      doneBytes += bytes.byteLength;
      await writer.write(bytes);
      recordFirst();
    },
    save: (bytes: Uint8Array): Promise<Media> =>
      store.saveInTurn(async () => {
        await writer.write(bytes);
        return writer.finish();
      }),
    async finish(): Promise<Media> {
      const media = await writer.finish();
      isRecorded = true;
      record({ kind: 'media', exchange, media });
      return media;
    },
    forget: () => writer.abort(),
  };
}
