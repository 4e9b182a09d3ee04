/** Writes conversations as JSON, Markdown or JSONL. No format contains keys or addresses. */
import type { ExportFormat } from '../../../shared/contract/conversations.ts';
import { MAX_CONVERSATION_FILE_BYTES } from '../../../shared/conversation.ts';
import { appError, UserFacingError } from '../../../shared/errors.ts';
import { getConversationFormId, isChatSetting } from '../../../shared/form-fields.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import { buildChatMessages } from '../../../shared/operations/chat/history.ts';
import { type Content, getMediaId } from '../../../shared/operations/chat/message.ts';
import { getChatRequestSchema } from '../../../shared/operations/chat/request.ts';
import type { SavedTool } from '../../../shared/saved-items.ts';
import { yieldToEventLoop } from '../../base/yield-to-event-loop.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { inlineMedia } from '../../operations/inline-media.ts';
import type { Forms } from '../../storage/forms.ts';
import type { ConversationStore } from '../store/conversation-store.ts';
import {
  FILE_FORMAT,
  FILE_VERSION,
  type FileConversation,
  type FileMedia,
  type FileMessage,
} from './conversation-file.ts';
import { listMessageMediaIds } from './media-references.ts';
import { writeMarkdown } from './write-markdown.ts';

export interface ExportSources {
  store: Pick<ConversationStore, 'whole'>;
  forms: Pick<Forms, 'get'>;
  media: Pick<MediaStore, 'get' | 'readBytes' | 'isOutput' | 'getRole'>;
  listTools: () => readonly SavedTool[];
  listConnections: () => readonly { id: string; name: string }[];
  now: () => number;
}

/** Yields the file in chunks; throws a `UserFacingError` if it would be too large to import. */
export async function* exportConversations(
  sources: ExportSources,
  { ids, format }: { ids: readonly string[]; format: ExportFormat },
): AsyncGenerator<string> {
  const write = { json: writeJson, markdown: writeAllMarkdown, jsonl: writeJsonl }[format];
  let bytes = 0;
  for await (const piece of write(sources, ids)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > MAX_CONVERSATION_FILE_BYTES) throw new UserFacingError(tooLarge);
    yield piece;
    await yieldToEventLoop(piece.length);
  }
}

async function* writeJson(sources: ExportSources, ids: readonly string[]): AsyncGenerator<string> {
  const { media, listTools, listConnections, now } = sources;
  const mediaIds = new Set<string>();
  const toolIds = new Set<string>();
  const settings: string[] = [];
  yield `{"format":"${FILE_FORMAT}","version":${FILE_VERSION},"exportedAt":${now()},`;
  yield '\n"conversations":[';
  for (const [index, id] of ids.entries()) {
    const conversation = readConversation(sources, id);
    for (const message of conversation.messages) {
      for (const mediaId of listMessageMediaIds(message)) mediaIds.add(mediaId);
    }
    for (const toolId of conversation.options.toolIds) toolIds.add(toolId);
    settings.push(JSON.stringify(conversation.settings));
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(conversation)}`;
  }
  const tools = listTools().filter(({ id }) => toolIds.has(id));
  const connections = listConnections()
    .filter(({ id }) => settings.some((text) => text.includes(`"${id}"`)))
    .map(({ id, name }) => ({ id, name }));
  yield `],\n"connections":${JSON.stringify(connections)},\n"tools":${JSON.stringify(tools)}`;
  yield ',\n"media":[';
  const stored = [...mediaIds].flatMap((id) => media.get(id) ?? []).filter((one) => one.complete);
  const encodedBytes = stored.reduce((sum, { sizeBytes }) => sum + (sizeBytes * 4) / 3, 0);
  if (encodedBytes > MAX_CONVERSATION_FILE_BYTES) throw new UserFacingError(tooLarge);
  for (const [index, { id, name, type, declaredType }] of stored.entries()) {
    const item: FileMedia = {
      id,
      name,
      type: declaredType ?? type,
      role: media.getRole(id) ?? 'upload',
      data: (await media.readBytes(id)).toString('base64'),
    };
    yield `${index === 0 ? '' : ','}\n${JSON.stringify(item)}`;
  }
  yield ']}\n';
}

function readConversation({ store, forms }: ExportSources, id: string): FileConversation {
  const { messages, ...head } = store.whole(id);
  const query = { id: getConversationFormId(id), operation: 'chat' as const, after: null };
  const { content } = forms.get(query);
  const settings = Object.entries(content.fields).filter(([name]) => isChatSetting(name));
  const { title, titled, pinned, archived, folder, createdAt, updatedAt } = head;
  const { systemMessage, options, activeLeafId } = head;
  return {
    title,
    titled,
    pinned,
    archived,
    folder,
    createdAt,
    updatedAt,
    systemMessage,
    options,
    activeLeafId,
    settings: Object.fromEntries(settings),
    messages: messages.map(
      ({ run, importedRun, continued: _, ...message }): FileMessage => ({
        ...message,
        run: run ?? importedRun,
      }),
    ),
  };
}

/** Returns the messages from the first to the end of the shown branch. */
function getBranch({ messages, activeLeafId }: FileConversation): FileMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const branch: FileMessage[] = [];
  for (let at = byId.get(activeLeafId ?? ''); at !== undefined; at = byId.get(at.parentId ?? '')) {
    branch.push(at);
  }
  return branch.reverse();
}

async function* writeAllMarkdown(sources: ExportSources, ids: readonly string[]) {
  const { media } = sources;
  const getName = (reference: string) =>
    media.get(findReferencedMedia(reference) ?? '')?.name ?? null;
  for (const id of ids) {
    const conversation = readConversation(sources, id);
    yield writeMarkdown(conversation, getBranch(conversation), getName);
  }
}

/** Writes one line per conversation for fine-tuning: the shown branch with inline media. */
async function* writeJsonl(sources: ExportSources, ids: readonly string[]) {
  const { media, listTools, now } = sources;
  for (const id of ids) {
    const conversation = readConversation(sources, id);
    const branch = getBranch(conversation).map((message) => ({
      ...message,
      content: withoutMissing(message.content, (mediaId) => media.get(mediaId)?.complete === true),
    }));
    const { systemMessage, options } = conversation;
    const messages = buildChatMessages(systemMessage, branch, {
      providerFields: 'never',
      now: now() / 1000,
    });
    const { sent } = await inlineMedia(getChatRequestSchema(), { messages }, media);
    const tools = listTools().filter((tool) => options.toolIds.includes(tool.id));
    const line = { ...sent, ...(tools.length > 0 && { tools: tools.map(({ tool }) => tool) }) };
    yield `${JSON.stringify(line)}\n`;
  }
}

function withoutMissing(content: Content, isStored: (id: string) => boolean): Content {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    const id = getMediaId(part);
    if (id === null || isStored(id)) return part;
    return { type: 'text', text: `[${createMediaReference(id)} is no longer in the library]` };
  });
}

const tooLarge = appError(
  'invalid-request',
  'The export is larger than 64 MiB, the import limit.',
  'Export fewer conversations at once, or Markdown, which leaves out media.',
);
