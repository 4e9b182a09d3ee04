import { expect, it, vi } from 'vitest';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { reopenRun } from '../../renderer/run/form/reopen.ts';
import type { FormUpdate } from '../../shared/form.ts';
import type { FieldDescription } from '../../shared/operations/form/description.ts';
import { runSummary } from '../fixtures/run-view.ts';

const main = vi.hoisted(() => ({ form: Promise.withResolvers<unknown>() }));

const field = (name: string): FieldDescription => ({
  name,
  title: name,
  description: '',
  group: 'Output',
  control: 'number',
  integer: true,
  minimum: 1,
  maximum: null,
  maxLength: null,
  step: null,
  options: [],
  suggestions: [],
  gatewayDefault: 1,
  startValue: 1,
});

vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    forms: { get: () => main.form.promise, change: () => new Promise(() => undefined) },
    runs: {
      get: async () => ({
        view: { connectionId: 'demo', model: 'echo' },
        request: { n: 2 },
        extraBody: {},
        wireNames: {},
        follow: null,
      }),
    },
  },
  orpc: {
    connections: { list: { queryOptions: () => 'connections' } },
    system: { describe: { queryOptions: () => 'descriptions' } },
  },
}));
vi.mock('../../renderer/lib/query-client.ts', () => ({
  queryClient: {
    ensureQueryData: async (query: string) =>
      query === 'connections'
        ? []
        : [{ name: 'completion', renamable: [], draft: {}, fields: [field('n'), field('seed')] }],
  },
}));
vi.mock('../../renderer/lib/connections.ts', () => ({ selectConnection: async () => undefined }));
vi.mock('../../renderer/lib/route.ts', () => ({ navigate: () => undefined }));
vi.mock('../../renderer/run/form/panel-forms.ts', async () => {
  const { createForm } = await import('../../renderer/run/form/form.ts');
  return { panelForms: { completion: createForm('completion', 'completion') } };
});

const run = runSummary({ id: 'the-run', operation: 'completion' });

it('opens a run with its own parameters alone, also in a form that has not come yet', async () => {
  const opened = reopenRun(run);
  const update: FormUpdate = {
    revision: 3,
    content: { operation: 'completion', fields: { parameters: { n: 1, seed: 5 } } },
    names: ['parameters.n', 'parameters.seed'],
  };
  main.form.resolve(update);
  await opened;
  expect(panelForms.completion.state.getState().values).toMatchObject({
    parameters: { n: 2 },
    runId: 'the-run',
  });
  expect(panelForms.completion.state.getState().values.parameters).not.toHaveProperty('seed');
  expect(panelForms.completion.unwritten()?.unset).toContain('parameters.seed');
});
