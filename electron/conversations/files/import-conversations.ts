/** Imports a file of conversations: all of them, or nothing if one is broken. */
import type { ImportResult } from '../../../shared/contract/conversations.ts';
import { MAX_CONVERSATION_FILE_BYTES } from '../../../shared/conversation.ts';
import { appError, UserFacingError } from '../../../shared/errors.ts';
import { conversationFormId } from '../../../shared/form-fields.ts';
import { isSameJson } from '../../../shared/json.ts';
import type { SavedTool } from '../../../shared/saved-items.ts';
import type { ChangeEmitter } from '../../changes.ts';
import { yieldToEventLoop } from '../../gateway/yield-to-event-loop.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { Database } from '../../storage/database-access.ts';
import type { Deletions } from '../../storage/deletions.ts';
import type { Forms } from '../../storage/forms.ts';
import { finishImported, insertHidden, insertImportedMessages } from '../../storage/import-rows.ts';
import type { ToolStore } from '../../storage/saved-items.ts';
import {
  type ChatSettings,
  type ConversationFile,
  type FileConversation,
  importError,
} from './conversation-file.ts';
import { replaceMediaIds } from './media-references.ts';
import { readConversationFile } from './read-file.ts';
import { storeInlineData } from './store-inline-data.ts';

export interface ImportTargets {
  db: Database;
  deletions: Pick<Deletions, 'stage'>;
  media: Pick<MediaStore, 'begin' | 'writer' | 'hide'>;
  forms: Pick<Forms, 'change'>;
  tools: Pick<ToolStore, 'list' | 'add'>;
  listConnections: () => readonly { id: string; name: string }[];
  changes: Pick<ChangeEmitter, 'announce'>;
}

/** Inserting more at once would block the main process for too long. */
const MESSAGES_AT_ONCE = 200;

/** Imports the file that the page uploaded; the upload is deleted in any case. */
export async function importConversations(
  targets: ImportTargets,
  uploadId: string,
): Promise<ImportResult> {
  const bytes = await takeUpload(targets.media, uploadId);
  return writeFile(targets, storeInlineData(readConversationFile(bytes)));
}

async function takeUpload(media: ImportTargets['media'], id: string): Promise<Uint8Array> {
  const writer = media.writer(id);
  if (writer?.role !== 'upload') throw new UserFacingError(noUpload);
  try {
    const { sizeBytes } = writer.file;
    if (sizeBytes === 0) throw importError('The file is empty.');
    if (sizeBytes > MAX_CONVERSATION_FILE_BYTES)
      throw importError('The file is larger than 64 MiB.');
    const bytes = new Uint8Array(sizeBytes);
    for (let at = 0; at < sizeBytes; ) {
      at += await writer.file.read(bytes.subarray(at), at);
    }
    return bytes;
  } finally {
    await writer.abort();
  }
}

async function writeFile(targets: ImportTargets, file: ConversationFile): Promise<ImportResult> {
  const { db, deletions, changes } = targets;
  const stage = deletions.stage();
  try {
    const mediaIds = await writeMedia(targets, file.media, stage.hiddenAt);
    const ids: string[] = [];
    for (const conversation of file.conversations) {
      ids.push(await writeConversation(db, conversation, mediaIds, stage.hiddenAt));
    }
    const notes = db.write(() => {
      stage.reveal();
      return writeSettings(targets, file, ids);
    });
    for (const topic of ['conversations', 'media', 'tools'] as const) changes.announce(topic);
    return { ids, notes };
  } catch (cause) {
    stage.discard();
    throw cause;
  }
}

async function writeMedia(
  { media }: ImportTargets,
  items: ConversationFile['media'],
  hiddenAt: number,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { id, name, type, role, data } of items) {
    const bytes = Buffer.from(data, 'base64');
    const options = { name, declaredType: type, role, sizeBytes: bytes.length };
    const writer = media.begin(options);
    try {
      await writer.write(bytes);
      await writer.finish();
    } catch (cause) {
      await writer.abort();
      throw cause;
    }
    media.hide(writer.id, hiddenAt);
    ids.set(id, writer.id);
  }
  return ids;
}

