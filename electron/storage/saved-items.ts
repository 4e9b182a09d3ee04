/** Stores presets, prompts, Console requests, tools and tool sets, each with a unique name. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { type Tool, toolSchema } from '../../shared/operations/chat/message.ts';
import { consoleInputSchema } from '../../shared/operations/console/request.ts';
import {
  MAX_NAME_LENGTH,
  type ParameterPreset,
  presetSchema,
  type SavedPrompt,
  type SavedRequest,
  type SavedTool,
  savedPromptSchema,
  savedRequestSchema,
  savedToolSchema,
  type ToolSet,
  toolSetSchema,
} from '../../shared/saved-items.ts';
import { answeredByYou, type ToolAnswer, toolAnswerSchema } from '../../shared/tool-answer.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { Database } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { insertFields, jsonColumn, readIds, readRows, selectFields, updateFields } from './rows.ts';

export interface SavedStorage {
  db: Database;
  changes: Pick<ChangeEmitter, 'announce'>;
  deletions: Pick<Deletions, 'softDelete' | 'onPurge' | 'onRestore'>;
}

interface NamedTable {
  table: 'presets' | 'prompts' | 'saved_requests' | 'tools' | 'tool_sets' | 'mcp_servers';
  /** Column whose value scopes the uniqueness of names; the default is the whole table. */
  within?: string | undefined;
  /** Appends a number, starting at 2, if `name` is taken. */
  addNumber(name: string, number: number): string;
  rename?(id: string, name: string): void;
  onChange(id: string): void;
}

/** Lets Undo restore the table's rows under free names; returns their `remove`. */
export function keepNamesUnique(
  { db, deletions }: SavedStorage,
  { table, within, addNumber, rename, onChange }: NamedTable,
): (id: string) => string | null {
  const scope = within === undefined ? '' : `AND other.${within} = mine.${within}`;

  /** Rows of the same deletion count as well, because they become visible together. */
  function isTaken(id: string, name: string): boolean {
    return (
      db
        .sql(`SELECT 1 FROM ${table} AS mine JOIN ${table} AS other ON other.name = ?2
          AND other.id <> mine.id
          AND (other.deleted_at IS NULL OR other.deleted_at = mine.deleted_at) ${scope}
          WHERE mine.id = ?1`)
        .get(id, name) !== undefined
    );
  }

  deletions.onRestore(table, (deletedAt) => {
    const rows = db.sql(`SELECT id, name FROM ${table} WHERE deleted_at = ?`).all(deletedAt);
    return rows.flatMap((row) => {
      const [id, from] = [String(row.id), String(row.name)];
      let to = from;
      for (let number = 2; isTaken(id, to); number += 1) to = addNumber(from, number);
      if (to === from) return [];
      db.sql(`UPDATE ${table} SET name = ? WHERE id = ?`).run(to, id);
      rename?.(id, to);
      return [{ from, to }];
    });
  });

  /** Soft-deletes the row, and returns null if it doesn't exist. */
  return (id) => {
    const sql = `SELECT 1 FROM ${table} WHERE id = ? AND deleted_at IS NULL`;
    if (db.sql(sql).get(id) === undefined) return null;
    const deletionId = deletions.softDelete({
      hide: (deletedAt) =>
        void db.sql(`UPDATE ${table} SET deleted_at = ? WHERE id = ?`).run(deletedAt, id),
      onRestored: () => onChange(id),
    });
    onChange(id);
    return deletionId;
  };
}

export function addNumberToTitle(name: string, number: number): string {
  const ending = ` ${number}`;
  return `${name.slice(0, MAX_NAME_LENGTH - ending.length).trimEnd()}${ending}`;
}

interface ItemKind<Item> extends Pick<NamedTable, 'table' | 'within'> {
  /** Reads a row, whose columns are the item's fields. */
  schema: z.ZodObject & z.ZodType<Item>;
  order: 'row' | 'name';
  topic: Parameters<ChangeEmitter['announce']>[0];
  /** Names the items in a notice. */
  what: string;
}

function createNamedItems<Item extends { id: string; name: string }>(
  storage: SavedStorage,
  { table, within, schema, order, topic, what }: ItemKind<Item>,
) {
  const { db, changes } = storage;
  const onChange = () => changes.announce(topic);
  const key = within === undefined ? ['name'] : [within, 'name'];
  const hasKey = key.map((field) => `${field} = ?`).join(' AND ');
  return {
    list(): Item[] {
      const rows = db
        .sql(`SELECT ${selectFields(schema)} FROM ${table}
          WHERE deleted_at IS NULL ORDER BY ${order}`)
        .all();
      return readRows(db, schema, rows, what);
    },
    /** Replaces the item with the same name, if any. */
    save(item: Omit<Item, 'id'>) {
      const fields = Object.fromEntries(Object.entries(item));
      const id = db.write(() => {
        const values = key.map((field) => String(fields[field]));
        const sql = `SELECT id FROM ${table} WHERE deleted_at IS NULL AND ${hasKey}`;
        const [known] = readIds(db, sql, ...values);
        const added = randomUUID();
        if (known === undefined) insertFields(db, table, { id: added, ...fields });
        else updateFields(db, table, fields, 'id = ?', known);
        return known ?? added;
      });
      onChange();
      return { ...item, id };
    },
    remove: keepNamesUnique(storage, { table, within, addNumber: addNumberToTitle, onChange }),
  };
}

