/** The tool definitions that the user saved, by name. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { type Tool, toolSchema } from '../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../shared/tool.ts';
import type { ChangeEmitter } from '../changes.ts';
import { type Database, unreadable } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { jsonColumn } from './json-column.ts';
import { createNamedRowDeletion } from './named-rows.ts';

/** Announces every change. */
export interface ToolStore {
  /** By name; one that cannot be read is left out with a notice. */
  list(): SavedTool[];
  /** Throws a `UserFacingError` if another tool has the name, or the id is not there any more. */
  save(id: string | null, tool: Tool): SavedTool;
  /** Returns the ID with which the deletion can be undone for a while; null if there is no such tool. */
  remove(id: string): string | null;
}

const definitionColumn = jsonColumn(toolSchema);
const rowSchema = z.object({
  id: z.string(),
  tool: definitionColumn,
  createdAt: z.number(),
});

interface ToolStoreOptions {
  db: Database;
  now: () => number;
  changes: Pick<ChangeEmitter, 'announce'>;
  deletions: Pick<Deletions, 'kind'>;
  /** The tool is deleted for good. */
  onFinished: (id: string) => void;
}

export function createToolStore(options: ToolStoreOptions): ToolStore {
  const { db, now, changes, deletions, onFinished } = options;
  const remove = createNamedRowDeletion(db, deletions, {
    kind: 'tool',
    table: 'tools',
    columns: ['id', 'name', 'definition', 'created_at'],
    // Gateways take names of letters, digits, - and _, up to 64 characters.
    numbered: (name, number) => `${name.slice(0, 60)}_${number}`,
    renamed(row, name) {
      const { success, data } = definitionColumn.safeParse(row.definition);
      if (!success) return { ...row, name };
      const definition = { ...data, function: { ...data.function, name } };
      return { ...row, name, definition: JSON.stringify(definition) };
    },
    onChange: (id) => changes.announce('tools', id),
    onFinished,
  });

  function write(id: string | null, tool: Tool): SavedTool {
    const { name } = tool.function;
    const other = db.sql('SELECT id FROM tools WHERE name = ?').get(name);
    if (other && other.id !== id) throw new UserFacingError(nameTaken(name));
    const definition = JSON.stringify(tool);
    if (id === null) {
      const saved: SavedTool = { id: randomUUID(), tool, createdAt: now() };
      db.sql('INSERT INTO tools (id, name, definition, created_at) VALUES (?, ?, ?, ?)').run(
        saved.id,
        name,
        definition,
        saved.createdAt,
      );
      return saved;
    }
    const row = db.sql('SELECT created_at FROM tools WHERE id = ?').get(id);
    if (!row) throw new UserFacingError(gone);
    db.sql('UPDATE tools SET name = ?, definition = ? WHERE id = ?').run(name, definition, id);
    return { id, tool, createdAt: Number(row.created_at) };
  }

  return {
    list() {
      return db
        .sql('SELECT id, definition AS tool, created_at AS createdAt FROM tools ORDER BY name')
        .all()
        .flatMap((row) => {
          const { success, data } = rowSchema.safeParse(row);
          if (!success) db.warn(unreadable('tools'));
          return success ? [data] : [];
        });
    },
    save(id, tool) {
      const saved = db.write(() => write(id, tool));
      changes.announce('tools', saved.id);
      return saved;
    },
    remove,
  };
}

function nameTaken(name: string) {
  const message = `A saved tool named ${name} already exists.`;
  return appError('invalid-request', message, 'Choose another name.', {
    fields: [{ path: ['function', 'name'], message }],
  });
}

const gone = appError('not-found', 'This tool was deleted.', 'Save it as a new tool.', {});
