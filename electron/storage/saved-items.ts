/** Stores items that users name, each with a name that is unique in its kind and scope. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import {
  type ParameterPreset,
  presetSchema,
  type SavedPrompt,
  type SavedRequest,
  type SavedTool,
  savedPromptSchema,
  savedRequestSchema,
  savedToolSchema,
  type saveToolInputSchema,
  type ToolSet,
  toolSetSchema,
} from '../../shared/saved-items.ts';
import { type SavedRunFilter, savedRunFilterSchema } from '../../shared/saved-run-filter.ts';
import { createJsonColumn, insertFields, readIds, readRows, updateFields } from './rows.ts';
import {
  addNumberToTitle,
  keepNamesUnique,
  type NamedTable,
  type SavedStorage,
} from './unique-names.ts';

/** Gateways accept tool names with up to 64 letters, digits, - and _. */
function addNumberToTool(name: string, number: number): string {
  return `${name.slice(0, 60)}_${number}`;
}

/** An item as the page saves it; a null ID adds the item. */
type Unsaved<Input> = Omit<Input, 'id'> & { id?: string | null };

interface SavedItems<Item, Input = Item> {
  /** Skips items that can't be read. */
  list(): Item[];
  /**
   * Changes the item with the ID. Without one, replaces the item with the same name, if any. Throws
   * a `UserFacingError` if the ID doesn't exist or the name is taken.
   */
  save(item: Unsaved<Input>): Item;
  /** Adds the item under a free name; the import announces its items itself. */
  add(item: Unsaved<Input>): Item;
}

interface SavedItemKind<Input> {
  kind: 'presets' | 'prompts' | 'requests' | 'tools' | 'tool-sets' | 'filters';
  /** Names the items in a notice. */
  what: string;
  order: 'row' | 'name';
  getName(item: Omit<Input, 'id'>): string;
  getScope?(item: Omit<Input, 'id'>): OperationName;
  /** If false, `save` rejects a name that is taken. */
  canReplace?: boolean;
}

/** `schema` reads the body of a row, with the ID and name. */
function createSavedItems<Item, Input = Item>(
  { db, changes }: Pick<SavedStorage, 'db' | 'changes'>,
  schema: z.ZodType<Item>,
  kindOptions: SavedItemKind<Input>,
): SavedItems<Item, Input> {
  const { kind, what, order, getName, getScope, canReplace = true } = kindOptions;

  function read(where: string, ...values: string[]): Item[] {
    const rows = db
      .sql(`SELECT id, name, body FROM saved_items
        WHERE kind = ? AND deleted_at IS NULL AND ${where} ORDER BY ${order}`)
      .all(kind, ...values);
    const bodies = rows.map(({ body, ...columns }) => ({
      ...bodyColumn.safeParse(body).data,
      ...columns,
    }));
    return readRows(db, schema, bodies, what);
  }

  function findNamed(scope: string, name: string): string | undefined {
    const sql = `SELECT id FROM saved_items
      WHERE kind = ? AND scope = ? AND name = ? AND deleted_at IS NULL`;
    return readIds(db, sql, kind, scope, name)[0];
  }

  /** Adds the item if `id` is null. */
  function write(id: string | null, name: string, item: Unsaved<Input>): Item {
    const scope = getScope?.(item) ?? '';
    const fields = { scope, name, body: { ...item, id: undefined, name: undefined } };
    const added = randomUUID();
    if (id === null) insertFields(db, 'saved_items', { id: added, kind, ...fields });
    else if (
      !updateFields(
        db,
        'saved_items',
        fields,
        'kind = ? AND id = ? AND deleted_at IS NULL',
        kind,
        id,
      )
    ) {
      throw new UserFacingError(gone);
    }
    const [saved] = read('id = ?', id ?? added);
    if (saved === undefined) throw new UserFacingError(gone);
    return saved;
  }

  return {
    list: () => read('true'),
    save(item) {
      const name = getName(item);
      const { id = null } = item;
      const saved = db.write(() => {
        const other = findNamed(getScope?.(item) ?? '', name) ?? null;
        const isTaken = other !== null && other !== id && (id !== null || !canReplace);
        if (isTaken) throw new UserFacingError(nameTaken(name));
        return write(id ?? other, name, item);
      });
      changes.announce('saved-items');
      return saved;
    },
    add(item) {
      const name = getName(item);
      const scope = getScope?.(item) ?? '';
      let free = name;
      for (let number = 2; findNamed(scope, free) !== undefined; number += 1) {
        free = addNumber(name, number, { kind });
      }
      return db.write(() => write(null, free, item));
    },
  };
}

