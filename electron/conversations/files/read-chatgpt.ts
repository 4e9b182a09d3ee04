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
  createForeignFile,
  describeIssue,
  type FileConversation,
  type FileMessage,
  importError,
  isDate,
} from './conversation-file.ts';
import type { ImportBudget } from './import-limits.ts';
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
export function readChatGptFile(
  conversations: readonly JsonObject[],
  budget: ImportBudget,
): ConversationFile {
  return createForeignFile(
    conversations.map((conversation, index) => readConversation(conversation, index, budget)),
  );
}

function readConversation(
  value: JsonObject,
  index: number,
  budget: ImportBudget,
): FileConversation {
  const { success, data, error } = conversationSchema.safeParse(value);
  const label = `Conversation ${index + 1}`;
  if (!success) throw importError(`${label} isn’t valid. ${describeIssue(error.issues)}`);
  const createdAt = toMs(data.create_time) ?? 0;
  const nodes = new Map(Object.entries(data.mapping));
  const { messages, findShown } = readNodes(nodes, { createdAt, label, budget });
  return createFileConversation({
    title: data.title ?? '',
    createdAt,
    updatedAt: toMs(data.update_time) ?? createdAt,
    archived: data.is_archived === true,
    pinned: data.is_starred === true || data.pinned_time !== null,
    systemMessage: readInstructions([...nodes.values()]),
    activeLeafId: findShown(data.current_node).id ?? messages.at(-1)?.id ?? null,
    messages,
  });
}

function toMs(time: number | null): number | null {
  const timeMs = Math.round((time ?? Number.NaN) * 1000);
  return isDate(timeMs) ? timeMs : null;
}

interface Reading {
  createdAt: number;
  label: string;
  budget: ImportBudget;
}

/**
 * The nearest shown ancestor (null above the first), and the thoughts of the hidden nodes in
 * between.
 */
interface Ancestor {
  id: string | null;
  thoughts: Thoughts | null;
}

/** A linked list, so that several continuations can share its start. */
interface Thoughts {
  earlier: Thoughts | null;
  texts: readonly string[];
}

/** Omits nodes with nothing to show; their children follow the nearest shown ancestor. */
function readNodes(nodes: ReadonlyMap<string, Node>, { createdAt, label, budget }: Reading) {
  const kinds = new Map(
    [...nodes].map(([id, { message }]) => [id, message === null ? 'hidden' : getKind(message)]),
  );
  /** Caches the result for each chain of hidden nodes, so that each node is visited only once. */
  const ancestors = new Map<string, Ancestor>();

  /** Returns the node or its nearest ancestor that is shown. */
  function findShown(from: string | null): Ancestor {
    const passed = new Map<string, Node>();
    let found: Ancestor = { id: null, thoughts: null };
    for (let id = from; id !== null; ) {
      const node = nodes.get(id);
      if (node === undefined)
        throw importError(`${label} has a message whose parent isn’t in the file.`);
      const known = kinds.get(id) === 'hidden' ? ancestors.get(id) : { id, thoughts: null };
      if (known !== undefined) {
        found = known;
        break;
      }
      if (passed.has(id)) throw importError(`${label} has messages whose parents form a loop.`);
      passed.set(id, node);
      id = node.parent;
    }
    for (const [id, { message }] of [...passed].toReversed()) {
      const texts = getThoughts(message);
      if (texts.length > 0) found = { ...found, thoughts: { earlier: found.thoughts, texts } };
      ancestors.set(id, found);
    }
    return found;
  }

  const messages = [...nodes].flatMap(([id, { parent, message }]): FileMessage[] => {
    const { id: parentId, thoughts } = findShown(parent);
    const kind = kinds.get(id) ?? 'hidden';
    if (message === null || kind === 'hidden') return [];
    const isCalled = kinds.get(parentId ?? '') === 'call';
    return [readMessage({ id, parentId, message, kind, isCalled, thoughts, createdAt, budget })];
  });
  return { messages, findShown };
}

/** Returns the thoughts in order. Counts them each time, because siblings repeat them. */
function listThoughts(thoughts: Thoughts, budget: ImportBudget): string[] {
  const texts: string[] = [];
  for (let one: Thoughts | null = thoughts; one !== null; one = one.earlier) {
    for (const text of one.texts.toReversed()) {
      budget.addText(text);
      texts.push(text);
    }
  }
  return texts.reverse();
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
  kind: Kind;
  /** Whether the preceding message calls a tool. */
  isCalled: boolean;
  thoughts: Thoughts | null;
  createdAt: number;
  budget: ImportBudget;
}

function readMessage({
  id,
  parentId,
  message,
  kind,
  isCalled,
  thoughts,
  createdAt,
  budget,
}: NodeToRead): FileMessage {
  const { metadata } = message;
  const time = toMs(message.create_time) ?? createdAt;
  const replaced = withReferences(getBody(message.content), metadata, budget);
  const text = withAttachments(replaced, metadata);
  budget.addText(text);
  const common = { id, parentId, createdAt: time };
  if (kind === 'user') return createFileMessage({ ...common, role: 'user', content: text });
  if (kind === 'result') {
    // A result without a call, such as a generated image, is shown as an answer.
    if (!isCalled) {
      const name = toToolName(message.author.name ?? 'tool');
      return createFileMessage({ ...common, role: 'assistant', content: text, name });
    }
    return createFileMessage({ ...common, role: 'tool', content: text, toolCallId: parentId });
  }
  const model = metadata?.model_slug;
  const run =
    typeof model === 'string'
      ? toImportedRun({
          id,
          program: 'ChatGPT',
          model,
          createdAt: time,
          status: message.status === 'in_progress' ? 'interrupted' : 'succeeded',
          figures: { finishReasons: getFinishReasons(metadata) },
        })
      : null;
  const reasoning = thoughts === null ? null : listThoughts(thoughts, budget).join('\n\n');
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
const PRIVATE_MARK = /\ue200[^\ue200\ue201]{0,2000}\ue201/g;

/** Replaces reference marks with the links they stand for; marks in a link stay. */
function withReferences(text: string, metadata: JsonObject | null, budget: ImportBudget): string {
  const references = metadata?.content_references;
  const links = new Map<string, string>();
  for (const reference of Array.isArray(references) ? references : []) {
    const { data } = referenceSchema.safeParse(reference);
    if (data === undefined || data.matched_text.trim() === '' || data.alt == null) continue;
    if (!links.has(data.matched_text)) links.set(data.matched_text, data.alt);
  }
  return replaceMarks(text, links, budget).replaceAll(PRIVATE_MARK, '');
}

/** Replaces marks from left to right. If several begin at one position, the longest wins. */
function replaceMarks(
  text: string,
  links: ReadonlyMap<string, string>,
  budget: ImportBudget,
): string {
  budget.addSearch(links.size * text.length);
  const marks = [...links].map(([mark, link]) => ({ mark, link, at: text.indexOf(mark) }));
  let replaced = '';
  let from = 0;
  for (;;) {
    budget.addSearch(marks.length);
    let next: (typeof marks)[number] | null = null;
    for (const one of marks) {
      if (one.at !== -1 && one.at < from) one.at = text.indexOf(one.mark, from);
      if (one.at === -1) continue;
      const isLonger = one.at === next?.at && one.mark.length > next.mark.length;
      if (next === null || one.at < next.at || isLonger) next = one;
    }
    if (next === null) return replaced + text.slice(from);
    replaced += text.slice(from, next.at) + next.link;
    from = next.at + next.mark.length;
    budget.requireRoom(replaced.length);
  }
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
