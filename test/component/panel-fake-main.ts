/** Main as panels with runs see it: the real fields of every operation, and runs that a test lays down. */
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { StartInput } from '../../shared/contract/runs.ts';
import { defaultSettings } from '../../shared/default-settings.ts';
import type { Media } from '../../shared/media.ts';
import { operationDescriptions } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { ParameterPreset } from '../../shared/preset.ts';
import type { RunInput } from '../../shared/run-input.ts';
import type { RunView } from '../../shared/run-view.ts';
import { fakeForms } from './fake-forms.ts';
import { demo } from './params-fixtures.tsx';

export const main = {
  started: [] as StartInput[],
  /** Newest first. */
  runs: [] as RunView[],
  inputs: new Map<string, RunInput>(),
  media: new Map<string, Media>(),
  presets: [] as ParameterPreset[],
};

interface ListQuery {
  operation: OperationName | null;
  limit: number;
}

export const api = {
  forms: fakeForms,
  system: { describe: async () => operationDescriptions() },
  settings: { get: async () => defaultSettings, update: async () => defaultSettings },
  connections: { list: async () => [demo] },
  models: {
    suggest: async () => ({ models: [], preselected: 'demo-model', listProblem: null }),
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
    remove: async ({ id }: { id: string }) => {
      main.presets = main.presets.filter((one) => one.id !== id);
      return { deletionId: `deletion of ${id}` };
    },
  },
  media: {
    get: async ({ id }: { id: string }) => main.media.get(id) ?? null,
    list: async () => ({ media: [...main.media.values()], more: false }),
    remove: async () => ({ deletionId: null }),
  },
  savedRequests: { list: async () => [] },
  deletions: { undo: async (_input: { ids: string[] }) => ({ renamed: [], notes: [] }) },
  runs: {
    start: async (input: StartInput) => {
      main.started.push(input);
      return { runId: 'started' };
    },
    get: async ({ id }: { id: string }) => ({
      ...main.inputs.get(id),
      view: main.runs.find((run) => run.id === id),
    }),
    list: async ({ operation, limit }: ListQuery) => {
      const runs = main.runs.filter((run) => operation === null || run.operation === operation);
      return { runs: runs.slice(0, limit), more: runs.length > limit };
    },
    cancel: async (_input: { id: string }): Promise<void> => undefined,
    resume: async (_input: { id: string }): Promise<void> => undefined,
    models: async (): Promise<string[]> => [],
    remove: async ({ id }: { id: string }) => {
      main.runs = main.runs.filter((run) => run.id !== id);
      return { deletionId: `deletion of ${id}` };
    },
  },
};

// The real client is a proxy of the same shape; the utils only walk and call it.
export const orpc = createTanstackQueryUtils(api as never);
