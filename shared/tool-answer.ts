/** Defines who answers a model's tool calls, and the record of a call that Gatehouse answered. */
import { z } from 'zod';
import { jsonObjectSchema } from './json-schema.ts';
import { mcpCallSchema } from './mcp-activity.ts';

export const MAX_SCRIPT_LENGTH = 256 * 1024;

/** A canned result may contain `{{argument}}`; a script is a JavaScript function of the arguments. */
const ownAnswers = [
  z.object({ by: z.literal('canned'), result: z.string().max(1_000_000) }),
  z.object({ by: z.literal('script'), code: z.string().max(MAX_SCRIPT_LENGTH) }),
] as const;
export const toolAnswerSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('you') }),
  ...ownAnswers,
]);
export type ToolAnswer = z.infer<typeof toolAnswerSchema>;

export const answeredByYou: ToolAnswer = { by: 'you' };

/** `check`: an error result for a call that couldn't be answered. */
const answererSchema = z.enum(['canned', 'script', 'mcp', 'check']);
export type Answerer = z.infer<typeof answererSchema>;

/** Tries an answer without a model, before the tool is saved. */
export const tryAnswerSchema = z.object({
  answer: z.discriminatedUnion('by', ownAnswers),
  args: jsonObjectSchema,
});

/** Records how a tool message was produced; messages that the user wrote have no record. */
export const callRecordSchema = z.object({
  by: answererSchema,
  /** The name of the MCP server; null for other answerers. */
  server: z.string().nullable(),
  /** Finds the call among the server's messages of this session; null for other answerers. */
  call: mcpCallSchema.nullable().default(null),
  failed: z.boolean(),
  /** Why an MCP tool's result doesn't fit its output schema; null if it does. */
  misfit: z.string().nullable().default(null),
  /** Lines that the script printed. */
  console: z.array(z.string()),
  durationMs: z.number().nonnegative(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

/** `content` is what the model would receive. */
export const triedAnswerSchema = callRecordSchema
  .pick({ failed: true, console: true, durationMs: true })
  .extend({ content: z.string() });
export type TriedAnswer = z.infer<typeof triedAnswerSchema>;
