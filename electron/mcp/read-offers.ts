/**
 * Reads the lists of an MCP server. An item that breaks a rule is kept with the problem or skipped,
 * because one bad tool shouldn't hide the others.
 */
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import { jsonObjectSchema } from '../../shared/json-schema.ts';
import type { McpOffers, McpPrompt, McpResource, McpTool } from '../../shared/mcp.ts';
import { removeControls } from '../../shared/remove-controls.ts';

/** Long texts would cost tokens in every request. */
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_NAME_LENGTH = 128;
const MAX_URI_LENGTH = 8192;
const MAX_SCHEMA_LENGTH = 256 * 1024;
const MAX_OFFERS_LENGTH = 2 * 1024 * 1024;
export const MAX_LISTED_ITEMS = 1000;

const text = z.string().nullish().catch(null);
const hint = z.boolean().nullish().catch(null);
const list = z.array(z.unknown()).catch([]);

/** Accepts any list, because its items are read one by one. */
export const toolPageSchema = z.looseObject({ tools: list, nextCursor: text });
export const promptPageSchema = z.looseObject({ prompts: list, nextCursor: text });
export const resourcePageSchema = z.looseObject({ resources: list, nextCursor: text });

const rawToolSchema = z.object({
  name: z.string(),
  title: text,
  description: text,
  inputSchema: z.unknown(),
  outputSchema: z.unknown().optional(),
  annotations: z
    .object({ title: text, readOnlyHint: hint, destructiveHint: hint })
    .nullish()
    .catch(null),
});

const rawPromptSchema = z.object({
  name: z.string(),
  title: text,
  description: text,
  arguments: z
    .array(z.object({ name: z.string(), description: text, required: hint }))
    .nullish()
    .catch(null),
});

const rawResourceSchema = z.object({
  uri: z.string().max(MAX_URI_LENGTH),
  name: text,
  title: text,
  description: text,
  mimeType: text,
});

/** Drops offers beyond 2 MiB, because they are read for every call and sent to the page. */
export function limitOffers(offers: McpOffers): McpOffers {
  let left = MAX_OFFERS_LENGTH;
  const fits = (item: object) => {
    left -= JSON.stringify(item).length;
    return left >= 0;
  };
  const tools = offers.tools.filter(fits);
  const prompts = offers.prompts.filter(fits);
  const resources = offers.resources.filter(fits);
  const cut = new Set(offers.cut);
  if (tools.length < offers.tools.length) cut.add('tools');
  if (prompts.length < offers.prompts.length) cut.add('prompts');
  if (resources.length < offers.resources.length) cut.add('resources');
  return { tools, prompts, resources, cut: [...cut], repeated: offers.repeated };
}

export function readTools(items: readonly unknown[]): McpTool[] {
  const names = new Set<string>();
  return items.flatMap((item) => {
    const { success, data } = rawToolSchema.safeParse(item);
    if (!success) return [];
    const inputSchema = readSchema(data.inputSchema);
    const outputSchema = readSchema(data.outputSchema);
    const problem =
      getNameProblem(data.name) ??
      (names.has(data.name) ? 'The server lists this name twice.' : null) ??
      (typeof inputSchema === 'string' ? inputSchema : null);
    names.add(data.name);
    const title = cleanTitle(data.title ?? data.annotations?.title);
    const tool: McpTool = {
      name: problem === null ? data.name : cleanName(data.name),
      title,
      description: cleanText(data.description ?? ''),
      inputSchema: typeof inputSchema === 'string' ? {} : inputSchema,
      // A tool is useful even if its results can't be checked.
      outputSchema: typeof outputSchema === 'string' ? null : outputSchema,
      annotations: {
        readOnly: data.annotations?.readOnlyHint ?? null,
        destructive: data.annotations?.destructiveHint ?? null,
      },
      problem,
    };
    return [tool];
  });
}

export function readPrompts(items: readonly unknown[]): McpPrompt[] {
  return items.flatMap((item) => {
    const { success, data } = rawPromptSchema.safeParse(item);
    if (!success || getNameProblem(data.name) !== null) return [];
    const prompt: McpPrompt = {
      name: data.name,
      title: cleanTitle(data.title),
      description: cleanText(data.description ?? ''),
      arguments: (data.arguments ?? [])
        .filter(({ name }) => getNameProblem(name) === null)
        .map(({ name, description, required }) => ({
          name,
          description: cleanText(description ?? ''),
          required: required === true,
        })),
    };
    return [prompt];
  });
}

export function readResources(items: readonly unknown[]): McpResource[] {
  return items.flatMap((item) => {
    const { success, data } = rawResourceSchema.safeParse(item);
    if (!success || CONTROL.test(data.uri)) return [];
    const resource: McpResource = {
      uri: data.uri,
      name: cleanName(data.name ?? data.uri),
      title: cleanTitle(data.title),
      description: cleanText(data.description ?? ''),
      mimeType: data.mimeType ?? null,
    };
    return [resource];
  });
}

/** Returns the schema, or why it can't be used. */
function readSchema(schema: unknown): JsonObject | string {
  try {
    const { success, data } = jsonObjectSchema.safeParse(schema);
    if (!success) return 'Its schema isn’t a JSON object.';
    if (data.type !== undefined && data.type !== 'object') return 'Its schema isn’t of an object.';
    const { length } = JSON.stringify(data);
    if (length <= MAX_SCHEMA_LENGTH) return data;
    return 'Its schema is longer than 256 KiB, which is the limit.';
  } catch (cause) {
    if (cause instanceof RangeError) return 'Its schema is nested too deeply.';
    throw cause;
  }
}

/** Control and format characters, which can hide or reverse text. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function getNameProblem(name: string): string | null {
  if (name === '') return 'It has no name.';
  if (name.length > MAX_NAME_LENGTH) return 'Its name is longer than 128 characters.';
  return CONTROL.test(name) ? 'Its name has control characters.' : null;
}

function cleanName(name: string): string {
  const clean = name.slice(0, MAX_NAME_LENGTH).replaceAll(new RegExp(CONTROL, 'gu'), '�');
  return clean.length < name.length ? `${clean}…` : clean;
}

function cleanTitle(title: string | null | undefined): string | null {
  const clean = cleanName(title ?? '').trim();
  return clean === '' ? null : clean;
}

/** Keeps line breaks and tabs. */
export function cleanText(value: string): string {
  return removeControls(value.slice(0, MAX_DESCRIPTION_LENGTH));
}
