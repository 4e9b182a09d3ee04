/** Defines what MCP servers are doing now: the calls that run, and what servers ask the user. */
import { z } from 'zod';
import { jsonObjectSchema } from './json-schema.ts';

/** Identifies a tool call among the messages of its server. */
export const mcpCallSchema = z.object({ serverId: z.string(), callId: z.string() });
export type McpCall = z.infer<typeof mcpCallSchema>;

const progressSchema = z.object({
  done: z.number(),
  total: z.number().nullable(),
  message: z.string().nullable(),
});
export type McpProgress = z.infer<typeof progressSchema>;

const runningCallSchema = mcpCallSchema.extend({
  server: z.string(),
  tool: z.string(),
  /** The latest progress; null if the server reported none. */
  progress: progressSchema.nullable(),
  /** The latest log messages, oldest first. */
  lines: z.array(z.object({ number: z.int(), level: z.string(), text: z.string() })),
});
export type RunningCall = z.infer<typeof runningCallSchema>;

const questionBase = {
  id: z.string(),
  serverId: z.string(),
  server: z.string(),
  /** The tool whose call asks; null if it isn't known. */
  tool: z.string().nullable(),
  /** The server's words. */
  message: z.string(),
};

/** A server's question (an MCP elicitation). */
const mcpQuestionSchema = z.discriminatedUnion('mode', [
  z.object({ ...questionBase, mode: z.literal('form'), schema: jsonObjectSchema }),
  z.object({ ...questionBase, mode: z.literal('url'), url: z.string() }),
]);
export type McpQuestion = z.infer<typeof mcpQuestionSchema>;

export const mcpActivitySchema = z.object({
  calls: z.array(runningCallSchema),
  questions: z.array(mcpQuestionSchema),
});
export type McpActivity = z.infer<typeof mcpActivitySchema>;

export const mcpAnswerSchema = z.object({
  questionId: z.string(),
  /** The form's values, empty for a URL; null declines. */
  content: jsonObjectSchema.nullable(),
});
export type McpAnswer = z.infer<typeof mcpAnswerSchema>;

const SECRET_WORDS =
  /(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)?|pwd|secret|credentials?|(?:api|access|private|secret)[ _-]?keys?|(?:access|api|auth|bearer|refresh|id|session)[ _-]?tokens?|token|pin|otp|cvv|cvc|ssn)(?:$|[^a-z])/;

/**
 * Returns the titles of a form's fields that ask for a secret, which MCP forbids: such a form can
 * only be declined.
 */
export function findSecretFields(schema: z.infer<typeof jsonObjectSchema>): string[] {
  const { data } = formFieldsSchema.safeParse(schema);
  return Object.entries(data?.properties ?? {}).flatMap(([name, field]) => {
    const title = field.title ?? name;
    const isSecret =
      field.format === 'password' ||
      field.writeOnly === true ||
      [name, title].some((words) => SECRET_WORDS.test(splitWords(words)));
    return isSecret ? [title] : [];
  });
}

/** Separates the words of `apiKey`. */
function splitWords(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
}

const formFieldsSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({
      title: z.string().optional().catch(undefined),
      format: z.string().optional().catch(undefined),
      writeOnly: z.boolean().optional().catch(undefined),
    }),
  ),
});
