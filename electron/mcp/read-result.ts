/** Converts an MCP server's results to content parts, and stores their media. */
import { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { isSameJson, type JsonValue } from '../../shared/json.ts';
import { jsonValueSchema } from '../../shared/json-schema.ts';
import type { McpInsert } from '../../shared/mcp.ts';
import { createMediaReference, type Media } from '../../shared/media.ts';
import type { Content, ContentPart } from '../../shared/operations/chat/message.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { getNameByContent } from '../media/media-name.ts';
import type { MediaStore } from '../media/media-store.ts';
import { cleanText } from './read-offers.ts';

export interface ResultTools {
  media: Pick<MediaStore, 'begin' | 'freeName'>;
  /** Removes secret values from the server's output. */
  redact: (text: string) => string;
}

const type = z.string().nullish().catch(null);
const textResource = z.object({ uri: z.string(), mimeType: type, text: z.string() });
const blobResource = z.object({ uri: z.string(), mimeType: type, blob: z.string() });
const resourceSchema = z.union([textResource, blobResource]);

const blockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: type }),
  z.object({ type: z.literal('resource'), resource: resourceSchema }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: type,
    title: type,
    description: type,
  }),
]);

export const callResultSchema = z.looseObject({
  content: z.array(z.unknown()).catch([]),
  isError: z.boolean().nullish().catch(null),
  structuredContent: jsonValueSchema.optional().catch(undefined),
});

export const promptResultSchema = z.looseObject({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

export const resourceResultSchema = z.looseObject({ contents: z.array(z.unknown()) });

/** No model reads more; the rest would only fill the database. */
const MAX_TEXT_LENGTH = 2_000_000;
const MAX_BLOCKS = 1000;

/** Returns text if the result has no media, because every gateway accepts text. */
export async function readCallResult(
  result: z.infer<typeof callResultSchema>,
  tools: ResultTools,
): Promise<Content> {
  const parts: ContentPart[] = [];
  for (const block of result.content.slice(0, MAX_BLOCKS))
    parts.push(await readBlock(block, tools));
  const structured = result.structuredContent;
  if (structured !== undefined && !parts.some((part) => repeats(part, structured))) {
    parts.push(toTextPart(JSON.stringify(structured), tools));
  }
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}

/** Servers repeat structured content as text for older clients. */
function repeats(part: ContentPart, structured: JsonValue): boolean {
  return part.type === 'text' && isSameJson(parseJson(part.text), structured);
}

export async function readPrompt(
  { messages }: z.infer<typeof promptResultSchema>,
  tools: ResultTools,
): Promise<McpInsert> {
  const insert: McpInsert = { parts: [], files: [] };
  const isDialog = messages.some(({ role }) => role !== 'user');
  for (const { role, content } of messages.slice(0, MAX_BLOCKS)) {
    for (const block of Array.isArray(content) ? content : [content]) {
      const { data } = blockSchema.safeParse(block);
      if (data?.type === 'resource') await addResource(insert, data.resource, tools);
      else {
        const part = await readBlock(block, tools);
        if (isDialog && part.type === 'text') part.text = `${role}: ${part.text}`;
        insert.parts.push(part);
      }
    }
  }
  return insert;
}

export async function readResource(
  { contents }: z.infer<typeof resourceResultSchema>,
  tools: ResultTools,
): Promise<McpInsert> {
  const insert: McpInsert = { parts: [], files: [] };
  for (const content of contents.slice(0, MAX_BLOCKS)) {
    const { success, data } = resourceSchema.safeParse(content);
    if (success) await addResource(insert, data, tools);
  }
  return insert;
}

async function addResource(
  insert: McpInsert,
  resource: z.infer<typeof resourceSchema>,
  tools: ResultTools,
): Promise<void> {
  const name = getFileName(resource.uri);
  if ('blob' in resource) {
    insert.parts.push(await storeMedia(resource.blob, resource.mimeType ?? null, name, tools));
    return;
  }
  insert.files.push({ name, text: toTextPart(resource.text, tools).text });
}

async function readBlock(block: unknown, tools: ResultTools): Promise<ContentPart> {
  const { success, data } = blockSchema.safeParse(block);
  if (!success) return toTextPart(JSON.stringify(block) ?? '', tools);
  switch (data.type) {
    case 'text':
      return toTextPart(data.text, tools);
    case 'image':
    case 'audio':
      return storeMedia(data.data, data.mimeType ?? null, data.type, tools);
    case 'resource_link': {
      const { uri, name, title, description } = data;
      const lines = [title ?? name ?? '', uri, description ?? ''].filter((line) => line !== '');
      return toTextPart(lines.join('\n'), tools);
    }
    case 'resource': {
      const { resource } = data;
      if (!('blob' in resource)) return toTextPart(resource.text, tools);
      const name = getFileName(resource.uri);
      return storeMedia(resource.blob, resource.mimeType ?? null, name, tools);
    }
  }
}

function toTextPart(text: string, { redact }: ResultTools) {
  const isCut = text.length > MAX_TEXT_LENGTH;
  const kept = redact(isCut ? text.slice(0, MAX_TEXT_LENGTH) : text);
  const note = `\n[Cut by Gatehouse: the text had ${text.length.toLocaleString('en-US')} characters.]`;
  return { type: 'text' as const, text: isCut ? kept + note : kept };
}

async function storeMedia(
  base64: string,
  declaredType: string | null,
  stem: string,
  tools: ResultTools,
): Promise<ContentPart> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0) return toTextPart(`[The server sent an empty file: ${stem}]`, tools);
  const name = tools.media.freeName(
    getNameByContent(stem.replace(/\.\w{1,5}$/, ''), bytes, declaredType),
  );
  const writer = tools.media.begin({ name, declaredType, sizeBytes: bytes.length });
  try {
    await writer.write(bytes);
    return toMediaPart(await writer.finish());
  } catch (cause) {
    await writer.abort();
    if (cause instanceof UserFacingError) throw cause;
    throw new Error(`An MCP server’s file couldn’t be stored: ${String(cause)}`);
  }
}

/** Uses the detected type, because the declared one may be wrong. */
function toMediaPart({ id, kind, type: detected, name }: Media): ContentPart {
  const url = createMediaReference(id);
  if (kind === 'image') return { type: 'image_url', image_url: { url } };
  if (kind === 'video') return { type: 'video_url', video_url: { url } };
  const format = audioFormats[detected];
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: url, format } };
  return { type: 'file', file: { filename: name ?? 'file', file_data: url } };
}

const audioFormats: Record<string, 'wav' | 'mp3' | undefined> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
};

function getFileName(uri: string): string {
  const path = URL.parse(uri)?.pathname ?? uri;
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  return cleanText(last).slice(0, 100) || 'resource';
}

export const seeLog = 'Its log is under Settings → MCP servers.';

export const createUnreadableResultError = (name: string) =>
  appError('invalid-request', `${name} returned a result that couldn’t be read.`, seeLog);
