/** Fakes the main process for panels. Responds with whatever a test has stored. */
import { ORPCError } from '@orpc/client';
import type { CheckHint, ListedCheck } from '../../shared/checks/check.ts';
import type { Cell, Comparison, ListedComparison } from '../../shared/comparison.ts';
import { type NoteChange, noNotes } from '../../shared/comparison-notes.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import type { ModelSuggestions } from '../../shared/contract/models.ts';
import type { RecordedRun, RunUpdate, StartInput } from '../../shared/contract/runs.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import type { ListedVoice } from '../../shared/model-facts.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunFilterStatus, RunInput, RunSummary } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { ParameterPreset, SavedPrompt, SavedRequest } from '../../shared/saved-items.ts';
import type { SavedRunFilter } from '../../shared/saved-run-filter.ts';
import { defaultSettings, type Settings } from '../../shared/settings.ts';
import { fakeForms } from './fake-forms.ts';
import { noMetrics } from './history-metrics.ts';
import { answerCalls } from './page-api.ts';
import { demo } from './params-fixtures.tsx';
import type { StandIn } from './stand-in.ts';

function emptyMain() {
  return {
    started: [] as StartInput[],
    cancelled: [] as string[],
    /** Runs, newest first. */
    runs: [] as RunView[],
    comparisons: [] as ListedComparison[],
    /** Opened comparisons by ID. */
    plans: new Map<string, Comparison>(),
    /** IDs of comparisons whose variant names are hidden. */
    blind: [] as string[],
    /** Note changes in all comparisons, oldest first. */
    noted: [] as NoteChange[],
    /** Cells of each comparison in `plans`. */
    cells: new Map<string, Cell[]>(),
    inputs: new Map<string, RunInput>(),
    media: new Map<string, Media>(),
    presets: [] as ParameterPreset[],
    prompts: [] as SavedPrompt[],
    savedRequests: [] as SavedRequest[],
    filters: [] as SavedRunFilter[],
    metrics: noMetrics,
    settings: defaultSettings,
    connections: [demo],
    hints: [] as CheckHint[],
    checks: [] as ListedCheck[],
    models: {
      models: [],
      preselected: 'demo-model',
      listProblem: null,
    } as ModelSuggestions,
    voices: [] as ListedVoice[],
  };
}

/** State and recorded calls. Spy on `api` for a different response. */
export const main = emptyMain();

export function resetMain(): void {
  Object.assign(main, emptyMain());
}

/** Returns the error with which the main process rejects a call. */
export function refusal(error: AppError): ORPCError<'APP_ERROR', AppError> {
  return new ORPCError('APP_ERROR', { defined: true, data: error });
}

const notFound = appError('not-found', 'It does not exist.', '');

function runOf(id: string): RunView {
  const view = main.runs.find((run) => run.id === id);
  if (view === undefined) throw refusal(notFound);
  return view;
}

interface ListQuery {
  operation: OperationName | null;
  status?: RunFilterStatus | null;
  comparisonId?: string | null | undefined;
  folded?: boolean | undefined;
  limit: number;
}

