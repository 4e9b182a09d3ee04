/** Writes a run's vectors to one .npy file, in which row N belongs to input N. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import { createMediaReference } from '../../shared/media.ts';
import { encodeNpyHeader, NPY_TYPE, readNpy } from '../../shared/operations/embeddings/npy.ts';
import {
  isStoredVector,
  mapVectors,
  type StoredVector,
} from '../../shared/operations/embeddings/vector-places.ts';
import { parseRounded } from '../../shared/parse-json.ts';
import { readVector } from './read-vector.ts';
import type { RunContext } from './run-context.ts';
import { beginOutput, type RunOutput } from './run-media.ts';

interface Batch {
  count: number;
  /** The requested encoding or type. */
  format: string;
}

/** Methods throw a `UserFacingError` if the file can't be read or written. */
export interface VectorFile {
  /** The number of rows written so far. */
  readonly rows: number;
  /** Copies the first `count` rows of an earlier run's file. */
  copy(mediaId: string, count: number): Promise<void>;
  /** Writes the vectors of a response; returns its text with references in their place. */
  store(text: string, batch: Batch): Promise<string>;
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

    async store(text: string, { count, format }: Batch): Promise<string> {
      // Float32 vectors don't need exact digits.
      const response = parseRounded(text);
      if (response === undefined) return text;
      const first = rows;
      const found = new Map<number, Float32Array>();
      const recorded = mapVectors(response, count, (value, index) => {
        if (index >= count || found.has(index)) return value;
        const vector = readVector(value, format);
        if (vector === null) return value;
        const { values, encoding } = vector;
        if (dimensions === 0) dimensions = values.length;
        if (values.length !== dimensions) return value;
        found.set(index, values);
        return { media: '', row: first + index, dimensions, encoding } satisfies StoredVector;
      });
      if (recorded === null || found.size === 0) return text;
      const values = new Float32Array(count * dimensions).fill(Number.NaN);
      for (const [index, vector] of found) values.set(vector, index * dimensions);
      const { id } = await open(dimensions);
      const media = createMediaReference(id);
      await write(values);
      const named = mapVectors(recorded, count, (value) =>
        isStoredVector(value) ? { ...value, media } : value,
      );
      return JSON.stringify(named);
    },

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
