/** Follows the requests of a probe, and judges the rows whose requests have ended. */
import { createHash } from 'node:crypto';
import type { ProbeBody, RowVerdict, StopReason } from '../../shared/checks/check.ts';
import type { ProbeAnswer } from '../../shared/checks/probe/judge-row.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { readNpy } from '../../shared/operations/embeddings/npy.ts';
import { isFinished, type RunSummary } from '../../shared/run.ts';
import { isRunOf, type RunView } from '../../shared/run-view.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Engine } from '../runs/engine.ts';
import { judgeProbe } from './probe.ts';

export interface ProbeReader {
  engine: Pick<Engine, 'read'>;
  media: Pick<MediaStore, 'readBytes'>;
  now: () => number;
}

export interface ProbeProgress {
  /** Updates the cell of the run. */
  follow(run: RunSummary): void;
  /** Returns a reason to stop after this run; call it once for each run that ends. */
  findLimit(ended: RunSummary): StopReason | null;
  /** Returns the verdicts on the rows whose requests have ended; empty if no request has since. */
  judge(): Promise<RowVerdict[]>;
}

/** After so many failures because of the gateway or the key, the next requests would fail too. */
const MAX_FAILURES_IN_A_ROW = 20;
const LASTING = new Set<string | undefined>(['unreachable', 'unauthorized', 'key-needed']);

export function createProbeProgress(
  body: ProbeBody,
  comparisons: readonly Comparison[],
  reader: ProbeReader,
): ProbeProgress {
  const runs = new Map<string, RunSummary>();
  /** The runs by which each row was judged. */
  let judged = new Map<string, string>();
  /** Keeps short answers, because several rows share a request. */
  const answers = new Map<string, ProbeAnswer>();
  let isOutdated = false;
  let failuresInARow = 0;

  function findRun(comparisonId: string, place: number): RunSummary | undefined {
    const run = runs.get(`${comparisonId} ${place}`);
    return run !== undefined && isFinished(run.status) ? run : undefined;
  }

  async function readOnce(runId: string): Promise<ProbeAnswer | null> {
    const answer = answers.get(runId) ?? (await readAnswer(runId, reader));
    if (answer !== null && isShort(answer)) answers.set(runId, answer);
    return answer;
  }

  return {
    follow(run: RunSummary): void {
      runs.set(`${run.comparisonId} ${run.cell}`, run);
      isOutdated ||= isFinished(run.status);
    },

    findLimit({ error }) {
      failuresInARow = LASTING.has(error?.kind) ? failuresInARow + 1 : 0;
      return failuresInARow === MAX_FAILURES_IN_A_ROW ? 'errors' : null;
    },

    async judge(): Promise<RowVerdict[]> {
      if (!isOutdated) return [];
      isOutdated = false;
      const judging = new Map(judged);
      const verdicts = await judgeProbe(body, comparisons, {
        findRun,
        isJudged(row, runIds) {
          const isSame = judging.get(row) === runIds;
          judging.set(row, runIds);
          return isSame;
        },
        readAnswer: readOnce,
        now: reader.now,
      });
      judged = judging;
      return verdicts;
    },
  };
}

const SHORT_BYTES = 256 * 1024;
const isShort = ({ view }: ProbeAnswer) => (view?.timings?.receivedBytes ?? 0) <= SHORT_BYTES;

/** Returns null if the run was deleted. */
async function readAnswer(
  runId: string,
  { engine, media }: ProbeReader,
): Promise<ProbeAnswer | null> {
  try {
    const { view, request, extraBody } = await engine.read(runId);
    return { request: { ...request, ...extraBody }, view, ...(await readFile(view, media)) };
  } catch (cause) {
    if (cause instanceof UserFacingError) return null;
    throw cause;
  }
}

/** Longer than any sentence of speech. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads the file that a rule needs: the vectors of a few inputs, or a sentence of speech. */
async function readFile(
  view: RunView,
  media: ProbeReader['media'],
): Promise<Pick<ProbeAnswer, 'vectors' | 'fileHash'>> {
  const [file] = view.media;
  const isSpeech = isRunOf(view, 'speech');
  const isNeeded = isSpeech || isRunOf(view, 'embeddings');
  if (!isNeeded || file === undefined || view.status !== 'succeeded') return {};
  if (file.sizeBytes > MAX_FILE_BYTES) return {};
  const bytes = await media.readBytes(file.id).catch(() => null);
  if (bytes === null) return {};
  if (isSpeech) return { fileHash: createHash('sha256').update(bytes).digest('hex') };
  const npy = readNpy(Uint8Array.from(bytes).buffer);
  if (npy === null) return {};
  const { values, dimensions } = npy;
  const starts = Array.from({ length: values.length / dimensions }, (_, row) => row * dimensions);
  return { vectors: starts.map((start) => [...values.subarray(start, start + dimensions)]) };
}
