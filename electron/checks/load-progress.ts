/** Follows the requests of a load, measures its stages and says when it reaches a limit. */
import type { LoadBody, LoadResult, StageFigures, StopReason } from '../../shared/checks/check.ts';
import {
  type LoadSample,
  type LoadStage,
  listStages,
  measureStage,
  toLoadSample,
} from '../../shared/checks/load/measure-stage.ts';
import type { Comparison } from '../../shared/comparison.ts';
import type { RunSummary } from '../../shared/run.ts';

interface MeasuredStage extends LoadStage {
  samples: Map<number, LoadSample>;
  /** Counted as they come, because each finished request asks for it. */
  failed: number;
  /** Null while the figures are outdated. */
  figures: StageFigures | null;
}

export interface LoadProgress {
  /** Adds a finished request, if it is part of the load; keeps the first of several. */
  add(run: RunSummary, isLive: boolean): void;
  /** Returns the figures of the stages with a finished request. */
  measure(): LoadResult[];
  /** Returns the limit that is reached; `dollars` is the cost so far. */
  findLimit(dollars: number | null): StopReason | null;
}

/** `comparisons` are those of the body, in its order. */
export function createLoadProgress(
  body: LoadBody,
  comparisons: readonly Comparison[],
): LoadProgress {
  const models = new Map(
    comparisons.map(({ id, variants }) => {
      const stages = listStages(body).map(
        (stage): MeasuredStage => ({ ...stage, samples: new Map(), failed: 0, figures: null }),
      );
      return [id, { model: String(variants[0]?.request.model), stages }];
    }),
  );
  let current: MeasuredStage | null = null;

  return {
    add(run: RunSummary, isLive: boolean): void {
      const place = run.cell ?? Number.POSITIVE_INFINITY;
      const stages = models.get(run.comparisonId ?? '')?.stages;
      const stage = stages?.find(({ end }) => place < end);
      if (stage === undefined) return;
      if (isLive) current = stage;
      const sample = toLoadSample(run, place - stage.first);
      if (sample === null || stage.samples.has(sample.place)) return;
      stage.samples.set(sample.place, sample);
      if (sample.error !== null) stage.failed += 1;
      stage.figures = null;
    },

    measure: () =>
      [...models.values()].map(({ model, stages }) => {
        const measured = stages.filter(({ samples }) => samples.size > 0);
        for (const stage of measured) {
          stage.figures ??= measureStage(stage, body.target, [...stage.samples.values()]);
        }
        return { model, stages: measured.flatMap(({ figures }) => figures ?? []) };
      }),

    findLimit(dollars: number | null): StopReason | null {
      const { cost, errorShare } = body.limits;
      if (cost !== null && dollars !== null && dollars >= cost) return 'cost';
      if (errorShare === null) return null;
      const all = [...models.values()].flatMap(({ stages }) => stages);
      const isOver = (current && fails([current], errorShare)) || fails(all, errorShare);
      return isOver ? 'errors' : null;
    },
  };
}

/** With fewer requests, a few errors would be a large share. */
const MIN_FOR_SHARE = 20;

function fails(stages: readonly MeasuredStage[], share: number): boolean {
  const count = stages.reduce((sum, { samples }) => sum + samples.size, 0);
  const failed = stages.reduce((sum, stage) => sum + stage.failed, 0);
  return count >= MIN_FOR_SHARE && failed > 0 && failed / count >= share;
}
