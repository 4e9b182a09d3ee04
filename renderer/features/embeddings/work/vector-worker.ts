/** Keeps the vectors of one run, and computes with them off the main thread. */
import { readNpy, type Vectors } from '../../../../shared/operations/embeddings/npy.ts';
import { compareVectors, type VectorComparison } from './compare-vectors.ts';
import { exportVectors, toNumbers, type VectorFormat } from './export-vectors.ts';
import { type Projection, type ProjectionMethod, projectVectors } from './project-vectors.ts';
import { computeMatrix, findNeighbors, type Matrix, type Neighbor } from './similarity.ts';
import { countRows, getLengths, getRow, hasVector, type Measure } from './vector-math.ts';

export interface VectorSummary {
  rows: number;
  dimensions: number;
  /** The first `HEAD` values of each row. */
  heads: Float32Array;
  /** NaN for a row without a vector. */
  lengths: Float64Array;
}

/** The number of values that the list shows per vector. */
export const HEAD = 4;

interface Tasks {
  load: { input: { url: string }; output: VectorSummary };
  row: { input: { row: number }; output: number[] | null };
  matrix: { input: { measure: Measure }; output: Matrix };
  neighbors: { input: NeighborQuery; output: Neighbor[] };
  map: { input: { method: ProjectionMethod }; output: Projection };
  compare: { input: { urls: readonly string[]; k: number }; output: VectorComparison };
  export: { input: { inputs: readonly string[]; format: VectorFormat }; output: Blob };
}

export interface NeighborQuery {
  /** A row, or the URL of a file whose first row is the query. */
  query: number | string;
  measure: Measure;
}

export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Tasks[Name]['input'];
export type TaskOutput<Name extends TaskName> = Tasks[Name]['output'];
export interface TaskRequest<Name extends TaskName> {
  id: number;
  name: Name;
  input: TaskInput<Name>;
}
export type TaskResponse =
  | { id: number; output: TaskOutput<TaskName> }
  | { id: number; problem: string };

let vectors: Vectors = { values: new Float32Array(0), dimensions: 1 };

const tasks: {
  readonly [Name in TaskName]: (
    input: TaskInput<Name>,
  ) => TaskOutput<Name> | Promise<TaskOutput<Name>>;
} = {
  matrix: ({ measure }) => computeMatrix(vectors, measure),
  async neighbors({ query, measure }) {
    if (typeof query === 'number') {
      if (!hasVector(vectors, query)) throw new Error('This input has no vector.');
      return findNeighbors(vectors, getRow(vectors, query), measure, query);
    }
    const other = await readVectors(query);
    if (other.dimensions !== vectors.dimensions) {
      throw new Error('The query and input vectors have different lengths.');
    }
    return findNeighbors(vectors, getRow(other, 0), measure, null);
  },
  async compare({ urls, k }) {
    return compareVectors(await Promise.all(urls.map(readVectors)), k);
  },
  map: ({ method }) => projectVectors(vectors, method),
  async load({ url }) {
    vectors = await readVectors(url);
    const rows = countRows(vectors);
    const heads = new Float32Array(rows * HEAD);
    for (let row = 0; row < rows; row += 1) {
      heads.set(getRow(vectors, row).subarray(0, HEAD), row * HEAD);
    }
    return { rows, dimensions: vectors.dimensions, heads, lengths: getLengths(vectors) };
  },
  row: ({ row }) => toNumbers(vectors, row),
  export: ({ inputs, format }) => exportVectors(vectors, inputs, format),
};

async function readVectors(url: string): Promise<Vectors> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('The file of the vectors couldn’t be read.');
  const read = readNpy(await response.arrayBuffer());
  if (read === null) throw new Error('The file of the vectors is damaged.');
  return read;
}

async function run<Name extends TaskName>({ id, name, input }: TaskRequest<Name>): Promise<void> {
  let taskResponse: TaskResponse;
  try {
    taskResponse = { id, output: await tasks[name](input) };
  } catch (cause) {
    taskResponse = { id, problem: cause instanceof Error ? cause.message : String(cause) };
  }
  postMessage(taskResponse);
}

addEventListener('message', ({ data }: MessageEvent<TaskRequest<TaskName>>) => void run(data));
