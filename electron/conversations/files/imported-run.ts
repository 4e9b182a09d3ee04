/** Describes an answer from another program with the details that its export contains. */
import type { AppError } from '../../../shared/errors.ts';
import {
  type Figures,
  initialPhase,
  noTimings,
  type RunStatus,
  type RunSummary,
} from '../../../shared/run.ts';

interface ImportedRun {
  id: string;
  program: string;
  model: string;
  createdAt: number;
  status?: RunStatus;
  error?: AppError | null;
  figures?: Partial<Figures>;
  /** Milliseconds since the request. */
  firstTokenMs?: number | null;
  totalMs?: number | null;
}

export function toImportedRun(answer: ImportedRun): RunSummary {
  const { id, program, model, createdAt, status = 'succeeded', error = null } = answer;
  const { firstTokenMs = null, totalMs = null, figures } = answer;
  return {
    id,
    operation: 'chat',
    connectionId: '',
    connectionName: program,
    model,
    status,
    createdAt,
    startedAt: createdAt,
    httpStatus: null,
    error,
    conversationId: null,
    finishedAt: totalMs === null ? null : createdAt + totalMs,
    timings:
      totalMs === null
        ? null
        : {
            ...noTimings,
            sentAtMs: 0,
            firstDeltaAtMs: firstTokenMs,
            endAtMs: totalMs,
          },
    figures: { model, usage: null, finishReasons: [], noResult: null, ...figures },
    comparisonId: null,
    cell: null,
    cost: null,
    findings: [],
    sourceRunId: null,
    preview: '',
    phase: initialPhase,
    media: [],
  };
}
