/**
 * Reads the `data.json` of a Cherry Studio backup (versions 2 to 5): `indexedDB.topics` have the
 * messages, `indexedDB.message_blocks` their content, and `localStorage['persist:cherry-studio']`
 * the assistants with the topics' names; several answers to a message have the same `askId`.
 * Newer backups hold database files instead, which only Cherry Studio can read. See
 * https://github.com/CherryHQ/cherry-studio: src/renderer/src/services/BackupService.ts and
 * src/renderer/src/types/newMessage.ts. The provider's keys in `localStorage` aren't read.
 */
import { z } from 'zod';
import { appError } from '../../../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { jsonObjectSchema, jsonValueSchema } from '../../../shared/json-schema.ts';
import type { ContentPart } from '../../../shared/operations/chat/message.ts';
import { usageSchema } from '../../../shared/operations/response/usage.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import {
  type ConversationFile,
  createFileConversation,
  createFileMessage,
  createForeignFile,
  describeIssue,
  type FileConversation,
  type FileMessage,
  importError,
} from './conversation-file.ts';
import type { ImportBudget } from './import-limits.ts';
import { toImportedRun } from './imported-run.ts';

const optionalText = z.string().nullish().catch(null);
const optionalNumber = z.number().nullish().catch(null);

const fileSchema = z.object({ origin_name: optionalText, name: optionalText });
const blockSchema = z.object({
  id: z.string(),
  type: z.string(),
  content: z.union([z.string(), jsonObjectSchema, z.array(jsonValueSchema)]).nullish(),
  language: optionalText,
  url: optionalText,
  file: fileSchema.nullish().catch(null),
  toolId: optionalText,
  toolName: optionalText,
  arguments: jsonObjectSchema.nullish().catch(null),
  error: jsonObjectSchema.nullish().catch(null),
});
type Block = z.infer<typeof blockSchema>;

const messageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  type: optionalText,
  createdAt: optionalText,
  status: optionalText,
  askId: optionalText,
  foldSelected: z.boolean().nullish().catch(null),
  modelId: optionalText,
  model: z.object({ id: z.string() }).nullish().catch(null),
  usage: usageSchema.nullish().catch(null),
  metrics: z
    .object({ time_completion_millsec: optionalNumber, time_first_token_millsec: optionalNumber })
    .nullish()
    .catch(null),
  blocks: z.array(z.string()).nullish(),
  /** Versions before 4 have the text here. */
  content: optionalText,
  reasoning_content: optionalText,
});
type CherryMessage = z.infer<typeof messageSchema>;

const dataSchema = z.object({
  localStorage: z.object({ 'persist:cherry-studio': optionalText }).nullish().catch(null),
  indexedDB: z.object({
    topics: z.array(z.object({ id: z.string(), messages: z.array(messageSchema) })),
    message_blocks: z.array(blockSchema).default([]),
  }),
});

const topicSchema = z.object({
  id: z.string(),
  name: optionalText,
  createdAt: optionalText,
  updatedAt: optionalText,
  pinned: z.boolean().nullish().catch(null),
});
const assistantsSchema = z.object({
  assistants: z.array(
    z.object({
      name: optionalText,
      prompt: optionalText,
      topics: z.array(topicSchema).default([]),
    }),
  ),
});

interface TopicDetails extends z.infer<typeof topicSchema> {
  assistant: string;
  prompt: string;
}

export function isCherryStudioFile(first: JsonObject): boolean {
  return isJsonObject(first.indexedDB) && 'localStorage' in first;
}

/** Throws a `UserFacingError` if the backup is invalid; topics without messages are left out. */
export function readCherryStudioFile(file: JsonObject, budget: ImportBudget): ConversationFile {
  const { success, data, error } = dataSchema.safeParse(file);
  if (!success) throw importError(`The backup isn’t valid. ${describeIssue(error.issues)}`);
  const { topics, message_blocks: blocks } = data.indexedDB;
  const details = readDetails(data.localStorage?.['persist:cherry-studio'] ?? '');
  const blocksById = new Map(blocks.map((block) => [block.id, block]));
  const getBlock = (id: string): Block | null => {
    const block = blocksById.get(id) ?? null;
    // Several messages may reference the same block.
    if (block !== null) budget.addText(JSON.stringify(block));
    return block;
  };
  return createForeignFile(
    topics
      .filter(({ messages }) => messages.length > 0)
      .map(({ id, messages }) => readTopic(messages, details.get(id), getBlock)),
  );
}

/** Parses JSON whose fields are JSON strings themselves. */
function readDetails(stored: string): Map<string, TopicDetails> {
  const slices = parseJson(stored);
  const slice = isJsonObject(slices) ? slices.assistants : undefined;
  const parsed = typeof slice === 'string' ? parseJson(slice) : slice;
  const assistants = assistantsSchema.safeParse(parsed).data?.assistants ?? [];
  return new Map(
    assistants.flatMap(({ name, prompt, topics }) =>
      topics.map((topic): [string, TopicDetails] => [
        topic.id,
        { ...topic, assistant: name ?? '', prompt: prompt ?? '' },
      ]),
    ),
  );
}

