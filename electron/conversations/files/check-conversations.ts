/** Validates imported conversations before anything is written. */
import {
  type ContentPart,
  getContentText,
  getSource,
} from '../../../shared/operations/chat/message.ts';
import {
  type ConversationFile,
  type FileConversation,
  type FileMessage,
  importError,
  isDate,
} from './conversation-file.ts';
import { type ImportLimits, importLimits, SPLIT } from './import-limits.ts';

/**
 * Returns the file with parents before their children. Throws a `UserFacingError` that names the
 * conversation and what is wrong with it.
 */
export function checkConversations(
  file: ConversationFile,
  limits: Pick<ImportLimits, 'nodes'> = importLimits,
): ConversationFile {
  const names = file.media.map(({ name }) => name ?? '');
  const path = names.find((name) => PATH_SIGN.test(name));
  if (path !== undefined) {
    throw importError(`The file contains an attachment whose name is a path: “${path}”.`);
  }
  if (new Set(file.media.map(({ id }) => id)).size < file.media.length) {
    throw importError('Two attachments in the file have the same ID.');
  }
  if (file.conversations.length === 0) throw importError('The file has no conversations.');
  const messageCounts = file.conversations.map(({ messages }) => messages.length + 1);
  if (messageCounts.reduce((sum, count) => sum + count, 0) > limits.nodes) {
    const most = limits.nodes.toLocaleString('en-US');
    throw importError(`The file has more than ${most} conversations and messages.`, SPLIT);
  }
  return { ...file, conversations: file.conversations.map(checkConversation) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const PATH_SIGN = /[/\\\x00-\x1f]/;

function checkConversation(conversation: FileConversation, index: number): FileConversation {
  const { messages, activeLeafId, createdAt, updatedAt } = conversation;
  const label = `Conversation ${index + 1} (“${getName(conversation)}”)`;
  if (![createdAt, updatedAt, ...messages.map((one) => one.createdAt)].every(isDate)) {
    throw importError(`${label} has a date outside the calendar.`);
  }
  const sorted = sortByParent(messages, label);
  if (activeLeafId !== null && !messages.some(({ id }) => id === activeLeafId)) {
    throw importError(`${label} ends at a message that isn’t in the file.`);
  }
  for (const [at, message] of messages.entries()) {
    const link = findUnsafeLink(message);
    if (link === null) continue;
    const shown = link.length > 80 ? `${link.slice(0, 79)}…` : link;
    throw importError(
      `${label}: message ${at + 1} links to “${shown}”, which is a script or a path.`,
    );
  }
  return { ...conversation, messages: sorted };
}

function getName({ title, messages }: FileConversation): string {
  const text = title === '' ? getContentText(messages[0]?.content, '\n\n') : title;
  return text.trim().split('\n', 1)[0]?.slice(0, 60) ?? '';
}

/** Moves parents before their children; the order is otherwise unchanged. */
function sortByParent(messages: readonly FileMessage[], label: string): FileMessage[] {
  const ids = new Set(messages.map(({ id }) => id));
  if (ids.size < messages.length) throw importError(`${label} has two messages with the same ID.`);
  const sorted: FileMessage[] = [];
  const added = new Set<string>();
  const waiting = new Map<string, FileMessage[]>();
  for (const message of messages) {
    const { parentId } = message;
    if (parentId === null || added.has(parentId)) add(message);
    else if (!ids.has(parentId)) {
      throw importError(`${label} has a message whose parent isn’t in the file.`);
    } else {
      const siblings = waiting.get(parentId);
      if (siblings === undefined) waiting.set(parentId, [message]);
      else siblings.push(message);
    }
  }

  function add(first: FileMessage): void {
    const ready = [first];
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      sorted.push(next);
      added.add(next.id);
      // Reverse the children, because `pop` takes the last one first.
      for (const child of waiting.get(next.id)?.toReversed() ?? []) ready.push(child);
      waiting.delete(next.id);
    }
  }

  if (sorted.length < messages.length) {
    throw importError(`${label} has messages whose parents form a loop.`);
  }
  return sorted;
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const UNSAFE_SCHEMES = new Set(['file', 'javascript', 'vbscript']);
/** Some gateways send an image as bare base64, which a short path can resemble. */
const isBareBase64 = (link: string) => link.length >= 64 && !/[^A-Za-z0-9+/=_\s-]/.test(link);

/** Returns the first link to a script or to a file on this computer. */
function findUnsafeLink({ content }: FileMessage): string | null {
  const parts: readonly ContentPart[] = typeof content === 'string' ? [] : content;
  return parts.map(getSource).find((link) => link !== null && isUnsafe(link)) ?? null;
}

function isUnsafe(link: string): boolean {
  const scheme = SCHEME.exec(link)?.[1]?.toLowerCase();
  if (scheme === undefined) return link !== '' && !isBareBase64(link);
  // A single letter is a Windows drive.
  return scheme.length === 1 || UNSAFE_SCHEMES.has(scheme);
}
