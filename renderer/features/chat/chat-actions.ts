/** What the user can do to conversations. What main answers is shown; the change feed asks for the rest. */
import type { AddedMessages } from '../../../shared/contract/conversations.ts';
import type {
  Conversation,
  ConversationSummary,
  WrittenMessage,
} from '../../../shared/conversation.ts';
import type { ConversationOptions } from '../../../shared/conversation-options.ts';
import { isSameJson, type JsonObject } from '../../../shared/json.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import { initialPhase } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { selectInspectedRun } from '../../lib/layout.ts';
import { optimisticUpdate, queryClient } from '../../lib/query-client.ts';
import { offerUndo } from '../../lib/undo.ts';
import { offerUndoOfReplacement } from '../../run/form/change-with-undo.ts';
import { mergeUndo } from '../../run/form/merge-undo.ts';
import { conversationForm, forgetConversationForm } from '../../run/form/panel-forms.ts';
import { type DeletedRun, describeDeletion } from '../../run/live/deletion-words.ts';
import { focusRow } from '../../ui/roving-list.ts';
import { runExclusive } from './attempt.ts';
import { selectConversation, useChat } from './chat-store.ts';
import type { ComposerForm } from './composer/composer-form.ts';
import {
  conversationQuery,
  knownConversation,
  wholeConversation,
} from './conversations/conversation-query.ts';
import { keepTarget, moveSettings, type Target } from './conversations/conversation-settings.ts';
import { getSubtree, newestLeaf, withAdded } from './messages/branch.ts';
import { systemMessages } from './options/save-system-message.ts';

/** What the run form settled: where to send, and everything but the messages. */
export type ReadyRequest = {
  connectionId: string;
  request: JsonObject;
  extraBody: JsonObject;
  /** The run whose text is in the message. */
  sourceRunId?: string | null;
};

/**
 * Sends `message` behind `parentId`, or asks for an answer to `parentId` where it is null. Once at a
 * time: a second call while one is on its way does nothing but say so. True when main has recorded the run.
 */
export function sendMessage(
  ready: ReadyRequest,
  parentId: string | null,
  message: WrittenMessage | null,
  earlier: WrittenMessage[] = [],
): Promise<boolean> {
  return inConversation(
    (conversationId, beyondCap) =>
      api.conversations.send({ ...ready, conversationId, parentId, message, earlier, beyondCap }),
    ready,
  );
}

/** In its own conversation options; those that the user chose for a new one stay there. */
export function sendExample(
  ready: ReadyRequest,
  message: WrittenMessage,
  options: ConversationOptions,
): Promise<boolean> {
  return inConversation(
    (conversationId, beyondCap) =>
      api.conversations.send({ ...ready, conversationId, parentId: null, message, beyondCap }),
    ready,
    options,
  );
}

export function addMessage(parentId: string | null, message: WrittenMessage): Promise<boolean> {
  return inConversation((conversationId) =>
    api.conversations.addMessage({ conversationId, parentId, message }),
  );
}

/** Where Undo is offered for conversations, and the list it restores them to. */
export const conversationsPlace = 'conversations';

/** Where Undo is offered for messages of the conversation. */
export function messagesPlace(conversationId: string): string {
  return `messages ${conversationId}`;
}

/** With the messages that follow it; can be undone, but for the answers that this stops. */
export function removeMessage(conversation: Conversation, messageId: string): Promise<boolean> {
  return runExclusive(async () => {
    const { id: conversationId, messages } = await wholeConversation(conversation);
    const removed = getSubtree(messages, messageId);
    const what = removed.length === 1 ? 'Message' : `${removed.length} messages`;
    const { message, note } = describeDeletion(
      what,
      removed.flatMap(({ run }) => run ?? []),
    );
    const { deletionId } = await api.conversations.removeMessage({ conversationId, messageId });
    const place = messagesPlace(conversationId);
    if (deletionId === null) return;
    offerUndo({
      message,
      several: { words: '# messages deleted', count: removed.length, note },
      place,
      undo: deletionId,
    });
  });
}

/** Shows the newest branch that begins at the sibling. */
export function switchBranch(conversation: Conversation, siblingId: string): Promise<boolean> {
  return runExclusive(async () => {
    const { messages } = await wholeConversation(conversation);
    await writeShown(conversation.id, newestLeaf(messages, siblingId));
  });
}

/** Shows the branch that ends there. */
export function showBranch(conversationId: string, leafId: string): Promise<boolean> {
  return runExclusive(() => writeShown(conversationId, leafId));
}

async function writeShown(id: string, activeLeafId: string): Promise<void> {
  await api.conversations.update({ id, activeLeafId });
  changeShown(id, (shown) => ({ ...shown, activeLeafId }));
}

export function renameConversation(id: string, title: string): Promise<boolean> {
  return runExclusive(async () => {
    await api.conversations.update({ id, title });
    changeList((listed) => listed.map((one) => (one.id === id ? { ...one, title } : one)));
  });
}