function readTopic(
  messages: readonly CherryMessage[],
  details: TopicDetails | undefined,
  getBlock: (id: string) => Block | null,
): FileConversation {
  const createdAt = toMs(details?.createdAt) ?? toMs(messages[0]?.createdAt) ?? 0;
  const tree: FileMessage[] = [];
  /** Maps each message to the end of its chain; an answer with tool calls becomes several. */
  const ends = new Map<string, string>();
  const parents = new Set<string>();
  let end: string | null = null;
  let selected: string | null = null;
  for (const message of messages) {
    // Cherry Studio sends nothing from before this divider.
    if (message.type === 'clear') continue;
    const asked = message.role === 'assistant' ? (ends.get(message.askId ?? '') ?? null) : null;
    const isVersion = asked !== null && parents.has(asked);
    const chain = readMessage(message, asked ?? end, getBlock, createdAt);
    for (const part of chain) {
      tree.push(part);
      if (part.parentId !== null) parents.add(part.parentId);
    }
    const last = chain.at(-1)?.id ?? null;
    if (last === null) continue;
    ends.set(message.id, last);
    // The next message follows the selected version, or else the first one.
    if (!isVersion || (message.foldSelected === true && selected !== asked)) end = last;
    if (message.foldSelected === true) selected = asked;
  }
  return createFileConversation({
    title: details?.name ?? '',
    createdAt,
    updatedAt: toMs(details?.updatedAt) ?? tree.at(-1)?.createdAt ?? createdAt,
    pinned: details?.pinned === true,
    folder: details?.assistant.trim().slice(0, 80) || null,
    systemMessage: details?.prompt ?? '',
    messages: tree,
    activeLeafId: end,
  });
}

function toMs(time: string | null | undefined): number | null {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? null : parsed;
}

/** Returns a chain in which each tool block becomes an answer with a call and its result. */
function readMessage(
  message: CherryMessage,
  parentId: string | null,
  getBlock: (id: string) => Block | null,
  topicCreatedAt: number,
): FileMessage[] {
  const { id, role, content, reasoning_content: reasoning } = message;
  const createdAt = toMs(message.createdAt) ?? topicCreatedAt;
  const own = (message.blocks ?? []).flatMap((blockId) => getBlock(blockId) ?? []);
  const older: Block[] = [
    ...(reasoning ? [createTextBlock('thinking', reasoning)] : []),
    ...(content ? [createTextBlock('main_text', content)] : []),
  ];
  const chain: FileMessage[] = [];
  let waiting: Block[] = [];

  function add(fields: Partial<FileMessage>): void {
    const last = chain.at(-1);
    const place = { id: last === undefined ? id : `${id} ${chain.length}`, createdAt };
    const parent = last?.id ?? parentId;
    chain.push(createFileMessage({ ...place, parentId: parent, role, content: '', ...fields }));
  }

  for (const block of own.length > 0 ? own : older) {
    if (block.type !== 'tool' || role !== 'assistant') {
      waiting.push(block);
      continue;
    }
    const toolCallId = block.id;
    const called = { name: toToolName(block), arguments: JSON.stringify(block.arguments ?? {}) };
    const toolCalls = [{ id: toolCallId, type: 'function' as const, function: called }];
    add({ ...readBlocks(waiting), toolCalls });
    add({ role: 'tool', content: getText(block.content), toolCallId });
    waiting = [];
  }
  if (waiting.length > 0 || chain.length === 0) add(readBlocks(waiting));
  const last = chain.at(-1);
  if (role === 'assistant' && last !== undefined) {
    last.run = readRun(message, own, createdAt);
    last.choiceIndex = last.run === null ? null : 0;
  }
  return chain;
}

function createTextBlock(type: string, content: string): Block {
  return { id: '', type, content };
}

function toToolName({ toolName, toolId }: Block): string {
  return (toolName ?? toolId ?? 'tool').replaceAll(/[^\w-]/g, '_').slice(0, 64);
}

function getText(content: Block['content']): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** Leaves out translations and citations, which belong to Cherry Studio's page. */
function readBlocks(blocks: readonly Block[]): Pick<FileMessage, 'content' | 'reasoning'> {
  const texts: string[] = [];
  const images: ContentPart[] = [];
  for (const { type, content, language, url, file } of blocks) {
    const text = getText(content);
    const name = file?.origin_name ?? file?.name ?? 'file';
    if (type === 'main_text') texts.push(text);
    else if (type === 'code') texts.push(`\`\`\`${language ?? ''}\n${text}\n\`\`\``);
    else if (type === 'image' && url && /^(?:https?|data):/i.test(url)) {
      images.push({ type: 'image_url', image_url: { url } });
    } else if (['image', 'file', 'video'].includes(type)) {
      texts.push(`[Attached, not included in the file: ${name}]`);
    }
  }
  const thoughts = blocks
    .filter(({ type }) => type === 'thinking')
    .map((one) => getText(one.content));
  const text = texts.filter((part) => part !== '').join('\n\n');
  const parts: ContentPart[] = text === '' ? images : [{ type: 'text', text }, ...images];
  return {
    content: images.length === 0 ? text : parts,
    reasoning: thoughts.length === 0 ? null : thoughts.join('\n\n'),
  };
}

function readRun(message: CherryMessage, blocks: readonly Block[], createdAt: number) {
  const model = message.model?.id ?? message.modelId;
  if (model == null) return null;
  const problem = blocks.find(({ type }) => type === 'error')?.error?.message;
  const failed = message.status === 'error';
  const stopped = message.status === 'paused';
  return toImportedRun({
    id: message.id,
    program: 'Cherry Studio',
    model,
    createdAt,
    status: failed ? 'failed' : stopped ? 'cancelled' : 'succeeded',
    error: failed ? createAnswerError(problem) : null,
    figures: { usage: message.usage ?? null },
    firstTokenMs: message.metrics?.time_first_token_millsec ?? null,
    totalMs: message.metrics?.time_completion_millsec ?? null,
  });
}

function createAnswerError(problem: unknown) {
  const message = typeof problem === 'string' && problem !== '' ? problem : 'The answer failed.';
  return appError('unexpected', message, 'The error is from Cherry Studio.');
}
