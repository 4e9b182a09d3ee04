import type { AddedMessages } from '../../../../shared/contract/conversations.ts';
import type {
  Conversation,
  ConversationOptions,
  ConversationSummary,
  TreeMessage,
  WrittenMessage,
} from '../../../../shared/conversation.ts';
import { isSameJson, type JsonObject } from '../../../../shared/json.ts';
import { emptyInputs } from '../../../../shared/operations/empty-inputs.ts';
import { initialPhase } from '../../../../shared/run.ts';
import { api, orpc } from '../../../lib/api.ts';
import { selectInspectedRun } from '../../../lib/layout.ts';
import { queryClient, updateOptimistically } from '../../../lib/query-client.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { offerUndoOfReplacement } from '../../../run/form/change-with-undo.ts';
import { mergeUndo } from '../../../run/form/merge-undo.ts';
import { forgetConversationForm, getConversationForm } from '../../../run/form/panel-forms.ts';
import { askForGateway } from '../../../run/form/pasted-notice.ts';
import { type DeletedRun, describeDeletion } from '../../../run/live/deletion-text.ts';
import { focusRow } from '../../../ui/roving-list.ts';
import { addMessages, getNewestLeaf, getSubtree } from './branch.ts';
import { selectConversation, useChat } from './chat-store.ts';
import type { ComposerForm } from './composer-form.ts';
import {
  getCachedConversation,
  getConversationQuery,
  loadWholeConversation,
} from './conversation-query.ts';
import { keepTarget, moveSettings, type Target } from './conversation-settings.ts';
import { runExclusive } from './run-exclusive.ts';
import { systemMessages } from './save-system-message.ts';

/** Every field of the request except the messages. */
type ReadyRequest = {
  connectionId: string;
  request: JsonObject;
  extraBody: JsonObject;
  wireNames?: Record<string, string>;
  /** The run whose result the message contains. */
  sourceRunId?: string | null;
};

/** A null `message` requests an answer to `parentId`. Resolves to true once the run is recorded. */
export function sendMessage(
  ready: ReadyRequest,
  parentId: string | null,
  message: WrittenMessage | null,
  earlier: WrittenMessage[] = [],
  /** An example's options, which replace the conversation's. */
  ownOptions: ConversationOptions | null = null,
): Promise<boolean> {
  return runInConversation(
    (conversationId, overCap) =>
      api.conversations.send({ ...ready, conversationId, parentId, message, earlier, overCap }),
    ready,
    ownOptions,
  );
}

/** Queues the message until the run ends. Resolves to true once it is stored. */
export function queueMessage(
  conversationId: string,
  ready: ReadyRequest,
  message: WrittenMessage,
  afterRunId: string,
): Promise<boolean> {
  return runExclusive(() =>
    api.conversations.queue({
      wireNames: {},
      sourceRunId: null,
      ...ready,
      conversationId,
      message,
      afterRunId,
    }),
  );
}

/** Adds a version of the answer that continues `message`. */
export function continueAnswer(ready: ReadyRequest, message: TreeMessage): Promise<boolean> {
  const { id: continuesId, parentId } = message;
  return runInConversation(
    (conversationId, overCap) =>
      api.conversations.send({
        ...ready,
        conversationId,
        parentId,
        message: null,
        continuesId,
        overCap,
      }),
    ready,
  );
}

export function sendQueued(
  conversationId: string,
  queuedId: string,
  parentId: string | null,
): Promise<boolean> {
  return runExclusive(async (overCap) => {
    const input = { conversationId, queuedId, parentId, overCap };
    const added = await api.conversations.sendQueued(input);
    updateConversation(conversationId, (shown) => addMessages(shown, added));
  });
}

export function addMessage(parentId: string | null, message: WrittenMessage): Promise<boolean> {
  return runInConversation((conversationId) =>
    api.conversations.addMessage({ conversationId, parentId, message }),
  );
}

/** Identifies both the Undo offers and the roving list of conversations. */
export const conversationsUndoKey = 'conversations';

export function getMessagesUndoKey(conversationId: string): string {
  return `messages ${conversationId}`;
}

