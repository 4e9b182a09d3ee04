/** Defines the procedures of MCP servers. No procedure returns a secret value. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { jsonObjectSchema } from '../json-schema.ts';
import {
  mcpApprovalSchema,
  mcpInsertSchema,
  mcpLogLineSchema,
  mcpServerInputSchema,
  mcpServerSchema,
  triedToolSchema,
} from '../mcp.ts';
import { mcpActivitySchema, mcpAnswerSchema } from '../mcp-activity.ts';
import {
  mcpMessageBodySchema,
  mcpMessageFilterSchema,
  mcpMessagePageSchema,
} from '../mcp-messages.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

/** Calls a tool by hand, without a model. */
const tryInputSchema = z.object({
  id: z.string(),
  name: z.string(),
  args: jsonObjectSchema,
  /** Chosen by the page, which follows the call by it. */
  callId: z.string().min(1).max(100),
});

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
  messages: procedure
    .input(mcpMessageFilterSchema.extend({ after: z.int().nonnegative() }))
    .output(mcpMessagePageSchema),
  readMessage: procedure
    .input(byId.extend({ number: z.int().positive() }))
    .output(mcpMessageBodySchema),
  /** Yields the file in pieces. */
  exportMessages: procedure.input(mcpMessageFilterSchema).output(eventIterator(z.string())),
  activity: procedure.output(mcpActivitySchema),
  /** Answers a server's question; one that was answered already is ignored. */
  answer: procedure.input(mcpAnswerSchema).output(z.void()),
  try: procedure.input(tryInputSchema).output(triedToolSchema),
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