const bodyColumn = createJsonColumn(z.looseObject({}));

const addNumber: NamedTable['addNumber'] = (name, number, { kind }) =>
  kind === 'tools' ? addNumberToTool(name, number) : addNumberToTitle(name, number);

/** The name in a tool's definition is that of its row, which Undo may have changed. */
const savedToolRowSchema = savedToolSchema
  .extend({ name: z.string() })
  .transform(({ name, tool, ...item }) => ({
    ...item,
    tool: { ...tool, function: { ...tool.function, name } },
  }));

type ToolInput = z.input<typeof saveToolInputSchema>;

/** Announces each change as `saved-items`, except for `add`. */
export interface SavedItemStores {
  /** Names are unique within an operation. */
  presets: SavedItems<ParameterPreset>;
  prompts: SavedItems<SavedPrompt>;
  requests: SavedItems<SavedRequest>;
  tools: SavedItems<SavedTool, ToolInput>;
  toolSets: SavedItems<ToolSet>;
  filters: SavedItems<SavedRunFilter>;
  /**
   * Soft-deletes an item of any kind and returns the ID of the deletion, or null if the item doesn't
   * exist. Undo restores the item under a free name.
   */
  remove(id: string): string | null;
}

interface SavedItemOptions extends SavedStorage {
  /** Called with the ID of each item whose deletion can no longer be undone. */
  onPurged(id: string): void;
}

export function createSavedItemStores(storage: SavedItemOptions): SavedItemStores {
  const { db, changes, deletions, onPurged } = storage;
  deletions.onPurge('saved_items', (deletedAt) => {
    const sql = 'DELETE FROM saved_items WHERE deleted_at = ? RETURNING id';
    for (const id of readIds(db, sql, deletedAt)) onPurged(id);
  });
  const getName = ({ name }: { name: string }) => name;
  return {
    presets: createSavedItems<ParameterPreset>(storage, presetSchema, {
      kind: 'presets',
      what: 'presets',
      order: 'row',
      getName,
      getScope: ({ operation }) => operation,
    }),
    prompts: createSavedItems<SavedPrompt>(storage, savedPromptSchema, {
      kind: 'prompts',
      what: 'prompts',
      order: 'name',
      getName,
    }),
    requests: createSavedItems<SavedRequest>(storage, savedRequestSchema, {
      kind: 'requests',
      what: 'console requests',
      order: 'row',
      getName,
    }),
    tools: createSavedItems<SavedTool, ToolInput>(storage, savedToolRowSchema, {
      kind: 'tools',
      what: 'tools',
      order: 'name',
      getName: ({ tool }) => tool.function.name,
      canReplace: false,
    }),
    toolSets: createSavedItems<ToolSet>(storage, toolSetSchema, {
      kind: 'tool-sets',
      what: 'tool sets',
      order: 'name',
      getName,
    }),
    filters: createSavedItems<SavedRunFilter>(storage, savedRunFilterSchema, {
      kind: 'filters',
      what: 'History filters',
      order: 'name',
      getName,
    }),
    remove: keepNamesUnique(storage, {
      table: 'saved_items',
      within: ['kind', 'scope'],
      addNumber,
      onChange: () => changes.announce('saved-items'),
    }),
  };
}

function nameTaken(name: string) {
  const message = `A saved tool named ${name} already exists.`;
  return appError('invalid-request', message, 'Choose another name.', {
    fields: [{ path: ['function', 'name'], message }],
  });
}

const gone = appError('not-found', 'This item was deleted.', 'Save it as a new one.');