/** Deletes the message and its descendants. Undo doesn't resume stopped answers. */
export function removeMessage(conversation: Conversation, messageId: string): Promise<boolean> {
  return runExclusive(async () => {
    const { id: conversationId, messages } = await loadWholeConversation(conversation);
    const removed = getSubtree(messages, messageId);
    const what = removed.length === 1 ? 'Message' : `${removed.length} messages`;
    const { message, note } = describeDeletion(
      what,
      removed.flatMap(({ run }) => run ?? []),
    );
    const { deletionId } = await api.conversations.removeMessage({ conversationId, messageId });
    if (deletionId === null) return;
    offerUndo({
      message,
      several: { words: '# messages deleted', count: removed.length, note },
      place: getMessagesUndoKey(conversationId),
      undo: deletionId,
    });
  });
}

export function switchBranch(conversation: Conversation, siblingId: string): Promise<boolean> {
  return runExclusive(async () => {
    const { messages } = await loadWholeConversation(conversation);
    await selectLeaf(conversation.id, getNewestLeaf(messages, siblingId));
  });
}

export function showBranch(conversationId: string, leafId: string): Promise<boolean> {
  return runExclusive(() => selectLeaf(conversationId, leafId));
}

async function selectLeaf(id: string, activeLeafId: string): Promise<void> {
  await api.conversations.update({ id, activeLeafId });
  updateConversation(id, (shown) => ({ ...shown, activeLeafId }));
}

export function renameConversation(id: string, title: string): Promise<boolean> {
  return runExclusive(async () => {
    await api.conversations.update({ id, title });
    updateList((listed) => listed.map((one) => (one.id === id ? { ...one, title } : one)));
  });
}

export function removeConversation(
  conversation: ConversationSummary,
  neighborId: string | null,
): Promise<boolean> {
  const { id, title, lastRunStatus } = conversation;
  return runExclusive(async () => {
    const { deletionId } = await api.conversations.remove({ id });
    const wasSelected = useChat.getState().selectedId === id;
    updateList((listed) => listed.filter((one) => one.id !== id));
    const restoreForm = forgetConversationForm(id);
    if (wasSelected) {
      selectConversation(null);
      // Otherwise, the new conversation's message box would take focus.
      if (neighborId !== null) focusRow(conversationsUndoKey, neighborId);
    }
    if (deletionId === null) return;
    const lastRun: DeletedRun[] =
      lastRunStatus === null
        ? []
        : [{ operation: 'chat', status: lastRunStatus, phase: initialPhase, media: [] }];
    const { message, note } = describeDeletion(`“${title}”`, lastRun);
    offerUndo({
      message,
      several: { words: '# conversations deleted', note },
      place: conversationsUndoKey,
      undo: deletionId,
      onUndone() {
        restoreForm();
        selectConversation(id);
        focusRow(conversationsUndoKey, id);
      },
    });
  });
}

export function saveOptions(id: string, options: ConversationOptions): Promise<boolean> {
  return runExclusive(() => writeOptions(id, options), 'always');
}

/** Shows the new options immediately and restores the old ones if saving fails. */
async function writeOptions(id: string, options: ConversationOptions): Promise<void> {
  useChat.setState({ pendingOptions: { id, options } });
  try {
    await api.conversations.update({ id, options });
    updateConversation(id, (shown) => ({ ...shown, options }));
  } finally {
    const { pendingOptions } = useChat.getState();
    if (pendingOptions?.options === options) useChat.setState({ pendingOptions: null });
  }
}

/** Replaces the text in its field too, unlike typing. */
export function replaceSystemMessage(id: string, systemMessage: string): void {
  systemMessages.saveSoon(id, systemMessage);
  updateConversation(id, (shown) => ({ ...shown, systemMessage }));
  useChat.setState(({ systemMessageEdition }) => ({
    systemMessageEdition: systemMessageEdition + 1,
  }));
  void systemMessages.flush(id);
}

export function stopRun(runId: string): Promise<boolean> {
  return runExclusive(() => api.runs.cancel({ id: runId }), 'always');
}

/** Stops the turn with its request, and keeps the results that have arrived. */
export function stopTurns(conversationId: string): Promise<boolean> {
  return runExclusive(() => api.conversations.stopTurns({ conversationId }), 'always');
}