export const createPresets = (storage: SavedStorage) =>
  createNamedItems<ParameterPreset>(storage, {
    table: 'presets',
    within: 'operation',
    schema: presetSchema.extend({ settings: jsonColumn(presetSchema.shape.settings) }),
    order: 'row',
    topic: 'presets',
    what: 'presets',
  });

export const createPrompts = (storage: SavedStorage) =>
  createNamedItems<SavedPrompt>(storage, {
    table: 'prompts',
    schema: savedPromptSchema,
    order: 'name',
    topic: 'prompts',
    what: 'prompts',
  });

export const createSavedRequests = (storage: SavedStorage) =>
  createNamedItems<SavedRequest>(storage, {
    table: 'saved_requests',
    schema: savedRequestSchema.extend({ request: jsonColumn(consoleInputSchema) }),
    order: 'row',
    topic: 'saved-requests',
    what: 'console requests',
  });

const { tools, mcpTools } = toolSetSchema.shape;

export const createToolSets = (storage: SavedStorage) =>
  createNamedItems<ToolSet>(storage, {
    table: 'tool_sets',
    schema: toolSetSchema.extend({ tools: jsonColumn(tools), mcpTools: jsonColumn(mcpTools) }),
    order: 'name',
    topic: 'tool-sets',
    what: 'tool sets',
  });

const definitionColumn = jsonColumn(toolSchema);
const toolRowSchema = savedToolSchema.extend({
  tool: definitionColumn,
  answer: jsonColumn(toolAnswerSchema),
});

export type ToolStore = ReturnType<typeof createToolStore>;

export function createToolStore(
  options: SavedStorage & {
    now: () => number;
    onPurged: (id: string) => void;
  },
) {
  const { db, now, changes, deletions, onPurged } = options;
  deletions.onPurge('tools', (deletedAt) => {
    const rows = db.sql('DELETE FROM tools WHERE deleted_at = ? RETURNING id').all(deletedAt);
    for (const { id } of rows) onPurged(String(id));
  });

  function write(
    id: string | null,
    { tool, answer }: Pick<SavedTool, 'tool' | 'answer'>,
    createdAt = now(),
  ): SavedTool {
    const { name } = tool.function;
    const other = db.sql('SELECT id FROM tools WHERE name = ? AND deleted_at IS NULL').get(name);
    if (other && other.id !== id) throw new UserFacingError(nameTaken(name));
    const definition = JSON.stringify(tool);
    if (id === null) {
      const added = randomUUID();
      insertFields(db, 'tools', { id: added, name, definition: tool, answer, createdAt });
      return { id: added, tool, answer, createdAt };
    }
    const row = db
      .sql(`UPDATE tools SET name = ?, definition = ?, answer = ?
        WHERE id = ? AND deleted_at IS NULL RETURNING created_at`)
      .get(name, definition, JSON.stringify(answer), id);
    if (!row) throw new UserFacingError(gone);
    return { id, tool, answer, createdAt: Number(row.created_at) };
  }

  function isTaken(name: string): boolean {
    const sql = 'SELECT 1 FROM tools WHERE name = ? AND deleted_at IS NULL';
    return db.sql(sql).get(name) !== undefined;
  }

  /** Gateways accept tool names with up to 64 letters, digits, - and _. */
  const addNumber = (name: string, number: number) => `${name.slice(0, 60)}_${number}`;

  function renameDefinition(id: string, name: string): void {
    const row = db.sql('SELECT definition FROM tools WHERE id = ?').get(id);
    const { success, data } = definitionColumn.safeParse(row?.definition);
    if (!success) return;
    const definition = { ...data, function: { ...data.function, name } };
    db.sql('UPDATE tools SET definition = ? WHERE id = ?').run(JSON.stringify(definition), id);
  }

  return {
    list(): SavedTool[] {
      const rows = db
        .sql(`SELECT id, definition AS tool, answer, created_at AS createdAt FROM tools
          WHERE deleted_at IS NULL ORDER BY name`)
        .all();
      return readRows(db, toolRowSchema, rows, 'tools');
    },
    /** Throws a `UserFacingError` if the name is taken or the ID doesn't exist. */
    save(id: string | null, tool: Tool, answer: ToolAnswer = answeredByYou): SavedTool {
      const saved = db.write(() => write(id, { tool, answer }));
      changes.announce('tools', saved.id);
      return saved;
    },
    /** Adds the tool under a free name without an announcement, which the import makes. */
    add({ tool, answer, createdAt }: Omit<SavedTool, 'id'>): SavedTool {
      const { name } = tool.function;
      let free = name;
      for (let number = 2; isTaken(free); number += 1) free = addNumber(name, number);
      const named = { ...tool, function: { ...tool.function, name: free } };
      return db.write(() => write(null, { tool: named, answer }, createdAt));
    },
    remove: keepNamesUnique(options, {
      table: 'tools',
      addNumber,
      rename: renameDefinition,
      onChange: (id) => changes.announce('tools', id),
    }),
  };
}

function nameTaken(name: string) {
  const message = `A saved tool named ${name} already exists.`;
  return appError('invalid-request', message, 'Choose another name.', {
    fields: [{ path: ['function', 'name'], message }],
  });
}

const gone = appError('not-found', 'This tool was deleted.', 'Save it as a new tool.');
