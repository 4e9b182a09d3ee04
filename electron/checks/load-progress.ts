/** Follows the requests of a load, measures its stages and says when it reaches a limit. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoadBody, LoadResult, StageFigures, StopReason } from '../../shared/checks/check.ts';
import {
  type LoadSample,
  measureStage,
  toLoadSample,
} from '../../shared/checks/load/measure-stage.ts';
import type { Comparison } from '../../shared/comparison.ts';
import type { RunSummary } from '../../shared/run.ts';

type LoopDelay = NonNullable<StageFigures['client']['loopDelayMs']>;

/** Measures how late timers fire, which shows whether this computer keeps up. */
export interface LoopMonitor {
  start(): void;
  /** Returns the delays since `start`, which may be called again. */
  read(): LoopDelay | null;
  stop(): void;
}

interface MeasuredStage {
  atOnce: number;
  first: number;
  end: number;
  samples: Map<number, LoadSample>;
  /** Counted as they come, because each finished request asks for it. */
  failed: number;
  loopDelayMs: LoopDelay | null;
  /** Null while the figures are outdated. */
  figures: StageFigures | null;
}

interface MeasuredModel {
  model: string;
  comparisonId: string;
  stages: MeasuredStage[];
}

export interface LoadProgress {
  /** Adds a finished request, if it is part of the load; keeps the first of several. */
  add(run: RunSummary, isLive: boolean): void;
  /** Returns the figures of the stages with a finished request. */
  measure(): LoadResult[];
  /** Returns the limit that is reached; `dollars` is the cost so far. */
  findLimit(dollars: number | null): StopReason | null;
  close(): void;
}

/** `comparisons` are those of the body, in its order. */
export function createLoadProgress(
  body: LoadBody,
  comparisons: readonly Comparison[],
  monitor: LoopMonitor,
): LoadProgress {
  const models = comparisons.map((comparison) => openModel(comparison));
  let current: MeasuredStage | null = null;

  function find(comparisonId: string | null, place: number): MeasuredStage | undefined {
    const model = models.find((each) => each.comparisonId === comparisonId);
    return model?.stages.find(({ end }) => place < end);
  }

  function measure(stage: MeasuredStage): StageFigures {
    if (stage === current) stage.loopDelayMs = monitor.read();
    const { atOnce, loopDelayMs } = stage;
    const warmupRequests = body.warmup * atOnce;
    const settings = { atOnce, warmupRequests, target: body.target, loopDelayMs };
    stage.figures ??= measureStage(settings, [...stage.samples.values()]);
    return stage.figures;
  }

  return {
    add(run: RunSummary, isLive: boolean): void {
      const stage = run.cell === null ? undefined : find(run.comparisonId, run.cell);
      if (stage === undefined || run.cell === null) return;
      if (isLive && stage !== current) {
        if (current !== null) measure(current);
        current = stage;
        monitor.start();
      }
      const sample = toLoadSample(run, run.cell - stage.first);
      if (sample === null || stage.samples.has(sample.place)) return;
      stage.samples.set(sample.place, sample);
      if (sample.error !== null) stage.failed += 1;
      stage.figures = null;
    },

    measure: () =>
      models.map(({ model, stages }) => ({
        model,
        stages: stages.filter(({ samples }) => samples.size > 0).map(measure),
      })),

    findLimit(dollars: number | null): StopReason | null {
      const { cost, errorShare } = body.limits;
      if (cost !== null && dollars !== null && dollars >= cost) return 'cost';
      if (errorShare === null) return null;
      const all = models.flatMap(({ stages }) => stages);
      return [current === null ? [] : [current], all].some((stages) => fails(stages, errorShare))
        ? 'errors'
        : null;
    },

    close: () => monitor.stop(),
  };
}

function openModel({ id, variants, stages = [] }: Comparison): MeasuredModel {
  let first = 0;
  return {
    model: String(variants[0]?.request.model),
    comparisonId: id,
    stages: stages.map(({ atOnce, requests }) => {
      const end = first + requests;
      const stage = { atOnce, first, end, samples: new Map(), failed: 0 };
      first = end;
      return { ...stage, loopDelayMs: null, figures: null };
    }),
  };
}

/** With fewer requests, a few errors would be a large share. */
const MIN_FOR_SHARE = 20;

function fails(stages: readonly MeasuredStage[], share: number): boolean {
  const count = stages.reduce((sum, { samples }) => sum + samples.size, 0);
  const failed = stages.reduce((sum, stage) => sum + stage.failed, 0);
  return count >= MIN_FOR_SHARE && failed > 0 && failed / count >= share;
}

const RESOLUTION_MS = 10;

/** Node reports the time between two timers, of which the delay is the part over the resolution. */
export function createLoopMonitor(): LoopMonitor {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const toDelay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    start() {
      histogram.reset();
      histogram.enable();
    },
    read() {
      if (!Number.isFinite(histogram.mean)) return null;
      return {
        p50: toDelay(histogram.percentile(50)),
        p99: toDelay(histogram.percentile(99)),
        max: toDelay(histogram.max),
      };
    },
    stop: () => void histogram.disable(),
  };
}
