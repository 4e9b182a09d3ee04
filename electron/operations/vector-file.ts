/** Writes a run's vectors to one .npy file, in which row N belongs to input N. */
import { randomUUID } from 'node:crypto';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { createMediaReference } from '../../shared/media.ts';
import { encodeNpyHeader, NPY_TYPE, readNpy } from '../../shared/operations/embeddings/npy.ts';
import { parseRounded } from '../../shared/parse-json.ts';
import { type Batch, type ReadVectors, readVectors } from './read-vectors.ts';
import type { ConvertResponse, RunContext } from './run-context.ts';
import { beginOutput, type RunOutput } from './run-media.ts';

/** Methods throw a `UserFacingError` if the file can't be read or written. */
export interface VectorFile {
  /** The number of rows written so far. */
  readonly rows: number;
  /** Copies the first `count` rows of an earlier run's file. */
  copy(mediaId: string, count: number): Promise<void>;
  /** Writes the vectors of a response, whose text gets references in their place. */
  store(batch: Batch): ConvertResponse;
  /** Fills the rows of unsent inputs, so that the file has the size that its header states. */
  finish(): Promise<void>;
}

export function createVectorFile(
  context: RunContext<'embeddings'>,
  inputCount: number,
): VectorFile {
  let output: RunOutput | null = null;
  let dimensions = 0;
  let rows = 0;

  async function open(columns: number): Promise<RunOutput> {
    if (output !== null) return output;
    dimensions = columns;
    const header = encodeNpyHeader(inputCount, columns);
    const plan = {
      run: context.view(),
      stem: 'embeddings',
      declaredType: NPY_TYPE,
      sizeBytes: header.byteLength + inputCount * columns * 4,
    };
    output = beginOutput(context.media, plan, header, 0, context.record);
    await output.write(header);
    return output;
  }

  async function write(values: Float32Array): Promise<void> {
    const file = await open(dimensions);
    await file.write(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    rows += values.length / dimensions;
  }

  /** Returns the reference to the file. */
  async function writeAll(read: Pick<ReadVectors, 'values' | 'dimensions'>): Promise<string> {
    const { id } = await open(read.dimensions);
    await write(read.values);
    return createMediaReference(id);
  }

  return {
    get rows() {
      return rows;
    },

    async copy(mediaId: string, count: number): Promise<void> {
      const { buffer, byteOffset, byteLength } = await context.media.readBytes(mediaId);
      const file = buffer.slice(byteOffset, byteOffset + byteLength);
      const earlier = file instanceof ArrayBuffer ? readNpy(file) : null;
      if (earlier === null) throw new UserFacingError(unusable);
      await open(earlier.dimensions);
      await write(earlier.values.subarray(0, count * earlier.dimensions));
    },

    store: (batch) => ({
      async convert(text) {
        // Float32 vectors don't need exact digits.
        const response = parseRounded(text);
        if (response === undefined) return text;
        const placeholder = randomUUID();
        const read = readVectors(response, batch, {
          firstRow: rows,
          dimensions,
          media: placeholder,
        });
        if (read === null) return text;
        const media = await writeAll(read);
        return JSON.stringify(read.recorded).replaceAll(placeholder, media);
      },
      async convertLong(document) {
        const { vectors } = await document.convert({
          kind: 'vectors',
          batch,
          firstRow: rows,
          dimensions,
        });
        return vectors === null ? [] : [[vectors.placeholder, await writeAll(vectors)]];
      },
    }),

    async finish(): Promise<void> {
      if (output === null) return;
      const rest = inputCount - rows;
      const row = new Float32Array(dimensions).fill(Number.NaN);
      for (let left = rest; left > 0; left -= 1) await write(row);
      await output.finish();
    },
  };
}

const unusable = appError(
  'file',
  'The vectors of the earlier run can’t be read.',
  'Run all inputs again.',
);
