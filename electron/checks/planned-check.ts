/** Defines what a kind of check plans, and what the check service needs of the probe. */
import {
  type AskedRow,
  type ChatFormat,
  chatFormatSchema,
  type ProbeBody,
  type ProbeInput,
  type RowVerdict,
} from '../../shared/checks/check.ts';
import type { Cell, Comparison, ComparisonPlan } from '../../shared/comparison.ts';
import type { RecordedRun } from '../../shared/contract/runs.ts';

export type CheckComparison = Omit<ComparisonPlan, 'checkId' | 'repeats' | 'sourceComparisonId'>;

/** The questions of a check that isn't recorded yet. */
export interface PlannedCheck {
  /** Empty for a load. */
  asked: AskedRow[];
  /** With stages, each starts when the one before has ended. */
  comparisons: CheckComparison[];
}

/** Names the variant of a model, which is the index in the check's models, and a format. */
export function nameProbeVariant(format: ChatFormat, model: number): string {
  return `${format}/${model}`;
}

export function parseProbeVariant(variantId: string): { format: ChatFormat; model: number } {
  const [format, model] = variantId.split('/');
  return { format: chatFormatSchema.parse(format), model: Number(model) };
}

/** A comparison of a probe with the cells whose newest run has ended. */
export interface ProbedComparison {
  comparison: Pick<Comparison, 'id' | 'operation' | 'variants'>;
  cells: readonly Pick<Cell, 'place' | 'rowId' | 'variantId' | 'run'>[];
}

export interface ProbeReader {
  /** Returns null if the run was deleted. */
  readRun(runId: string): Promise<Pick<RecordedRun, 'view' | 'request' | 'extraBody'> | null>;
  /** Throws if the media item can't be read. */
  readBytes(mediaId: string): Promise<Uint8Array>;
}

export interface ProbeRules {
  /** Kept with the verdicts; a change of a rule increases it. */
  version: number;
  /** Stores the recording that transcription sends only if the probe is `starting`. */
  plan(input: ProbeInput, starting: boolean): Promise<PlannedCheck>;
  /** Judges the rows whose requests are all among the cells. */
  judge(
    body: ProbeBody,
    comparisons: readonly ProbedComparison[],
    reader: ProbeReader,
  ): Promise<RowVerdict[]>;
}
