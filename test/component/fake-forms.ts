/** Keeps the main process's forms in memory, without validation. */
import type { FormUpdate } from '../../shared/form.ts';
import { groupFields, listFieldsByName } from '../../shared/form-fields.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';

interface StoredField {
  value: unknown;
  revision: number;
}

interface Query {
  id: string;
  operation: OperationName;
  after: number | null;
}

const stored = new Map<string, Map<string, StoredField>>();
let revision = 0;

function fieldsOf(id: string): Map<string, StoredField> {
  const fields = stored.get(id) ?? new Map<string, StoredField>();
  stored.set(id, fields);
  return fields;
}

function read({ id, operation, after }: Query): FormUpdate {
  const fields = [...fieldsOf(id)];
  const newer = fields.filter(([, field]) => field.revision > (after ?? 0));
  const grouped = groupFields(newer.map(([name, { value }]) => [name, value]));
  return {
    revision: fields.length === 0 ? 0 : revision,
    // Tests store only fields that the operation's form has.
    content: { operation, fields: grouped } as FormUpdate['content'],
    names: fields.map(([name]) => name),
  };
}

/** Returns changed fields by name, such as `input.prompt`. */
export function storedFields(id: string): Record<string, unknown> {
  return Object.fromEntries([...fieldsOf(id)].map(([name, { value }]) => [name, value]));
}

export function storeFields(id: string, fields: object): void {
  revision += 1;
  for (const [name, value] of listFieldsByName(fields)) fieldsOf(id).set(name, { value, revision });
}

export function forgetStored(): void {
  stored.clear();
  formsDelay.until = null;
}

/** Holds responses until this promise settles. If it rejects, they fail. */
export const formsDelay: { until: Promise<void> | null } = { until: null };

export const fakeForms = {
  get: async (query: Query) => {
    await formsDelay.until;
    return read(query);
  },
  change: async ({
    id,
    content,
    unset,
    after,
  }: Omit<Query, 'operation'> & {
    content: { operation: OperationName; fields: object };
    unset: string[];
  }) => {
    const others = read({ id, operation: content.operation, after });
    storeFields(id, content.fields);
    for (const name of unset) fieldsOf(id).delete(name);
    return { ...others, revision, names: [...fieldsOf(id).keys()] };
  },
  remove: async ({ id }: { id: string }) => void stored.delete(id),
};
