/** Conversations for every caller: what changes there is announced, and what is removed no longer runs. */

import type { AddedMessages, SendInput, SendResult } from '../../shared/contract/conversations.ts';
import type {
  Conversation,
  ConversationSummary,
  WrittenMessage,
} from '../../shared/conversation.ts';
import { conversationFormId } from '../../shared/form-fields.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { Changes } from '../changes.ts';
import type { Engine } from '../runs/engine.ts';
import type {
  ConversationFields,
  ConversationStore,
  FinishedAnswer,
} from '../storage/conversation-store.ts';
import type { Forms } from '../storage/forms.ts';
import { newMessage, sendMessage } from './send-message.ts';

/** Asked for what does not exist, every method throws an `AppFailure` of kind `not-found`. */
export interface Conversations {
  /** Most recently changed first; an empty search finds all. */
  list(query: { search: string; limit: number }): ConversationSummary[];
  get(id: string): Conversation;
  create(): Conversation;
  /** A title given here is the user's own and stays. */
  update(id: string, fields: ConversationFields): ConversationSummary;
  /** Stops the runs that answer there; what was being written there goes too. */
  remove(id: string): void;
  /** Either the message, its answers and the run are all there afterwards, or none of them. */
  send(input: SendInput): Promise<SendResult>;
  /** Adds a message without asking for an answer. */
  addMessage(
    conversationId: string,
    parentId: string | null,
    message: WrittenMessage,
  ): AddedMessages;
  /** With all that follows; stops the runs that answer nowhere any more. */
  removeMessage(conversationId: string, messageId: string): void;
  /** Copies what a finished run answered into the conversation that asked, if one did. */
  settle(run: RunView): void;
}

export function createConversations(options: {
  store: ConversationStore;
  engine: Pick<Engine, 'start' | 'cancel'>;
  forms: Pick<Forms, 'remove'>;
  changes: Pick<Changes, 'announce'>;
}): Conversations {
  const { store, engine, forms, changes } = options;
  const changed = (id: string) => changes.announce('conversations', id);

  function cancelAll(runIds: string[]): void {
    for (const runId of runIds) engine.cancel(runId);
  }

  return {
    list: (query) => store.list(query),
    get: (id) => store.get(id),

    create() {
      const conversation = store.create();
      changed(conversation.id);
      return conversation;
    },

    update(id, fields) {
      const summary = store.update(id, fields);
      changed(id);
      return summary;
    },

    remove(id) {
      cancelAll(store.remove(id));
      forms.remove(conversationFormId(id));
      changed(id);
    },

    async send(input) {
      const result = await sendMessage(store, engine, input);
      changed(input.conversationId);
      return result;
    },

    addMessage(conversationId, parentId, written) {
      const message = newMessage(parentId, written);
      store.insert({ conversationId, messages: [message], activeLeafId: message.id });
      changed(conversationId);
      return store.added(conversationId, [message.id]);
    },

    removeMessage(conversationId, messageId) {
      cancelAll(store.removeMessage(conversationId, messageId));
      changed(conversationId);
    },

    settle(run) {
      if (run.conversationId === null || run.operation !== 'chat') return;
      store.settle(run.id, finishedAnswers(run.state));
      changed(run.conversationId);
    },
  };
}

/** One for each choice of the run. */
function finishedAnswers({ choices }: ChatState): FinishedAnswer[] {
  return choices.map((choice) => ({
    choiceIndex: choice.index,
    content: choice.content,
    reasoning: choice.reasoning === '' ? null : choice.reasoning,
    toolCalls: choice.toolCalls.map((call, index) => ({
      // Without an id its result could not say which call it answers.
      id: call.id === '' ? `call_${index}` : call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
    audio: choice.audio ?? null,
  }));
}
