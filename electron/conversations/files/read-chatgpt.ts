/**
 * Reads ChatGPT's `conversations.json`, also in parts such as `conversations-000.json`: a list of
 * conversations, each a `mapping` of nodes with `parent` and `message`, where `current_node` is the
 * end of the shown branch, times are Unix seconds, and images are in other files of the archive.
 * OpenAI doesn't document it; see https://github.com/mohamed-chs/convoviz (docs/dev/chatgpt-spec.md,
 * version 3.0 of February 2026).
 */
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { jsonObjectSchema, jsonValueSchema } from '../../../shared/json-schema.ts';
import type { Source } from '../../../shared/operations/chat/sources.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import {
  type ConversationFile,
  createFileConversation,
  createFileMessage,
  describeIssue,
  type FileConversation,
  type FileMessage,
  foreignFile,
  importError,
} from './conversation-file.ts';
import { toImportedRun } from './imported-run.ts';

const seconds = z.number().nullable().catch(null).default(null);

const messageSchema = z.object({
  author: z.object({ role: z.string(), name: z.string().nullable().optional() }),
  create_time: seconds,
  content: jsonObjectSchema,
  status: z.string().optional(),
  recipient: z.string().nullable().optional(),
  metadata: jsonObjectSchema.nullable().default(null),
});
type ChatGptMessage = z.infer<typeof messageSchema>;

const nodeSchema = z.object({
  parent: z.string().nullable().default(null),
  message: messageSchema.nullable().default(null),
});
type Node = z.infer<typeof nodeSchema>;

const conversationSchema = z.object({
  title: z.string().nullable().default(null),
  create_time: seconds,
  update_time: seconds,
  current_node: z.string().nullable().default(null),
  is_archived: z.boolean().nullable().default(null),
  is_starred: z.boolean().nullable().default(null),
  pinned_time: seconds,
  mapping: z.record(z.string(), nodeSchema),
});

export function isChatGptFile(first: JsonObject): boolean {
  return isJsonObject(first.mapping);
}

/** Throws a `UserFacingError` that names the conversation if one of them is invalid. */
export function readChatGptFile(conversations: readonly JsonObject[]): ConversationFile {
  return foreignFile(conversations.map(readConversation));
}

function readConversation(value: JsonObject, index: number): FileConversation {
  const { success, data, error } = conversationSchema.safeParse(value);
  const label = `Conversation ${index + 1}`;
  if (!success) throw importError(`${label} isn’t valid. ${describeIssue(error.issues)}`);
  const createdAt = toMs(data.create_time) ?? 0;
  const nodes = new Map(Object.entries(data.mapping));
  const { messages, findShown } = readNodes(nodes, createdAt, label);
  return createFileConversation({
    title: data.title ?? '',
    createdAt,
    updatedAt: toMs(data.update_time) ?? createdAt,
    archived: data.is_archived === true,
    pinned: data.is_starred === true || data.pinned_time !== null,
    systemMessage: readInstructions([...nodes.values()]),
    activeLeafId: findShown(data.current_node) ?? messages.at(-1)?.id ?? null,
    messages,
  });
}

function toMs(time: number | null): number | null {
  return time === null || !Number.isFinite(time) ? null : Math.round(time * 1000);
}

/** Omits nodes with nothing to show; their children follow the nearest shown ancestor. */
function readNodes(nodes: ReadonlyMap<string, Node>, createdAt: number, label: string) {
  const isShown = (id: string) => {
    const message = nodes.get(id)?.message ?? null;
    return message !== null && getKind(message) !== 'hidden';
  };

  /** Returns the node or its nearest ancestor that is shown, and calls `visit` for the others. */
  function findShown(from: string | null, visit: (node: Node) => void = () => undefined) {
    const passed = new Set<string>();
    for (let id = from; id !== null; ) {
      const node = nodes.get(id);
      if (node === undefined)
        throw importError(`${label} has a message whose parent isn’t in the file.`);
      if (isShown(id)) return id;
      if (passed.has(id)) throw importError(`${label} has messages whose parents form a loop.`);
      passed.add(id);
      visit(node);
      id = node.parent;
    }
    return null;
  }

  const messages = [...nodes].flatMap(([id, { parent, message }]): FileMessage[] => {
    const thoughts: string[] = [];
    const parentId = findShown(parent, (node) => thoughts.unshift(...getThoughts(node.message)));
    if (message === null || !isShown(id)) return [];
    const call = nodes.get(parentId ?? '')?.message ?? null;
    return [readMessage({ id, parentId, message, call, thoughts, createdAt })];
  });
  return { messages, findShown };
}

