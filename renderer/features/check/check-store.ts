import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type {
  ChatFormat,
  CheckInput,
  LoadFigure,
  TargetPercentile,
} from '../../../shared/checks/check.ts';
import {
  createLoadRequest,
  type PromptOperation,
  promptFields,
} from '../../../shared/checks/load/load-request.ts';
import { MIN_SAMPLES } from '../../../shared/checks/load/percentiles.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { CheckKind } from '../../run/check/listed-check.ts';

interface ProbeDraft {
  formats: readonly ChatFormat[];
  operations: readonly OperationName[];
}

/** The number fields of a load; a field without `isRequired` may be empty. */
export const loadNumbers = {
  stageRequests: { label: 'Requests per stage', min: 1, max: 20_000, isRequired: true },
  warmup: { label: 'Warm-up per user', min: 0, max: 10, isRequired: true },
  maxTokens: { label: 'Max output tokens', min: 1, max: 1_000_000, isRequired: false },
  maxRequests: { label: 'Total requests', min: 1, max: 1_000_000, isRequired: false },
  maxSeconds: { label: 'Duration (s)', min: 1, max: 1_000_000, isRequired: false },
  maxDollars: { label: 'Cost ($)', min: 0.0001, max: 1_000_000, isRequired: false },
  maxErrorPercent: { label: 'Errors (%)', min: 0, max: 100, isRequired: false },
  targetMs: { label: 'At most (ms)', min: 1, max: 1_000_000, isRequired: true },
};
export type LoadNumber = keyof typeof loadNumbers;

export interface LoadDraft extends Record<LoadNumber, number | null> {
  operation: PromptOperation;
  prompt: string;
  /** Sends each line as a separate prompt, in turn. */
  isPerLine: boolean;
  /** Numbers of requests at once, separated by commas or spaces. */
  stages: string;
  /** Empty for no target. */
  figure: LoadFigure | '';
  percentile: TargetPercentile;
}

interface CheckStore {
  /** The chosen models by connection. */
  models: Readonly<Record<string, readonly string[]>>;
  probe: ProbeDraft;
  load: LoadDraft;
}

/** Like text elsewhere, a draft survives a reload but not the tab. */
export const useCheckStore = create<CheckStore>()(
  persist(
    (): CheckStore => ({
      models: {},
      probe: { formats: [''], operations: ['console', 'chat'] },
      load: {
        operation: 'chat',
        prompt: 'Describe a harbor at dawn in three sentences.',
        isPerLine: false,
        stages: '1, 2, 4, 8, 16',
        stageRequests: 20,
        warmup: 1,
        maxTokens: 64,
        maxRequests: 1000,
        maxSeconds: 600,
        maxDollars: null,
        maxErrorPercent: 50,
        figure: 'firstTokenMs',
        percentile: 95,
        targetMs: 2000,
      },
    }),
    { name: 'gatehouse:check', version: 1, storage: createJSONStorage(() => sessionStorage) },
  ),
);

export function changeProbe(fields: Partial<ProbeDraft>): void {
  useCheckStore.setState(({ probe }) => ({ probe: { ...probe, ...fields } }));
}

export function changeLoad(fields: Partial<LoadDraft>): void {
  useCheckStore.setState(({ load }) => ({ load: { ...load, ...fields } }));
}

type Read = { input: CheckInput } | { problem: string };

/** Returns what the shown form asks, or its first problem. */
export function readInput(
  kind: CheckKind,
  connectionId: string | null,
  models: readonly string[],
): Read {
  const { probe, load } = useCheckStore.getState();
  if (connectionId === null) return { problem: 'Choose a connection first.' };
  if (models.length === 0) return { problem: 'Choose a model first.' };
  const target = { connectionId, models: [...models] };
  return kind === 'probe' ? readProbe(target, probe) : readLoad(target, load);
}

type Target = Pick<CheckInput, 'connectionId' | 'models'>;

function readProbe(target: Target, { formats, operations }: ProbeDraft): Read {
  if (operations.length === 0) return { problem: 'Choose what to ask.' };
  const isWithoutFormat = operations.includes('chat') && formats.length === 0;
  if (isWithoutFormat) return { problem: 'Choose a chat format.' };
  return {
    input: {
      ...target,
      kind: 'probe',
      formats: formats.length === 0 ? [''] : [...formats],
      operations: [...operations],
    },
  };
}

function readLoad(target: Target, draft: LoadDraft): Read {
  const lines = draft.isPerLine ? draft.prompt.split('\n') : [draft.prompt];
  const prompts = lines.filter((line) => line.trim() !== '');
  if (prompts.length === 0) return { problem: 'Enter a prompt.' };
  if (prompts.length > 1000) return { problem: 'Too many prompts. The limit is 1,000.' };
  const problem = Object.values(findLoadProblems(draft))[0];
  if (problem !== undefined) return { problem };
  const { operation, maxTokens, figure, percentile, targetMs, maxErrorPercent } = draft;
  return {
    input: {
      ...target,
      kind: 'load',
      operation,
      requests: prompts.map((prompt) =>
        createLoadRequest(operation, promptFields[operation](prompt), maxTokens),
      ),
      extraBody: {},
      wireNames: {},
      stages: readStages(draft).map((atOnce) => ({ atOnce, requests: draft.stageRequests ?? 0 })),
      warmup: draft.warmup ?? 0,
      limits: {
        requests: draft.maxRequests,
        seconds: draft.maxSeconds,
        cost: draft.maxDollars,
        errorShare: maxErrorPercent === null ? null : maxErrorPercent / 100,
      },
      target: figure === '' || targetMs === null ? null : { figure, percentile, ms: targetMs },
    },
  };
}

/** Returns NaN for what isn't a number; a number that is entered twice is one stage. */
function readStages({ stages }: LoadDraft): number[] {
  const words = stages.split(/[\s,;]+/).filter((word) => word !== '');
  return [...new Set(words.map(Number))];
}

/** Returns what is wrong with each field, in the order of the form. */
export function findLoadProblems(draft: LoadDraft): Partial<Record<LoadNumber | 'stages', string>> {
  const stages = readStages(draft);
  const needed = Math.max(draft.figure === '' ? 1 : MIN_SAMPLES[draft.percentile], ...stages);
  const isValid = stages.every((each) => Number.isInteger(each) && each >= 1 && each <= 200);
  const problems: Partial<Record<LoadNumber | 'stages', string>> = {};
  if (!isValid || stages.length === 0 || stages.length > 50) {
    problems.stages = 'Enter up to 50 numbers from 1 to 200.';
  } else if ((draft.stageRequests ?? 0) < needed) {
    problems.stageRequests = `Stages and target need at least ${needed}.`;
  }
  for (const name of Object.keys(loadNumbers) as LoadNumber[]) {
    const { min, max, isRequired } = loadNumbers[name];
    const value = draft[name];
    const isUnused = name === 'targetMs' && draft.figure === '';
    if (isUnused || (value === null && !isRequired)) continue;
    if (value === null || value < min || value > max)
      problems[name] ??= `Enter a number from ${min} to ${max.toLocaleString('en')}.`;
  }
  return problems;
}