async function writeConversation(
  db: Database,
  conversation: FileConversation,
  mediaIds: ReadonlyMap<string, string>,
  hiddenAt: number,
): Promise<string> {
  const { messages, activeLeafId } = conversation;
  const ids = new Map<string, string>();
  const id = db.write(() => insertHidden(db, conversation, hiddenAt));
  for (let at = 0; at < messages.length; at += MESSAGES_AT_ONCE) {
    const some = messages.slice(at, at + MESSAGES_AT_ONCE);
    const own = some.map((message) => replaceMediaIds(message, mediaIds));
    db.write(() => insertImportedMessages(db, id, own, ids));
    await yieldToEventLoop(Number.POSITIVE_INFINITY);
  }
  const leafId = activeLeafId === null ? null : (ids.get(activeLeafId) ?? null);
  db.write(() => finishImported(db, id, leafId));
  return id;
}

/** Adds tools and settings, which can refer to tools and connections that are here already. */
function writeSettings(
  { db, tools, forms, listConnections }: ImportTargets,
  file: ConversationFile,
  ids: readonly string[],
): string[] {
  const added = new Map<string, string>();
  const notes: string[] = [];
  for (const { id, tool, createdAt } of file.tools) {
    const saved = findTool(tools.list(), tool) ?? tools.add({ tool, createdAt });
    added.set(id, saved.id);
    const { name } = saved.tool.function;
    if (name === tool.function.name) continue;
    notes.push(`The tool ${tool.function.name} was added as ${name}, because the name is taken.`);
  }
  const getConnection = matchConnections(file.connections, listConnections());
  for (const [index, { options, settings }] of file.conversations.entries()) {
    const id = ids[index];
    if (id === undefined) continue;
    const toolIds = options.toolIds.flatMap((toolId) => added.get(toolId) ?? []);
    db.sql('UPDATE conversations SET options = ? WHERE id = ?').run(
      JSON.stringify({ ...options, toolIds }),
      id,
    );
    const fields = replaceConnections(settings, getConnection);
    if (Object.keys(fields).length === 0) continue;
    const content = { operation: 'chat' as const, fields };
    forms.change({ id: conversationFormId(id), content, unset: [], after: null });
  }
  return notes;
}

function findTool(saved: readonly SavedTool[], tool: SavedTool['tool']): SavedTool | undefined {
  return saved.find((one) => isSameJson(one.tool, tool));
}

interface NamedConnection {
  id: string;
  name: string;
}

/** Prefers the same connection to one of the same name; null if there is neither. */
function matchConnections(
  exported: readonly NamedConnection[],
  own: readonly NamedConnection[],
): (id: string) => string | null {
  const matches = new Map(
    exported.map(({ id, name }) => {
      const same = own.find((one) => one.id === id) ?? own.find((one) => one.name === name);
      return [id, same?.id ?? null];
    }),
  );
  return (id) => matches.get(id) ?? null;
}

/** Keeps the models of a connection that isn't here, because they may be entered again. */
function replaceConnections(
  settings: ChatSettings,
  getConnection: (id: string) => string | null,
): ChatSettings {
  const replaceModels = (models: Record<string, string>) =>
    Object.fromEntries(Object.entries(models).map(([id, of]) => [getConnection(id) ?? id, of]));
  const { connectionId, models, variants } = settings;
  return {
    ...settings,
    ...(connectionId != null && { connectionId: getConnection(connectionId) }),
    ...(models && { models: replaceModels(models) }),
    ...(variants && {
      variants: Object.fromEntries(
        Object.entries(variants).map(([id, variant]) => [
          id,
          {
            ...variant,
            connectionId: variant.connectionId && getConnection(variant.connectionId),
            models: replaceModels(variant.models),
          },
        ]),
      ),
    }),
  };
}

const noUpload = appError('not-found', 'The file is no longer here.', 'Choose the file again.');