export function removeConversation(conversation: ConversationSummary): Promise<boolean> {
  const { id, title, lastRunStatus } = conversation;
  return runExclusive(async () => {
    const { deletionId } = await api.conversations.remove({ id });
    const wasSelected = useChat.getState().selectedId === id;
    changeList((listed) => listed.filter((one) => one.id !== id));
    const writeRest = forgetConversationForm(id);
    if (wasSelected) useChat.setState({ selectedId: null });
    if (deletionId === null) return;
    const lastRun: DeletedRun[] =
      lastRunStatus === null
        ? []
        : [{ operation: 'chat', status: lastRunStatus, phase: initialPhase, media: [] }];
    const { message, note } = describeDeletion(`“${title}”`, lastRun);
    offerUndo({
      message,
      several: { words: '# conversations deleted', note },
      place: conversationsPlace,
      undo: deletionId,
      onUndone() {
        writeRest();
        selectConversation(id);
        focusRow(conversationsPlace, id);
      },
    });
  });
}

export function saveOptions(id: string, options: ConversationOptions): Promise<boolean> {
  return runExclusive(() => writeOptions(id, options), 'always');
}

/** Shown at once, and again as they were where main could not keep them. */
async function writeOptions(id: string, options: ConversationOptions): Promise<void> {
  useChat.setState({ pendingOptions: { id, options } });
  try {
    await api.conversations.update({ id, options });
    changeShown(id, (shown) => ({ ...shown, options }));
  } finally {
    const { pendingOptions } = useChat.getState();
    if (pendingOptions?.options === options) useChat.setState({ pendingOptions: null });
  }
}

export function stopRun(runId: string): Promise<boolean> {
  return runExclusive(() => api.runs.cancel({ id: runId }), 'always');
}

/** In the selected conversation, or in a new one that is there and selected only if this succeeds. */
export function inConversation(
  action: (conversationId: string, beyondCap: boolean) => Promise<AddedMessages>,
  sent: Target | null = null,
  /** The conversation's new ones; unchanged if omitted. */
  ownOptions: ConversationOptions | null = null,
): Promise<boolean> {
  return runExclusive(async (beyondCap) => {
    const { selectedId } = useChat.getState();
    if (selectedId !== null) {
      await systemMessages.flush(selectedId);
      if (ownOptions !== null) {
        await replaceOptions(selectedId, ownOptions, 'Options replaced by the example');
      }
      const added = await action(selectedId, beyondCap);
      changeShown(selectedId, (shown) => withAdded(shown, added));
      if (sent !== null) noteRun(conversationForm(selectedId), sent);
      return;
    }
    const form = conversationForm(null);
    await form.retry();
    const { systemMessage, options: chosen } = form.state.getState().values.input;
    const options = ownOptions ?? chosen;
    const created = await api.conversations.create({ systemMessage, options });
    const { id } = created;
    try {
      // What is typed right after sending goes into the composer of the new conversation, without a wait.
      const composerReady = conversationForm(id).load();
      const added = await action(id, beyondCap);
      await composerReady.catch(() => undefined);
      moveSettings(id);
      if (sent !== null) noteRun(conversationForm(id), sent);
      queryClient.setQueryData(conversationQuery(id).queryKey, withAdded(created, added));
    } catch (error) {
      await api.conversations.remove({ id }).catch(() => undefined);
      throw error;
    }
    useChat.setState({ selectedId: id, createdId: id });
    const { systemMessage: none, options: defaults } = emptyInputs.chat;
    form.change({
      input: { systemMessage: none, options: ownOptions === null ? defaults : chosen },
    });
  });
}

/** The conversation continues where it was sent, and the inspector shows it. */
function noteRun(form: ComposerForm, sent: Target): void {
  keepTarget(form, sent);
  selectInspectedRun(null);
}

/** Undo restores the options that the conversation had. */
async function replaceOptions(
  id: string,
  options: ConversationOptions,
  message: string,
): Promise<void> {
  const before = shownOptions(id);
  await writeOptions(id, options);
  if (before === undefined || isSameJson(before, options)) return;
  offerUndoOfReplacement(message, {
    before,
    after: options,
    read: async () => shownOptions(id) ?? options,
    write: (value) => writeOptions(id, value),
    merge: putOptionsBack,
    place: messagesPlace(id),
  });
}

/** What was chosen since stays. */
function putOptionsBack(
  before: ConversationOptions,
  after: ConversationOptions,
  now: ConversationOptions,
): ConversationOptions {
  return {
    toolIds: mergeUndo(before.toolIds, after.toolIds, now.toolIds),
    toolChoice: mergeUndo(before.toolChoice, after.toolChoice, now.toolChoice),
    sendReasoning: mergeUndo(before.sendReasoning, after.sendReasoning, now.sendReasoning),
    responseFormat: mergeUndo(before.responseFormat, after.responseFormat, now.responseFormat),
  };
}

function shownOptions(id: string): ConversationOptions | undefined {
  const { pendingOptions } = useChat.getState();
  if (pendingOptions?.id === id) return pendingOptions.options;
  return knownConversation(id)?.options;
}

function changeShown(id: string, change: (shown: Conversation) => Conversation): void {
  optimisticUpdate(orpc.conversations.get.key({ input: { id } }), change);
}

function changeList(change: (listed: ConversationSummary[]) => ConversationSummary[]): void {
  optimisticUpdate(orpc.conversations.list.key(), change);
}
