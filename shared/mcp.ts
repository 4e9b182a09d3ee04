/** Defines MCP servers and their tools; secret values stay in the main process. */
import { z } from 'zod';
import { keyKeepingSchema, keyProtectionSchema } from './connection.ts';
import { appErrorSchema } from './error-schema.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { contentPartSchema, contentSchema } from './operations/chat/message.ts';
import { savedNameSchema } from './saved-items.ts';

const commandSchema = z.string().trim().min(1, 'Enter a command.').max(4096);
const argumentsSchema = z.array(z.string().max(32_768)).max(200);
const folderSchema = z.string().trim().min(1).max(4096).nullable();
const urlSchema = z
  .string()
  .trim()
  .max(8192)
  .refine(
    (text) => /^https?:\/\/[^/@?#\s]+([/?#]\S*)?$/i.test(text),
    'Enter a URL that starts with http:// or https://.',
  );

/** Lists only the names of environment variables and headers; the key vault keeps the values. */
export const mcpTransportSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('stdio'),
    command: commandSchema,
    args: argumentsSchema,
    /** The working directory; null for the user's home folder. */
    cwd: folderSchema,
    env: z.array(z.string()),
  }),
  z.object({ type: z.literal('http'), url: urlSchema, headers: z.array(z.string()) }),
]);
export type McpTransport = z.infer<typeof mcpTransportSchema>;

/** A null value keeps the saved one. */
const secretSchema = (name: z.ZodString) =>
  z.object({ name, value: z.string().max(32_768).nullable() });

const envNameSchema = z
  .string()
  .max(256)
  .regex(/^[^=\0\s]+$/, 'Enter a name without spaces or “=”.');
const headerNameSchema = z
  .string()
  .max(256)
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'Enter a header name, such as Authorization.');

/** Adds an issue for each name that is listed twice. */
const uniqueNames =
  (fold: (name: string) => string) =>
  (entries: readonly { name: string }[], context: z.RefinementCtx): void => {
    const names = entries.map(({ name }) => fold(name));
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue;
      const message = 'This name is already listed.';
      context.addIssue({ code: 'custom', path: [index, 'name'], message });
    }
  };

const transportInputSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('stdio'),
    command: commandSchema,
    args: argumentsSchema,
    cwd: folderSchema,
    env: z
      .array(secretSchema(envNameSchema))
      .max(100)
      .superRefine(uniqueNames((name) => name)),
  }),
  z.object({
    type: z.literal('http'),
    url: urlSchema,
    headers: z
      .array(secretSchema(headerNameSchema))
      .max(100)
      .superRefine(uniqueNames((name) => name.toLowerCase())),
  }),
]);

/** A null `id` adds a server. A new URL origin drops saved header values and the sign-in. */
export const mcpServerInputSchema = z.object({
  id: z.string().nullable(),
  name: savedNameSchema,
  transport: transportInputSchema,
  enabled: z.boolean(),
  /** Where secret values are stored; by default, their current place or else the safest. */
  keeping: keyKeepingSchema.optional(),
});
export type McpServerInput = z.infer<typeof mcpServerInputSchema>;

/** `sign-in` asks the user to sign in; `signing-in` waits for them to do it in their browser. */
export const mcpStatusSchema = z.enum([
  'stopped',
  'starting',
  'ready',
  'failed',
  'sign-in',
  'signing-in',
]);
export type McpStatus = z.infer<typeof mcpStatusSchema>;

/** The server's hints, which may be wrong; null if it gives none. */
const annotationsSchema = z.object({
  readOnly: z.boolean().nullable(),
  destructive: z.boolean().nullable(),
});

/** Texts have no control characters, but don't trust them, because the server wrote them. */
export const mcpToolSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
  /** Describes the structured result; null if there is none, or it can't be used. */
  outputSchema: jsonObjectSchema.nullable().default(null),
  annotations: annotationsSchema,
  /** Why the tool can't be used; null if it can. */
  problem: z.string().nullable(),
});
export type McpTool = z.infer<typeof mcpToolSchema>;

export const mcpPromptSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  arguments: z.array(
    z.object({ name: z.string(), description: z.string(), required: z.boolean() }),
  ),
});
export type McpPrompt = z.infer<typeof mcpPromptSchema>;

export const mcpResourceSchema = z.object({
  uri: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  mimeType: z.string().nullable(),
});
export type McpResource = z.infer<typeof mcpResourceSchema>;

const offerKindSchema = z.enum(['tools', 'prompts', 'resources']);

export const mcpOffersSchema = z.object({
  tools: z.array(mcpToolSchema),
  prompts: z.array(mcpPromptSchema),
  resources: z.array(mcpResourceSchema),
  /** The lists that are longer than Gatehouse reads; missing in older databases. */
  cut: z.array(offerKindSchema).default([]),
  /** The lists that ended because the server repeated a cursor. */
  repeated: z.array(offerKindSchema).default([]),
});
export type McpOffers = z.infer<typeof mcpOffersSchema>;

export const noOffers: McpOffers = {
  tools: [],
  prompts: [],
  resources: [],
  cut: [],
  repeated: [],
};

export const mcpApprovalSchema = z.enum(['ask', 'always', 'never']);
export type McpApproval = z.infer<typeof mcpApprovalSchema>;

export const mcpServerSchema = z.object({
  id: z.string(),
  name: z.string(),
  transport: mcpTransportSchema,
  enabled: z.boolean(),
  status: mcpStatusSchema,
  error: appErrorSchema.nullable(),
  /** The latest lists that the server sent. */
  offers: mcpOffersSchema,
  /** How the secret values are stored; null if there are none. */
  protection: keyProtectionSchema.nullable(),
  /** Names of lost secret values, for example after a restart without a keyring. */
  missing: z.array(z.string()),
  signedIn: z.boolean(),
  /** The tools whose calls are always or never allowed. */
  approvals: z.record(z.string(), mcpApprovalSchema),
});
export type McpServer = z.infer<typeof mcpServerSchema>;

export const mcpLogLineSchema = z.object({
  at: z.number(),
  /** `stderr`: printed by the process; `server`: a log message; `gatehouse`: Gatehouse's own. */
  from: z.enum(['stderr', 'server', 'gatehouse']),
  text: z.string(),
});
export type McpLogLine = z.infer<typeof mcpLogLineSchema>;

/** A prompt or resource of a server, for the composer; media are stored items. */
export const mcpInsertSchema = z.object({
  parts: z.array(contentPartSchema),
  /** The names of text resources, which are attached as files. */
  files: z.array(z.object({ name: z.string(), text: z.string() })),
});
export type McpInsert = z.infer<typeof mcpInsertSchema>;

/** The result of a tool that the user called by hand. */
export const triedToolSchema = z.object({
  /** The content that a model would receive. */
  content: contentSchema,
  isError: z.boolean(),
  /** Why the result doesn't fit the tool's output schema; null if it does, or if there is none. */
  misfit: z.string().nullable(),
  durationMs: z.number().nonnegative(),
});
export type TriedTool = z.infer<typeof triedToolSchema>;
