/** Extracts base64 from a run's responses into media before the responses are recorded. */
import { createHash } from 'node:crypto';
import { parseJson } from '../../shared/parse-json.ts';
import type { RunEventBody, RunSummary } from '../../shared/run.ts';
import { mayHaveMedia } from '../gateway/frame-scan.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Replacement } from '../operations/document-steps.ts';
import type { RunDocument } from '../operations/document-thread.ts';
import { findHarvestName, type Harvest, type HarvestSink } from '../operations/harvest-media.ts';
import { beginOutput, type RunOutput } from '../operations/run-media.ts';

/** Saved files are recorded as events; methods that wait for files throw if one can't be saved. */
export interface ResponseHarvest {
  /** Returns the document with references to its files, once all are saved. */
  document(text: string): Promise<string>;
  /** Returns null if only the main thread can harvest the document. */
  longDocument(document: RunDocument): Promise<Replacement[] | null>;
  /** Returns a stream event's data with references to its files, which are saved later. */
  frame(data: string): string;
  /** Returns true if the response had a file, or the URL of the requested one. */
  isUsed(): boolean;
  /** Completes the files that a stream sent in pieces. */
  end(): Promise<void>;
}

/** `RIFF` encoded as base64. */
const WAV_START = 'UklGR';

export function harvestResponse(
  harvest: Harvest,
  store: MediaStore,
  run: Pick<RunSummary, 'id' | 'preview' | 'createdAt'>,
  exchange: number,
  recordAll: (events: readonly RunEventBody[]) => void,
  onProblem: (cause: unknown) => void,
): ResponseHarvest {
  const known = new Map<string, string>();
  const growing = new Map<string, { output: RunOutput; rest: string }>();
  let isUsed = false;
  let writing: Promise<unknown> = Promise.resolve();
  const failures: unknown[] = [];
  const saved: RunEventBody[] = [];
  let unsavedCount = 0;
  let recordedCount = 0;

  function begin(stem: string, type: string | null, bytes: Buffer): RunOutput {
    const plan = { run, stem, declaredType: type, sizeBytes: null };
    const output = beginOutput(store, plan, bytes, exchange, (event) => recordAll([event]));
    isUsed = true;
    return output;
  }

  function keep(work: Promise<unknown>): void {
    const settled = work.catch((cause: unknown) => {
      failures.push(cause);
      onProblem(cause);
    });
    writing = Promise.all([writing, settled]);
  }

  async function save(output: RunOutput, bytes: Uint8Array): Promise<void> {
    unsavedCount += 1;
    try {
      saved.push({ kind: 'media', exchange, media: await output.save(bytes) });
    } finally {
      unsavedCount -= 1;
      recordSaved();
    }
  }

  /** Doubles the number of files recorded together, because each time copies the run's list. */
  function recordSaved(): void {
    if (saved.length === 0 || (unsavedCount > 0 && saved.length < recordedCount)) return;
    recordedCount += saved.length;
    recordAll(saved.splice(0));
  }

  function add(bytes: Buffer, type: string | null, stem: string): string {
    const output = begin(stem, type, bytes);
    keep(save(output, bytes));
    return output.id;
  }

  const sink: HarvestSink = {
    add: (base64, type, stem) => add(Buffer.from(base64, 'base64'), type, stem),
    addOnce(base64, type, stem) {
      const hash = createHash('sha256').update(base64).digest('hex');
      const id = known.get(hash) ?? sink.add(base64, type, stem);
      known.set(hash, id);
      return id;
    },
    append(key, base64, type, stem) {
      const begun = growing.get(key);
      const rest = begun?.rest ?? '';
      // A WAV file without base64 padding ends before the next one begins.
      const isNext = rest !== '' && base64.startsWith(WAV_START);
      const text = isNext ? base64 : rest + base64;
      // Four characters encode three bytes; padding marks the end of a separately encoded piece.
      const whole = text.endsWith('=') ? text.length : text.length - (text.length % 4);
      const bytes = Buffer.concat([
        Buffer.from(isNext ? rest : '', 'base64'),
        Buffer.from(text.slice(0, whole), 'base64'),
      ]);
      const output = begun?.output ?? begin(stem, type, bytes);
      growing.set(key, { output, rest: text.slice(whole) });
      if (bytes.byteLength > 0) keep(output.write(bytes));
      return output.id;
    },
    refer() {
      isUsed = true;
    },
  };

  async function end(): Promise<void> {
    for (const { output, rest } of growing.values()) {
      const bytes = Buffer.from(rest, 'base64');
      if (bytes.byteLength > 0) keep(output.write(bytes));
    }
    await writing;
    if (failures.length > 0) throw failures[0];
    for (const { output } of growing.values()) {
      if (output.doneBytes > 0) await output.finish();
      else await output.forget();
    }
    growing.clear();
  }

  function convert(text: string, isFrame: boolean): string {
    const json = parseJson(text);
    if (json === undefined) return text;
    const harvested = harvest(json, sink, isFrame);
    return harvested === json ? text : JSON.stringify(harvested);
  }

  return {
    async document(text) {
      const converted = convert(text, false);
      await end();
      return converted;
    },
    async longDocument(document) {
      const name = findHarvestName(harvest);
      if (name === null) return null;
      const { files, refers, isInPieces } = await document.convert({ kind: 'harvest', name });
      if (isInPieces) return null;
      if (refers) sink.refer();
      const replacements = files.map(({ placeholder, bytes, type, stem }): Replacement => {
        const copied = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        return [placeholder, add(copied, type, stem)];
      });
      await end();
      return replacements;
    },
    frame: (data) => (mayHaveMedia(data) ? convert(data, true) : data),
    isUsed: () => isUsed,
    end,
  };
}