export const api = {
  forms: fakeForms,
  settings: {
    get: async () => main.settings,
    /** Only these settings change in panels. */
    update: async ({
      selectedConnectionId = main.settings.selectedConnectionId,
      favoriteModels = main.settings.favoriteModels,
    }: {
      selectedConnectionId?: Settings['selectedConnectionId'] | undefined;
      favoriteModels?: Settings['favoriteModels'] | undefined;
    }) => {
      main.settings = { ...main.settings, selectedConnectionId, favoriteModels };
      return main.settings;
    },
  },
  connections: { list: async () => main.connections },
  models: {
    suggest: async (_input: object) => main.models,
    voices: async (_input: object) => main.voices,
  },
  saved: {
    prompts: {
      list: async () => main.prompts,
      save: async (saved: Omit<SavedPrompt, 'id'>) => {
        const prompt = { ...saved, id: `prompt ${saved.name}` };
        main.prompts = [...main.prompts.filter(({ id }) => id !== prompt.id), prompt];
        return prompt;
      },
    },
    presets: {
      list: async () => main.presets,
      save: async (saved: Omit<ParameterPreset, 'id'>) => {
        const isSame = ({ operation, name }: ParameterPreset) =>
          operation === saved.operation && name === saved.name;
        const preset = { ...saved, id: main.presets.find(isSame)?.id ?? `preset ${saved.name}` };
        main.presets = [...main.presets.filter((one) => !isSame(one)), preset];
        return preset;
      },
    },
    requests: { list: async () => main.savedRequests },
    filters: {
      list: async () => main.filters,
      save: async (saved: Omit<SavedRunFilter, 'id'>) => {
        const filter = { ...saved, id: `filter ${saved.name}` };
        main.filters = [...main.filters.filter(({ id }) => id !== filter.id), filter];
        return filter;
      },
    },
    remove: async ({ id }: { id: string }) => {
      main.prompts = main.prompts.filter((one) => one.id !== id);
      main.presets = main.presets.filter((one) => one.id !== id);
      main.filters = main.filters.filter((one) => one.id !== id);
      return { deletionId: `deletion of ${id}` };
    },
  },
  media: {
    get: async ({ id }: { id: string }) => main.media.get(id) ?? null,
    list: async () => {
      const listed = [...main.media.values()].map((one) => ({
        ...one,
        role: 'output' as const,
        run: null,
      }));
      return { media: listed, more: false };
    },
    remove: async (_input: { id: string }) => ({ deletionId: null }),
    rename: async ({ id, name }: { id: string; name: string }) => {
      const item = main.media.get(id);
      if (item === undefined) throw refusal(notFound);
      main.media.set(id, { ...item, name });
      return { ...item, name };
    },
    setShape: async ({ id, ...shape }: { id: string; sampleRate: number; channels: number }) => {
      const item = main.media.get(id);
      if (item === undefined) throw refusal(notFound);
      main.media.set(id, { ...item, ...shape });
      return { ...item, ...shape };
    },
  },
  comparisons: {
    get: async ({ id }: { id: string }) => {
      const comparison = main.plans.get(id);
      if (comparison === undefined) throw refusal(notFound);
      return { comparison, notes: noNotes };
    },
    /** Yields the current state once. */
    watch: async ({ id }: { id: string }) => {
      const comparison = main.plans.get(id);
      if (comparison === undefined) throw refusal(notFound);
      return (async function* (): AsyncGenerator<ComparisonUpdate, void> {
        const cells = main.cells.get(id) ?? [];
        yield { comparison, notes: noNotes, cells, more: false, heldBy: null, sending: [] };
      })();
    },
    blind: async () => main.blind,
    start: async ({ title }: { title: string }) => ({ id: `comparison ${title}` }),
    retry: async (_input: { id: string; places: number[] | null }): Promise<void> => undefined,
    note: async ({ change }: { id: string; change: NoteChange }) => {
      main.noted.push(change);
    },
    remove: async ({ id }: { id: string }) => {
      main.runs = main.runs.filter((run) => run.comparisonId !== id);
      return { deletionId: `deletion of ${id}` };
    },
  },
  checks: {
    hints: async (_input: object) => main.hints,
    list: async () => main.checks,
    remove: async ({ id }: { id: string }) => {
      main.checks = main.checks.filter((check) => check.id !== id);
      return { deletionId: `deletion of ${id}` };
    },
  },
  deletions: { undo: async (_input: { ids: string[] }) => ({ renamed: [], notes: [] }) },
  runs: {
    start: async (input: StartInput) => {
      main.started.push(input);
      return { runId: 'started' };
    },
    get: async ({ id }: { id: string }): Promise<RecordedRun> => {
      const input = main.inputs.get(id);
      const given = input ?? { request: {}, extraBody: {}, wireNames: {}, follow: null };
      return { ...given, view: runOf(id), baseUrl: demo.baseUrl };
    },
    /** Yields the current state once. The page watches again if the run is unfinished. */
    watch: async ({ id, after }: { id: string; after: number | null }) => {
      const view = runOf(id);
      return (async function* (): AsyncGenerator<RunUpdate, void> {
        if (view.seq !== after) yield { type: 'snapshot', seq: view.seq, view, quietMs: 0 };
      })();
    },
    list: async ({ operation, status = null, comparisonId = null, folded, limit }: ListQuery) => {
      const runs = main.runs
        .filter((run) => comparisonId === null || run.comparisonId === comparisonId)
        .filter((run, index, all) => {
          const first = all.findIndex((one) => one.comparisonId === run.comparisonId);
          return !folded || run.comparisonId === null || first === index;
        })
        .filter((run) => operation === null || run.operation === operation)
        .filter((run) => status === null || outcomeOf(run) === status);
      const listed = new Set(folded ? runs.map((run) => run.comparisonId) : []);
      return {
        runs: runs.slice(0, limit),
        comparisons: main.comparisons.filter(({ id }) => listed.has(id)),
        more: runs.length > limit,
      };
    },
    metrics: async () => main.metrics,
    chain: async ({ id }: { id: string }) => ({
      source: main.runs.find((run) => run.id === runOf(id).sourceRunId) ?? null,
      next: main.runs.filter((run) => run.sourceRunId === id),
    }),
    cancel: async ({ id }: { id: string }): Promise<void> => {
      main.cancelled.push(id);
    },
    resume: async (_input: { id: string }): Promise<void> => undefined,
    models: async (): Promise<string[]> => [],
    remove: async ({ id }: { id: string }) => {
      main.runs = main.runs.filter((run) => run.id !== id);
      return { deletionId: `deletion of ${id}` };
    },
  },
} satisfies StandIn;

function outcomeOf({ status, figures }: RunSummary): string {
  return figures?.noResult == null ? status : 'no-result';
}

answerCalls(api);
