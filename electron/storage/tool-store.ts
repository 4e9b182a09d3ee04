/** The tool definitions that the user saved, by name. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppFailure, appError } from '../../shared/errors.ts';
import { type Tool, toolSchema } from '../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../shared/tool.ts';
import type { Changes } from '../changes.ts';
import { type Database, unreadable } from './database-access.ts';
import type { Deletions } from './deletions.ts';
import { jsonColumn } from './json-column.ts';

/** Announces every change. */
export interface ToolStore {
  /** By name; one that cannot be read is left out with a notice. */
  list(): SavedTool[];
  /** Throws an `AppFailure` where another tool has the name, or the id is not there any more. */
  save(id: string | null, tool: Tool): SavedTool;
  /** Returns the ID with which the deletion can be undone for a while; null where there is no such tool. */
  remove(id: string): string | null;
}

const rowSchema = z.object({
  id: z.string(),
  tool: jsonColumn(toolSchema),
  createdAt: z.number(),
});

const deletedSchema = z.object({
  id: z.string(),
  name: z.string(),
  definition: z.string(),
  created_at: z.number(),
});

export function createToolStore(
  db: Database,
  now: () => number,
  changes: Pick<Changes, 'announce'>,
  deletions: Pick<Deletions, 'kind'>,
): ToolStore {
  const recordDeletion = deletions.kind('tool', {
    target: deletedSchema,
    undo({ id, name, definition, created_at }) {
      if (db.sql('SELECT 1 FROM tools WHERE name = ?').get(name) !== undefined) {
        throw new AppFailure(nameTaken(name));
      }
      db.sql('INSERT INTO tools (id, name, definition, created_at) VALUES (?, ?, ?, ?)').run(
        ...[id, name, definition, created_at],
      );
      changes.announce('tools', id);
    },
    finish: () => undefined,
  });

  function write(id: string | null, tool: Tool): SavedTool {
    const { name } = tool.function;
    const other = db.sql('SELECT id FROM tools WHERE name = ?').get(name);
    if (other && other.id !== id) throw new AppFailure(nameTaken(name));
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
    if (!row) throw new AppFailure(gone);
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
    remove(id) {
      const deletionId = db.write(() => {
        const row = db
          .sql('DELETE FROM tools WHERE id = ? RETURNING id, name, definition, created_at')
          .get(id);
        return row === undefined ? null : recordDeletion(deletedSchema.parse(row));
      });
      changes.announce('tools', id);
      return deletionId;
    },
  };
}

function nameTaken(name: string) {
  const message = `A saved tool named ${name} already exists.`;
  return appError('invalid-request', message, 'Choose another name.', {
    fields: [{ path: ['function', 'name'], message }],
  });
}

const gone = appError('not-found', 'This tool was deleted.', 'Save it as a new tool.', {});
