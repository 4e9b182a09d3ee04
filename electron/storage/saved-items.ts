/** Stores presets, prompts, Console requests, tools and tool sets, each with a unique name. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
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
import { jsonColumn, readRows } from './rows.ts';

export interface SavedStorage {
  db: Database;
  changes: Pick<ChangeEmitter, 'announce'>;
  deletions: Pick<Deletions, 'softDelete' | 'onPurge' | 'onRestore'>;
}

interface NamedTable {
  table: 'presets' | 'prompts' | 'saved_requests' | 'tools' | 'tool_sets' | 'mcp_servers';
  /** Column whose value scopes the uniqueness of names; the default is the whole table. */
  within?: string;
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

const presetRowSchema = presetSchema.extend({ settings: jsonColumn(presetSchema.shape.settings) });

export function createPresets(storage: SavedStorage) {
  const { db, changes } = storage;
  const onChange = () => changes.announce('presets');
  return {
    list(): ParameterPreset[] {
      const rows = db
        .sql(`SELECT id, operation, name, settings FROM presets
          WHERE deleted_at IS NULL ORDER BY row`)
        .all();
      return readRows(db, presetRowSchema, rows, 'presets');
    },
    /** Replaces the operation's preset with the same name, if any. */
    save({ operation, name, settings }: Omit<ParameterPreset, 'id'>): ParameterPreset {
      const saved = db.write(() =>
        db
          .sql(`INSERT INTO presets (id, operation, name, settings) VALUES (?, ?, ?, ?)
            ON CONFLICT (operation, name) WHERE deleted_at IS NULL
            DO UPDATE SET settings = excluded.settings RETURNING id`)
          .get(randomUUID(), operation, name, JSON.stringify(settings)),
      );
      onChange();
      return { id: z.string().parse(saved?.id), operation, name, settings };
    },
    remove: keepNamesUnique(storage, {
      table: 'presets',
      within: 'operation',
      addNumber: addNumberToTitle,
      onChange,
    }),
  };
}

export function createPrompts(storage: SavedStorage) {
  const { db, changes } = storage;
  const onChange = () => changes.announce('prompts');
  return {
    list(): SavedPrompt[] {
      const rows = db
        .sql('SELECT id, name, text FROM prompts WHERE deleted_at IS NULL ORDER BY name')
        .all();
      return readRows(db, savedPromptSchema, rows, 'prompts');
    },
    /** Replaces the prompt with the same name, if any. */
    save({ name, text }: Omit<SavedPrompt, 'id'>): SavedPrompt {
      const saved = db.write(() =>
        db
          .sql(`INSERT INTO prompts (id, name, text) VALUES (?, ?, ?)
            ON CONFLICT (name) WHERE deleted_at IS NULL
            DO UPDATE SET text = excluded.text RETURNING id`)
          .get(randomUUID(), name, text),
      );
      onChange();
      return { id: z.string().parse(saved?.id), name, text };
    },
    remove: keepNamesUnique(storage, { table: 'prompts', addNumber: addNumberToTitle, onChange }),
  };
}

const requestRowSchema = savedRequestSchema.extend({ request: jsonColumn(consoleInputSchema) });

export function createSavedRequests(storage: SavedStorage) {
  const { db, changes } = storage;
  const onChange = () => changes.announce('saved-requests');
  return {
    list(): SavedRequest[] {
      const rows = db
        .sql('SELECT id, name, request FROM saved_requests WHERE deleted_at IS NULL ORDER BY row')
        .all();
      return readRows(db, requestRowSchema, rows, 'console requests');
    },
    save({ name, request }: Omit<SavedRequest, 'id'>): SavedRequest {
      const saved = db.write(() =>
        db
          .sql(`INSERT INTO saved_requests (id, name, request) VALUES (?, ?, ?)
            ON CONFLICT (name) WHERE deleted_at IS NULL
            DO UPDATE SET request = excluded.request RETURNING id`)
          .get(randomUUID(), name, JSON.stringify(request)),
      );
      onChange();
      return { id: z.string().parse(saved?.id), name, request };
    },
    remove: keepNamesUnique(storage, {
      table: 'saved_requests',
      addNumber: addNumberToTitle,
      onChange,
    }),
  };
}

const { tools: chosenTools, mcpTools: chosenMcpTools } = toolSetSchema.shape;
const toolSetRowSchema = toolSetSchema.extend({
  tools: jsonColumn(chosenTools),
  mcpTools: jsonColumn(chosenMcpTools),
});

export function createToolSets(storage: SavedStorage) {
  const { db, changes } = storage;
  const onChange = () => changes.announce('tool-sets');
  return {
    list(): ToolSet[] {
      const rows = db
        .sql(`SELECT id, name, tools, mcp_tools AS mcpTools FROM tool_sets
          WHERE deleted_at IS NULL ORDER BY name`)
        .all();
      return readRows(db, toolSetRowSchema, rows, 'tool sets');
    },
    /** Replaces the set with the same name, if any. */
    save({ name, tools, mcpTools }: Omit<ToolSet, 'id'>): ToolSet {
      const saved = db.write(() =>
        db
          .sql(`INSERT INTO tool_sets (id, name, tools, mcp_tools) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) WHERE deleted_at IS NULL
            DO UPDATE SET tools = excluded.tools, mcp_tools = excluded.mcp_tools RETURNING id`)
          .get(randomUUID(), name, JSON.stringify(tools), JSON.stringify(mcpTools)),
      );
      onChange();
      return { id: z.string().parse(saved?.id), name, tools, mcpTools };
    },
    remove: keepNamesUnique(storage, { table: 'tool_sets', addNumber: addNumberToTitle, onChange }),
  };
}

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
      const saved: SavedTool = { id: randomUUID(), tool, answer, createdAt };
      db.sql(
        'INSERT INTO tools (id, name, definition, answer, created_at) VALUES (?, ?, ?, ?, ?)',
      ).run(saved.id, name, definition, JSON.stringify(answer), saved.createdAt);
      return saved;
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