type Kind = 'hidden' | 'user' | 'answer' | 'call' | 'result';

const SHOWN_RESULTS = ['execution_output', 'tether_quote', 'multimodal_text', 'text', 'code'];
const HIDDEN_ANSWERS = ['thoughts', 'reasoning_recap', 'model_editable_context'];

function getKind({ author, content, recipient, metadata }: ChatGptMessage): Kind {
  const type = String(content.content_type ?? 'text');
  if (metadata?.is_visually_hidden_from_conversation === true || getBody(content) === '') {
    return 'hidden';
  }
  if (author.role === 'user') return type === 'user_editable_context' ? 'hidden' : 'user';
  if (author.role === 'tool') return SHOWN_RESULTS.includes(type) ? 'result' : 'hidden';
  if (author.role !== 'assistant' || HIDDEN_ANSWERS.includes(type)) return 'hidden';
  return recipient == null || recipient === 'all' ? 'answer' : 'call';
}

interface NodeToRead {
  id: string;
  parentId: string | null;
  message: ChatGptMessage;
  /** The preceding message, which may call a tool. */
  call: ChatGptMessage | null;
  thoughts: readonly string[];
  createdAt: number;
}

function readMessage({
  id,
  parentId,
  message,
  call,
  thoughts,
  createdAt,
}: NodeToRead): FileMessage {
  const kind = getKind(message);
  const { metadata } = message;
  const time = toMs(message.create_time) ?? createdAt;
  const text = withAttachments(withReferences(getBody(message.content), metadata), metadata);
  const common = { id, parentId, createdAt: time };
  if (kind === 'user') return createFileMessage({ ...common, role: 'user', content: text });
  if (kind === 'result') {
    // A result without a call, such as a generated image, is shown as an answer.
    if (call === null || getKind(call) !== 'call') {
      const name = toToolName(message.author.name ?? 'tool');
      return createFileMessage({ ...common, role: 'assistant', content: text, name });
    }
    return createFileMessage({ ...common, role: 'tool', content: text, toolCallId: parentId });
  }
  const model = metadata?.model_slug;
  const run =
    typeof model === 'string'
      ? toImportedRun({
          ...{ id, program: 'ChatGPT', model, createdAt: time },
          status: message.status === 'in_progress' ? 'interrupted' : 'succeeded',
          figures: { finishReasons: getFinishReasons(metadata) },
        })
      : null;
  const reasoning = thoughts.length === 0 ? null : thoughts.join('\n\n');
  const answer = { ...common, role: 'assistant' as const, run, reasoning };
  const choiceIndex = run === null ? null : 0;
  if (kind !== 'call') {
    const sources = readCitations(text, metadata);
    return createFileMessage({ ...answer, choiceIndex, content: text, sources });
  }
  const called = { name: toToolName(message.recipient ?? 'tool'), arguments: toArguments(text) };
  const toolCalls = [{ id, type: 'function' as const, function: called }];
  return createFileMessage({ ...answer, choiceIndex, content: '', toolCalls });
}

/** Gateways accept tool names with letters, digits, - and _. */
function toToolName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64);
}

/** Gateways accept only JSON objects as arguments. */
function toArguments(text: string): string {
  return isJsonObject(parseJson(text)) ? text : JSON.stringify({ input: text });
}

