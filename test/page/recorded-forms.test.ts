import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { FormChange, FormQuery, FormUpdate } from '../../shared/form.ts';
import { listFieldsByName } from '../../shared/form-fields.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { runSteps, type Step } from './support/form-steps.ts';

vi.mock('../../renderer/lib/api.ts', () => {
  const query = (name: string, answer: () => unknown) => ({
    queryKey: () => [name],
    queryOptions: (options: object = {}) => ({ queryKey: [name, options], queryFn: answer }),
  });
  const stored = new Map<string, Set<string>>();
  let revision = 0;
  const getUpdate = (id: string, { operation }: { operation: OperationName }): FormUpdate => {
    revision += 1;
    return { revision, content: { operation, fields: {} }, names: [...(stored.get(id) ?? [])] };
  };
  const forms = {
    get: async ({ id, ...query }: FormQuery) => getUpdate(id, query),
    change: async ({ id, content, unset }: FormChange) => {
      const names = new Set(stored.get(id));
      for (const [name] of listFieldsByName(content.fields)) names.add(name);
      for (const name of unset) names.delete(name);
      stored.set(id, names);
      return getUpdate(id, content);
    },
  };
  const connections = ['one', 'two'].map((id) => ({ id, name: id }));
  return {
    api: { forms },
    orpc: {
      connections: { list: query('connections', () => connections) },
      settings: { get: query('settings', () => ({ selectedConnectionId: 'one' })) },
      models: { suggest: query('models', () => ({ preselected: 'm' })) },
    },
  };
});

interface Recorded {
  operation: OperationName;
  steps: Step[];
  /** The requests and views after these steps, as recorded on 2026-11-30. */
  sent: Awaited<ReturnType<typeof runSteps>>;
}

const recorded: Recorded[] = readFileSync('test/fixtures/recorded-forms.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

it.each(recorded.map((one, at) => ({ ...one, at })))(
  'sends the $operation requests of form $at as recorded',
  async ({ operation, steps, sent }) => {
    expect(JSON.parse(JSON.stringify(await runSteps(operation, steps)))).toEqual(sent);
  },
);
