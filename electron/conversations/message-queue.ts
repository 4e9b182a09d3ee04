/** Keeps the messages that the user queued, which are steps of a turn that it has not reached. */
import { randomUUID } from 'node:crypto';
import type { QueueInput, SendInput } from '../../shared/contract/conversations.ts';
import type { QueuedMessage, WrittenMessage } from '../../shared/conversation.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { getConversationFormId, joinFieldName } from '../../shared/form-fields.ts';
import type { Forms } from '../storage/forms.ts';

interface QueueOptions {
  forms: Pick<Forms, 'get' | 'change'>;
  now: () => number;
}

export interface QueuedId {
  conversationId: string;
  queuedId: string;
}

type NewQueuedMessage = Omit<QueueInput, 'afterRunId'> & { turnId: string };

type Entry = [queuedId: string, queued: QueuedMessage];

/** `edit`, `read` and `take` throw `not-found` if the message was already sent or removed. */
export interface MessageQueue {
  add(input: NewQueuedMessage): void;
  /** Returns the first message of the turn, or null; `isEdited` if the user is changing it. */
  next(conversationId: string, turnId: string): { queuedId: string; isEdited: boolean } | null;
  /** Returns the input to send the message with. */
  read(id: QueuedId): Omit<SendInput, 'parentId'>;
  /** Ends the edit of a message; null keeps its text. */
  edit(id: QueuedId, message: WrittenMessage | null): void;
  /** Removes the message, and assigns the remaining messages to the turn that sends it. */
  take(id: QueuedId, turnId: string): void;
  /** Shows why the message wasn't sent, unless it was removed. */
  fail(id: QueuedId, problem: AppError): void;
}

/** The conversation's form holds the queue, so it survives a restart and reaches every window. */
export function createMessageQueue({ forms, now }: QueueOptions): MessageQueue {
  function readForm(conversationId: string): { entries: Entry[]; edited: ReadonlySet<string> } {
    const id = getConversationFormId(conversationId);
    const { content } = forms.get({ id, operation: 'chat', after: null });
    if (content.operation !== 'chat') throw new Error('A conversation has a chat form.');
    const { queue = {}, edits = {} } = content.fields;
    const entries = Object.entries(queue).sort(([, a], [, b]) => a.queuedAt - b.queuedAt);
    return { entries, edited: new Set(Object.keys(edits)) };
  }

  function write(conversationId: string, entries: readonly Entry[], unset: string[] = []): void {
    const fields = { queue: Object.fromEntries(entries) };
    const id = getConversationFormId(conversationId);
    forms.change({ id, content: { operation: 'chat', fields }, unset, after: null });
  }

  function find({ conversationId, queuedId }: QueuedId): QueuedMessage {
    const entry = readForm(conversationId).entries.find(([id]) => id === queuedId);
    if (entry === undefined) throw new UserFacingError(alreadySent);
    return entry[1];
  }

  return {
    add({ conversationId, ...input }) {
      // Keeps the order of messages that are queued in one millisecond or after a clock change.
      const last = readForm(conversationId).entries.at(-1)?.[1].queuedAt ?? 0;
      const queued = { ...input, queuedAt: Math.max(now(), last + 1), problem: null };
      write(conversationId, [[randomUUID(), queued]]);
    },

    next(conversationId, turnId) {
      const { entries, edited } = readForm(conversationId);
      const first = entries.find(([, queued]) => queued.turnId === turnId);
      return first === undefined ? null : { queuedId: first[0], isEdited: edited.has(first[0]) };
    },

    read(id) {
      const { message, connectionId, request, extraBody, wireNames, sourceRunId } = find(id);
      const { conversationId } = id;
      return {
        conversationId,
        message,
        connectionId,
        request,
        extraBody,
        wireNames,
        sourceRunId,
      };
    },

    edit(id, message) {
      const queued = find(id);
      const entry: Entry = [id.queuedId, { ...queued, message: message ?? queued.message }];
      write(id.conversationId, [entry], [joinFieldName('edits', id.queuedId)]);
    },

    take(id, turnId) {
      find(id);
      const { entries } = readForm(id.conversationId);
      const others = entries.filter(([queuedId]) => queuedId !== id.queuedId);
      write(
        id.conversationId,
        others.map(([queuedId, queued]) => [queuedId, { ...queued, turnId }]),
        [joinFieldName('queue', id.queuedId)],
      );
    },

    fail({ conversationId, queuedId }, problem) {
      const failed = readForm(conversationId).entries.find(([id]) => id === queuedId);
      if (failed !== undefined) write(conversationId, [[queuedId, { ...failed[1], problem }]]);
    },
  };
}

const alreadySent = appError(
  'not-found',
  'This message was already sent or removed.',
  'Send a new message.',
);
