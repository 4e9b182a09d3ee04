/** Stores MCP servers without their secret values, and the approvals of their tools. */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import {
  type McpApproval,
  type McpOffers,
  type McpTool,
  type McpTransport,
  mcpApprovalSchema,
  mcpOffersSchema,
  mcpTransportSchema,
  noOffers,
} from '../../shared/mcp.ts';
import type { Database } from '../storage/database-access.ts';
import { createJsonColumn, readRows } from '../storage/rows.ts';

export interface StoredServer {
  id: string;
  name: string;
  transport: McpTransport;
  enabled: boolean;
  offers: McpOffers;
}

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  transport: createJsonColumn(mcpTransportSchema),
  enabled: z.number().transform((value) => value === 1),
  offers: createJsonColumn(mcpOffersSchema),
});

const approvalRowSchema = z.object({
  tool: z.string(),
  approval: mcpApprovalSchema,
  hash: z.string(),
});

const COLUMNS = 'id, name, transport, enabled, offers';

/** Methods throw a `not-found` `UserFacingError` if they need a server that was deleted. */
export interface ServerStore {
  get(id: string): StoredServer;
  /** Returns the servers by name. */
  list(): StoredServer[];
  /** Returns true if another server has the name. */
  isTaken(name: string, id: string | null): boolean;
  /** Adds the server if `id` is null; throws a `UserFacingError` if the name is taken. */
  write(id: string | null, fields: Omit<StoredServer, 'id' | 'offers'>): StoredServer;
  keepOffers(id: string, offers: McpOffers): void;
  /** Returns the IDs of the purged servers. */
  purge(deletedAt: number): string[];
  /** Returns `ask` for a tool that has changed since it was always allowed. */
  approval(id: string, name: string): McpApproval;
  /** Returns the approvals by tool, which may be for earlier definitions. */
  approvals(id: string): Record<string, McpApproval>;
  /** Identifies the definition that an approval is for; empty if the server lacks the tool. */
  definitionHash(id: string, name: string): string;
  /** Approves the definition with this hash, or the current definition. */
  setApproval(id: string, name: string, approval: McpApproval, hash?: string): void;
  resetApprovals(id: string): void;
}

export function createServerStore(db: Database, now: () => number): ServerStore {
  const read = (rows: unknown[]): StoredServer[] => readRows(db, rowSchema, rows, 'MCP servers');

  function get(id: string): StoredServer {
    const sql = `SELECT ${COLUMNS} FROM mcp_servers WHERE id = ? AND deleted_at IS NULL`;
    const [server] = read(db.sql(sql).all(id));
    if (server === undefined) throw new UserFacingError(gone);
    return server;
  }

  function findTool(id: string, name: string): McpTool | undefined {
    return get(id).offers.tools.find((tool) => tool.name === name && tool.problem === null);
  }

  function isTaken(name: string, id: string | null): boolean {
    const sql = 'SELECT id FROM mcp_servers WHERE name = ? AND deleted_at IS NULL';
    const row = db.sql(sql).get(name);
    return row !== undefined && row.id !== id;
  }

  function listApprovals(serverId: string) {
    const sql = `SELECT tool, approval, definition_hash AS hash FROM mcp_approvals
      WHERE server_id = ? ORDER BY tool`;
    return readRows(db, approvalRowSchema, db.sql(sql).all(serverId), 'MCP approvals');
  }

  function definitionHash(id: string, name: string): string {
    const tool = findTool(id, name);
    return tool === undefined ? '' : hashDefinition(tool);
  }

  return {
    get,
    list: (): StoredServer[] =>
      read(
        db
          .sql(`SELECT ${COLUMNS} FROM mcp_servers WHERE deleted_at IS NULL ORDER BY name, id`)
          .all(),
      ),
    isTaken,
    write(id: string | null, fields: Omit<StoredServer, 'id' | 'offers'>): StoredServer {
      const { name, transport, enabled } = fields;
      if (isTaken(name, id)) throw new UserFacingError(nameTaken(name));
      const values = [name, JSON.stringify(transport), enabled ? 1 : 0];
      if (id !== null) {
        get(id);
        db.write(() =>
          db
            .sql('UPDATE mcp_servers SET name = ?, transport = ?, enabled = ? WHERE id = ?')
            .run(...values, id),
        );
        return get(id);
      }
      const added = randomUUID();
      db.write(() =>
        db
          .sql(`INSERT INTO mcp_servers (id, name, transport, enabled, offers, created_at)
            VALUES (?, ?, ?, ?, ?, ?)`)
          .run(added, ...values, JSON.stringify(noOffers), now()),
      );
      return get(added);
    },
    keepOffers(id: string, offers: McpOffers): void {
      db.write(() =>
        db.sql('UPDATE mcp_servers SET offers = ? WHERE id = ?').run(JSON.stringify(offers), id),
      );
    },
    purge(deletedAt: number): string[] {
      const sql = 'DELETE FROM mcp_servers WHERE deleted_at = ? RETURNING id';
      const ids = db
        .sql(sql)
        .all(deletedAt)
        .map(({ id }) => String(id));
      for (const id of ids) db.sql('DELETE FROM mcp_approvals WHERE server_id = ?').run(id);
      return ids;
    },

    approval(id: string, name: string): McpApproval {
      const found = listApprovals(id).find(({ tool }) => tool === name);
      if (found === undefined) return 'ask';
      const hash = definitionHash(id, name);
      const isSame = hash !== '' && hash === found.hash;
      return found.approval === 'always' && !isSame ? 'ask' : found.approval;
    },
    approvals: (id: string): Record<string, McpApproval> =>
      Object.fromEntries(listApprovals(id).map(({ tool, approval }) => [tool, approval])),
    definitionHash,
    setApproval(
      id: string,
      name: string,
      approval: McpApproval,
      hash = definitionHash(id, name),
    ): void {
      db.write(() => {
        if (approval === 'ask') {
          db.sql('DELETE FROM mcp_approvals WHERE server_id = ? AND tool = ?').run(id, name);
          return;
        }
        db.sql(`INSERT OR REPLACE INTO mcp_approvals (server_id, tool, approval, definition_hash)
          VALUES (?, ?, ?, ?)`).run(id, name, approval, hash);
      });
    },
    resetApprovals(id: string): void {
      db.write(() => db.sql('DELETE FROM mcp_approvals WHERE server_id = ?').run(id));
    },
  };
}

/** Covers everything about the tool that a model or the user reads. */
function hashDefinition({ title, description, inputSchema, annotations }: McpTool): string {
  const text = JSON.stringify([title, description, inputSchema, annotations]);
  return createHash('sha256').update(text).digest('hex');
}

function nameTaken(name: string) {
  const message = `An MCP server named ${name} already exists.`;
  return appError('invalid-request', message, 'Choose another name.', {
    fields: [{ path: ['name'], message }],
  });
}

const gone = appError('not-found', 'This MCP server was deleted.', 'Add it again in Settings.');