const partSchema = z.union([
  z.string(),
  z
    .object({ content_type: z.literal('audio_transcription'), text: z.string() })
    .transform(({ text }) => text),
  z
    .object({ content_type: z.string().includes('image_asset_pointer') })
    .transform(() => '[Image, not included in the file]'),
  z
    .object({ content_type: z.string().includes('asset_pointer') })
    .transform(() => '[Recording, not included in the file]'),
  jsonValueSchema.transform(() => ''),
]);

/** Returns the text of a content object, whose fields depend on its type. */
function getBody({ parts, text, result }: JsonObject): string {
  if (Array.isArray(parts)) {
    return parts
      .map((part) => partSchema.parse(part))
      .filter((part) => part !== '')
      .join('\n\n');
  }
  if (typeof text === 'string') return text;
  return typeof result === 'string' ? result : '';
}

const thoughtSchema = z.object({
  summary: z.string().default(''),
  content: z.string().default(''),
});

function getThoughts(message: ChatGptMessage | null): string[] {
  const thoughts = message?.content.thoughts;
  if (!Array.isArray(thoughts)) return [];
  return thoughts.flatMap((value) => {
    const { summary = '', content = '' } = thoughtSchema.safeParse(value).data ?? {};
    return [summary, content].filter((line) => line !== '').join('\n') || [];
  });
}

const instructionsSchema = z.object({
  content_type: z.literal('user_editable_context'),
  user_profile: z.string().nullable().default(null),
  user_instructions: z.string().nullable().default(null),
});

/** Returns the custom instructions, which are a hidden message. */
function readInstructions(nodes: readonly Node[]): string {
  for (const { message } of nodes) {
    const { data } = instructionsSchema.safeParse(message?.content);
    if (data === undefined) continue;
    return [data.user_profile, data.user_instructions].filter(Boolean).join('\n\n');
  }
  return '';
}

const referenceSchema = z.object({ matched_text: z.string(), alt: z.string().nullish() });
/** Marks such as `cite turn0search1`, between characters for private use. */
const PRIVATE_MARK = /\ue200[^\ue201]{0,2000}\ue201/g;

/** Replaces reference marks in the text with the links they stand for. */
function withReferences(text: string, metadata: JsonObject | null): string {
  const references = metadata?.content_references;
  let replaced = text;
  for (const reference of Array.isArray(references) ? references : []) {
    const { data } = referenceSchema.safeParse(reference);
    if (data === undefined || data.matched_text.trim() === '' || data.alt == null) continue;
    replaced = replaced.replaceAll(data.matched_text, () => data.alt ?? '');
  }
  return replaced.replaceAll(PRIVATE_MARK, '');
}

const attachmentSchema = z.object({ name: z.string() });

function withAttachments(text: string, metadata: JsonObject | null): string {
  const attachments = metadata?.attachments;
  const names = (Array.isArray(attachments) ? attachments : []).flatMap(
    (value) => attachmentSchema.safeParse(value).data?.name ?? [],
  );
  if (names.length === 0) return text;
  return `${text}\n\n[Attached, not included in the file: ${names.join(', ')}]`.trimStart();
}

const citationSchema = z.object({
  start_ix: z.int(),
  end_ix: z.int(),
  metadata: z.object({ title: z.string().nullish(), url: z.string().nullish() }),
});

function readCitations(text: string, metadata: JsonObject | null): Source[] {
  const citations = metadata?.citations;
  return (Array.isArray(citations) ? citations : []).flatMap((value, index): Source[] => {
    const { data } = citationSchema.safeParse(value);
    const url = data?.metadata.url;
    if (data === undefined || url == null) return [];
    const mark = text.slice(data.start_ix, data.end_ix);
    const marks = mark.startsWith('【') ? [mark] : [];
    return [{ number: index + 1, url, title: data.metadata.title ?? null, marks }];
  });
}

function getFinishReasons(metadata: JsonObject | null): string[] {
  const details = metadata?.finish_details;
  const type = isJsonObject(details) ? details.type : undefined;
  return typeof type === 'string' ? [type === 'max_tokens' ? 'length' : type] : [];
}
