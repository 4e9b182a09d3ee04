import type { Conversation, ConversationSummary } from '../../../../shared/conversation.ts';
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { focusRow } from '../../../ui/roving-list.ts';
import { conversationsUndoKey } from '../conversation/chat-actions.ts';
import {
  selectConversation,
  setCheckedConversations,
  useChat,
} from '../conversation/chat-store.ts';
import { runExclusive } from '../conversation/run-exclusive.ts';

/**
 * Shows what the list is working on, or why it failed. Resolves to true if it succeeded. Work with
 * a `stop` can be stopped by the user.
 */
export async function runListWork(
  work: () => Promise<unknown>,
  description: string | null = null,
  stop: AbortController | null = null,
): Promise<boolean> {
  const stopListWork = stop && (() => stop.abort());
  useChat.setState({ listWork: description, listProblem: null, stopListWork });
  try {
    await work();
    return true;
  } catch (cause) {
    if (stop?.signal.aborted !== true) useChat.setState({ listProblem: toAppError(cause) });
    return false;
  } finally {
    useChat.setState({ listWork: null, stopListWork: null });
  }
}

export function pinConversations(ids: readonly string[], pinned: boolean): void {
  void runListWork(async () => {
    await api.conversations.place({ ids: [...ids], pinned });
    focusFirst(ids);
  });
}

/** A null `folder` moves the conversations out of their folder. */
export function moveToFolder(ids: readonly string[], folder: string | null): Promise<boolean> {
  return runListWork(async () => {
    await api.conversations.place({ ids: [...ids], folder });
    // The row may move into a closed folder, where it couldn't be seen.
    useChat.setState(({ closedFolders }) => ({
      closedFolders: closedFolders.filter((name) => name !== folder),
    }));
    focusFirst(ids);
  });
}

/** `neighborId` is the row to focus, because the archived rows leave the list. */
export function archiveConversations(
  conversations: readonly Pick<ConversationSummary, 'id' | 'title'>[],
  archived: boolean,
  neighborId: string | null,
): void {
  const ids = conversations.map(({ id }) => id);
  void runListWork(async () => {
    await api.conversations.place({ ids, archived });
    // End the selection, because the archived rows leave the list.
    setCheckedConversations(null);
    if (neighborId !== null) focusRow(conversationsUndoKey, neighborId);
    const [first] = conversations;
    if (!archived || first === undefined) return;
    offerUndo({
      message:
        ids.length === 1 ? `“${first.title}” archived` : `${ids.length} conversations archived`,
      several: { words: '# conversations archived', count: ids.length },
      place: conversationsUndoKey,
      undo: () => api.conversations.place({ ids, archived: false }),
      onUndone: () => focusFirst(ids),
    });
  });
}

/** Switches the rows between buttons and checkboxes, and focuses a row. */
export function setCheckedAndFocus(ids: readonly string[] | null, focusedId: string): void {
  setCheckedConversations(ids);
  focusRow(conversationsUndoKey, focusedId);
}

function focusFirst([id]: readonly string[]): void {
  if (id !== undefined) focusRow(conversationsUndoKey, id);
}

/** A null `name` keeps the conversations and removes the folder. */
export function renameFolder(folder: string, name: string | null): Promise<boolean> {
  return runListWork(async () => {
    await api.conversations.renameFolder({ folder, name });
    useChat.setState(({ closedFolders }) => ({
      closedFolders: closedFolders.filter((one) => one !== folder),
    }));
  });
}

export function duplicateConversation(id: string): void {
  void runListWork(async () =>
    openCopy(await api.conversations.duplicate({ id, messageId: null })),
  );
}

/** Copies the messages up to this one to a new conversation. */
export function branchConversation({ id }: Conversation, messageId: string): Promise<boolean> {
  return runExclusive(async () =>
    selectConversation((await api.conversations.duplicate({ id, messageId })).id),
  );
}

function openCopy({ id }: ConversationSummary): void {
  selectConversation(id);
  focusRow(conversationsUndoKey, id);
}