/** Lets tools answer the open calls at the end of the branch. */
export function continueTurn(
  conversationId: string,
  leafId: string,
  overCap = false,
): Promise<boolean> {
  return runExclusive(() => api.conversations.continueTurn({ conversationId, leafId, overCap }));
}

export function decideCall(
  input: Parameters<typeof api.conversations.decideCall>[0],
): Promise<boolean> {
  return runExclusive(() => api.conversations.decideCall(input), 'always');
}

/** Creates a conversation if none is selected, and removes it if the action fails. */
export async function runInConversation(
  action: (conversationId: string, overCap: boolean) => Promise<AddedMessages>,
  sent: Target | null = null,
  /** If set, replaces the conversation's options. */
  ownOptions: ConversationOptions | null = null,
): Promise<boolean> {
  const { selectedId: shownId } = useChat.getState();
  const answer = sent === null ? null : askForGateway(getConversationForm(shownId));
  if (answer !== null && !(await answer)) return false;
  return runExclusive(async (overCap) => {
    const { selectedId } = useChat.getState();
    if (selectedId !== null) {
      await systemMessages.flush(selectedId);
      if (ownOptions !== null) {
        await replaceOptions(selectedId, ownOptions, 'Options replaced by the example');
      }
      const added = await action(selectedId, overCap);
      updateConversation(selectedId, (shown) => addMessages(shown, added));
      if (sent !== null) recordTarget(getConversationForm(selectedId), sent);
      return;
    }
    const form = getConversationForm(null);
    await form.retry();
    const { systemMessage, options: chosen } = form.state.getState().values.input;
    const options = ownOptions ?? chosen;
    const created = await api.conversations.create({ systemMessage, options });
    const { id } = created;
    try {
      // Load the new composer before showing the conversation, so that the user can keep typing.
      const composerReady = getConversationForm(id).load();
      const added = await action(id, overCap);
      await composerReady.catch(() => undefined);
      moveSettings(id);
      if (sent !== null) recordTarget(getConversationForm(id), sent);
      queryClient.setQueryData(getConversationQuery(id).queryKey, addMessages(created, added));
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

function recordTarget(form: ComposerForm, sent: Target): void {
  keepTarget(form, sent);
  selectInspectedRun(null);
}

async function replaceOptions(
  id: string,
  options: ConversationOptions,
  message: string,
): Promise<void> {
  const before = getShownOptions(id);
  await writeOptions(id, options);
  if (before === undefined || isSameJson(before, options)) return;
  offerUndoOfReplacement(message, {
    before,
    after: options,
    read: async () => getShownOptions(id) ?? options,
    write: (value) => writeOptions(id, value),
    merge: mergeOptions,
    place: getMessagesUndoKey(id),
  });
}

/** Undoes the change from `before` to `after`, keeping later edits in `now`. */
function mergeOptions(
  before: ConversationOptions,
  after: ConversationOptions,
  now: ConversationOptions,
): ConversationOptions {
  return {
    toolIds: mergeUndo(before.toolIds, after.toolIds, now.toolIds),
    mcpTools: mergeUndo(before.mcpTools, after.mcpTools, now.mcpTools),
    builtInTools: mergeUndo(before.builtInTools, after.builtInTools, now.builtInTools),
    toolChoice: mergeUndo(before.toolChoice, after.toolChoice, now.toolChoice),
    providerFields: mergeUndo(before.providerFields, after.providerFields, now.providerFields),
    responseFormat: mergeUndo(before.responseFormat, after.responseFormat, now.responseFormat),
    maxRounds: mergeUndo(before.maxRounds, after.maxRounds, now.maxRounds),
    rejectsBadCalls: mergeUndo(before.rejectsBadCalls, after.rejectsBadCalls, now.rejectsBadCalls),
  };
}

/** Returns undefined until the conversation has loaded. */
export function getShownOptions(id: string): ConversationOptions | undefined {
  const { pendingOptions } = useChat.getState();
  if (pendingOptions?.id === id) return pendingOptions.options;
  return getCachedConversation(id)?.options;
}

function updateConversation(id: string, change: (shown: Conversation) => Conversation): void {
  updateOptimistically(orpc.conversations.get.key({ input: { id } }), change);
}

function updateList(change: (listed: ConversationSummary[]) => ConversationSummary[]): void {
  updateOptimistically(orpc.conversations.list.key(), change);
}
