/** Follows the requests of a probe, and judges the rows whose requests have ended. */
import type { ProbeBody, RowVerdict } from '../../shared/checks/check.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { isFinished, type RunSummary } from '../../shared/run.ts';
import type { ProbedComparison, ProbeReader, ProbeRules } from './planned-check.ts';

export interface ProbeProgress {
  /** Updates the cell of the run. */
  follow(run: RunSummary): void;
  /** Returns the verdicts on the rows whose requests have ended; empty if no request has since. */
  judge(): Promise<RowVerdict[]>;
}

export function createProbeProgress(options: {
  body: ProbeBody;
  comparisons: readonly Comparison[];
  rules: Pick<ProbeRules, 'judge'>;
  reader: ProbeReader;
}): ProbeProgress {
  const { body, comparisons, rules, reader } = options;
  const runs = new Map<string, Map<number, RunSummary>>();
  /** Keeps what the rules read, because several rows share a request. */
  const read = new Map<string, ReturnType<ProbeReader['readRun']>>();
  let isOutdated = false;

  function readRun(runId: string): ReturnType<ProbeReader['readRun']> {
    const reading = read.get(runId) ?? reader.readRun(runId);
    read.set(runId, reading);
    return reading;
  }

  function listCells({ id, rows, variants }: Comparison): ProbedComparison['cells'] {
    const places = rows.flatMap((row) => variants.map((variant) => [row.id, variant.id] as const));
    return places.flatMap(([rowId, variantId], place) => {
      const run = runs.get(id)?.get(place);
      return run === undefined || !isFinished(run.status) ? [] : { place, rowId, variantId, run };
    });
  }

  return {
    follow(run: RunSummary): void {
      const { comparisonId, cell } = run;
      if (comparisonId === null || cell === null) return;
      const ofComparison = runs.get(comparisonId) ?? new Map<number, RunSummary>();
      runs.set(comparisonId, ofComparison.set(cell, run));
      isOutdated ||= isFinished(run.status);
    },

    async judge(): Promise<RowVerdict[]> {
      if (!isOutdated) return [];
      isOutdated = false;
      const probed = comparisons.map((comparison) => ({
        comparison,
        cells: listCells(comparison),
      }));
      return rules.judge(body, probed, { ...reader, readRun });
    },
  };
}
