/** Imports all conversations of a file, or none if one is invalid. */
import { assertNever } from '../../../shared/assert-never.ts';
import type { ImportResult } from '../../../shared/contract/conversations.ts';
import {
  type ConversationOptions,
  MAX_CONVERSATION_FILE_BYTES,
} from '../../../shared/conversation.ts';
import { appError, UserFacingError } from '../../../shared/errors.ts';
import { getConversationFormId } from '../../../shared/form-fields.ts';
import { isSameJson } from '../../../shared/json.ts';
import type { SavedTool } from '../../../shared/saved-items.ts';
import type { ChangeEmitter } from '../../base/changes.ts';
import { yieldToEventLoop } from '../../base/yield-to-event-loop.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { Database } from '../../storage/database-access.ts';
import type { Deletions } from '../../storage/deletions.ts';
import type { Forms } from '../../storage/forms.ts';
import type { SavedItemStores } from '../../storage/saved-items.ts';
import { updateOptions } from '../store/conversation-rows.ts';
import { finishImported, insertHidden, insertImportedMessages } from '../store/import-rows.ts';
import { type ChatSettings, type FileMedia, importError } from './conversation-file.ts';
import { replaceMediaIds } from './media-references.ts';
import { readSettings } from './read-gatehouse.ts';
import { type ReadPiece, readOnThread } from './read-on-thread.ts';

export interface ImportTargets {
  db: Database;
  deletions: Pick<Deletions, 'stage'>;
  media: Pick<MediaStore, 'begin' | 'writer' | 'hide'>;
  forms: Pick<Forms, 'change'>;
  tools: Pick<SavedItemStores['tools'], 'list' | 'add'>;
  listConnections: () => readonly { id: string; name: string }[];
  changes: Pick<ChangeEmitter, 'announce'>;
}

/** Imports an uploaded file and always deletes the upload; imports nothing if it is aborted. */
export async function importConversations(
  targets: ImportTargets,
  uploadId: string,
  signal?: AbortSignal,
): Promise<ImportResult> {
  const bytes = await takeUpload(targets.media, uploadId);
  return writeFile(targets, readOnThread(bytes, signal));
}

async function takeUpload(
  media: ImportTargets['media'],
  id: string,
): Promise<Uint8Array<ArrayBuffer>> {
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

/** Everything except the messages and media. */
interface ImportedHeads {
  connections: readonly NamedConnection[];
  tools: readonly SavedTool[];
  conversations: { id: string; options: ConversationOptions; settings: ChatSettings }[];
}

async function writeFile(
  targets: ImportTargets,
  pieces: AsyncIterable<ReadPiece>,
): Promise<ImportResult> {
  const { db, deletions, changes } = targets;
  const stage = deletions.stage();
  try {
    const heads = await writePieces(targets, pieces, stage.hiddenAt);
    const notes = db.write(() => {
      stage.reveal();
      return writeSettings(targets, heads);
    });
    for (const topic of ['conversations', 'media', 'saved-items'] as const) changes.announce(topic);
    return { ids: heads.conversations.map(({ id }) => id), notes };
  } catch (cause) {
    stage.discard();
    throw cause;
  }
}

async function writePieces(
  targets: ImportTargets,
  pieces: AsyncIterable<ReadPiece>,
  hiddenAt: number,
): Promise<ImportedHeads> {
  const { db } = targets;
  const heads: ImportedHeads = { connections: [], tools: [], conversations: [] };
  const mediaIds = new Map<string, string>();
  let current: { id: string; leafId: string | null; messageIds: Map<string, string> } | null = null;

  function finishCurrent(): void {
    if (current === null) return;
    const { id, leafId, messageIds } = current;
    const shownId = leafId === null ? null : (messageIds.get(leafId) ?? null);
    db.write(() => finishImported(db, id, shownId));
    current = null;
  }

  for await (const { piece, bytes } of pieces) {
    switch (piece.kind) {
      case 'head':
        heads.connections = piece.connections;
        heads.tools = piece.tools;
        break;
      case 'media': {
        const id = await writeMedia(targets, piece.item, bytes ?? new Uint8Array(), hiddenAt);
        mediaIds.set(piece.item.id, id);
        break;
      }
      case 'conversation': {
        finishCurrent();
        const { activeLeafId, options, settings } = piece.conversation;
        const conversation = { ...piece.conversation, settings: readSettings(settings) };
        const id = db.write(() => insertHidden(db, conversation, hiddenAt));
        current = { id, leafId: activeLeafId, messageIds: new Map() };
        heads.conversations.push({ id, options, settings: conversation.settings });
        break;
      }
      case 'messages': {
        if (current === null) throw new TypeError('The messages have no conversation.');
        const { id, messageIds } = current;
        const own = piece.messages.map((message) => replaceMediaIds(message, mediaIds));
        db.write(() => insertImportedMessages(db, id, own, messageIds));
        break;
      }
      default:
        assertNever(piece);
    }
    await yieldToEventLoop(Number.POSITIVE_INFINITY);
  }
  finishCurrent();
  return heads;
}

async function writeMedia(
  { media }: ImportTargets,
  { name, type, role }: Omit<FileMedia, 'data'>,
  bytes: Uint8Array,
  hiddenAt: number,
): Promise<string> {
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
  return writer.id;
}

/** Adds tools and settings, which can refer to existing tools and connections. */
function writeSettings(
  { db, tools, forms, listConnections }: ImportTargets,
  file: ImportedHeads,
): string[] {
  const added = new Map<string, string>();
  const notes: string[] = [];
  for (const { id, ...imported } of file.tools) {
    const { tool } = imported;
    const saved = findTool(tools.list(), imported) ?? tools.add(imported);
    added.set(id, saved.id);
    const { name } = saved.tool.function;
    if (name === tool.function.name) continue;
    notes.push(`The tool ${tool.function.name} was added as ${name}, because the name is taken.`);
  }
  if (file.conversations.some(({ options }) => options.mcpTools.length > 0)) {
    notes.push('Tools of MCP servers are off in imported conversations.');
  }
  const getConnection = matchConnections(file.connections, listConnections());
  for (const { id, options, settings } of file.conversations) {
    const toolIds = options.toolIds.flatMap((toolId) => added.get(toolId) ?? []);
    if (options.toolIds.length + options.mcpTools.length > 0) {
      // A file must not select tools whose calls the user may always allow.
      updateOptions(db, id, { ...options, toolIds, mcpTools: [] });
    }
    const fields = replaceConnections(settings, getConnection);
    if (Object.keys(fields).length === 0) continue;
    const content = { operation: 'chat' as const, fields };
    forms.change({ id: getConversationFormId(id), content, unset: [], after: null });
  }
  return notes;
}

function findTool(
  saved: readonly SavedTool[],
  { tool, answer }: Omit<SavedTool, 'id'>,
): SavedTool | undefined {
  return saved.find((one) => isSameJson(one.tool, tool) && isSameJson(one.answer, answer));
}

interface NamedConnection {
  id: string;
  name: string;
}

/** Matches connections by ID, then by name; the function returns null for the rest. */
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

/** Keeps the models of missing connections, because the user may add those later. */
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
