/** Defines the procedures of MCP servers. No procedure returns a secret value. */
import { z } from 'zod';
import {
  mcpApprovalSchema,
  mcpInsertSchema,
  mcpLogLineSchema,
  mcpServerInputSchema,
  mcpServerSchema,
} from '../mcp.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

export const mcpContract = {
  list: procedure.output(z.array(mcpServerSchema)),
  save: procedure.input(mcpServerInputSchema).output(mcpServerSchema),
  /** Stops the server; Undo restores it with its secret values. */
  remove: procedure.input(byId).output(deletedSchema),
  /** Restarts the server and lists what it offers; a failure is its `error`. */
  connect: procedure.input(byId).output(mcpServerSchema),
  stop: procedure.input(byId).output(mcpServerSchema),
  /** Returns the URL to open in a browser; the server connects once the user has signed in. */
  signIn: procedure.input(byId).output(z.object({ url: z.string() })),
  signOut: procedure.input(byId).output(mcpServerSchema),
  /** Oldest first; only the latest lines are kept. */
  log: procedure.input(byId).output(z.array(mcpLogLineSchema)),
  setApproval: procedure
    .input(z.object({ serverId: z.string(), name: z.string(), approval: mcpApprovalSchema }))
    .output(mcpServerSchema),
  resetApprovals: procedure.input(byId).output(mcpServerSchema),
  getPrompt: procedure
    .input(
      z.object({
        id: z.string(),
        name: z.string(),
        args: z.record(z.string(), z.string().max(1_000_000)),
      }),
    )
    .output(mcpInsertSchema),
  readResource: procedure
    .input(z.object({ id: z.string(), uri: z.string() }))
    .output(mcpInsertSchema),
};
