/** Defines the JSON-RPC messages between Gatehouse and an MCP server, as the page lists them. */
import { z } from 'zod';
import { headerListSchema } from './run.ts';

/** How many messages a server's list keeps, and how many bytes of them. */
export const MAX_KEPT_MESSAGES = 10_000;
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** `other` is a body that isn't JSON-RPC, such as an error page. */
const kindSchema = z.enum(['request', 'notification', 'result', 'error', 'other']);
export type McpMessageKind = z.infer<typeof kindSchema>;

export const mcpMessageSchema = z.object({
  /** Counts the server's messages from 1. */
  number: z.int().positive(),
  at: z.number(),
  direction: z.enum(['sent', 'received']),
  kind: kindSchema,
  /** For a response, the method of its request; null if it isn't known. */
  method: z.string().nullable(),
  id: z.union([z.string(), z.number()]).nullable(),
  /** The tool call that the message is part of; null if it's part of none. */
  callId: z.string().nullable(),
  /** The whole body's size in UTF-8, even if it is cut. */
  sizeBytes: z.int().nonnegative(),
  /** The status of the HTTP response; null without one, as with a command. */
  status: z.int().nullable(),
  /** The start of the body. */
  preview: z.string(),
});
export type McpMessage = z.infer<typeof mcpMessageSchema>;

/** A message's body without secrets. */
export const mcpMessageBodySchema = z.object({
  body: z.string(),
  isCut: z.boolean(),
  /** The headers of the HTTP request or response with the message; empty with a command. */
  headers: headerListSchema,
});
export type McpMessageBody = z.infer<typeof mcpMessageBodySchema>;

/** Selects a server's messages: those of one call, and those that contain the text. */
export const mcpMessageFilterSchema = z.object({
  id: z.string(),
  callId: z.string().nullable(),
  search: z.string().max(1000),
});
export type McpMessageFilter = z.infer<typeof mcpMessageFilterSchema>;

export const mcpMessagePageSchema = z.object({
  /** New messages, and earlier ones that got a status. */
  messages: z.array(mcpMessageSchema),
  /** Pass it as `after` to get only later changes. */
  revision: z.int().nonnegative(),
  more: z.boolean(),
  /** The oldest message that is kept. */
  firstNumber: z.int().positive(),
});
export type McpMessagePage = z.infer<typeof mcpMessagePageSchema>;
