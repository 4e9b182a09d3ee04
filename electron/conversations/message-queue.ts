/** Sends queued messages one at a time, each when the answer before it succeeds. */
import { randomUUID } from 'node:crypto';
import type { QueueInput, SendInput, SendResult } from '../../shared/contract/conversations.ts';
import type { QueuedMessage, WrittenMessage } from '../../shared/conversation.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { conversationFormId, fieldName } from '../../shared/form-fields.ts';
import { isFinished, type RunStatus } from '../../shared/run.ts';
import type { Engine } from '../runs/engine.ts';
import type { Forms } from '../storage/forms.ts';
import type { ConversationStore } from './store/conversation-store.ts';

interface QueueOptions {
  store: Pick<ConversationStore, 'head' | 'path'>;
  engine: Pick<Engine, 'view'>;
  forms: Pick<Forms, 'get' | 'change'>;
  send: (input: SendInput, onRecord: (runId: string) => void) => Promise<SendResult>;
  /** Returns true if the run's turn continues, so that another answer follows. */
  isWorking: (runId: string) => boolean;
  now: () => number;
  reportDefect: (cause: unknown) => void;
}

export interface QueuedId {
  conversationId: string;
  queuedId: string;
}

type EndedRun = { id: string; status: RunStatus };
type Entry = [queuedId: string, queued: QueuedMessage];

/** `edit` and `sendNow` throw `not-found` if the message was already sent or removed. */
export interface MessageQueue {
  /** Sends the next message if the run succeeded; otherwise, the messages wait for the user. */
  handleEnd(conversationId: string, run: EndedRun): Promise<void>;
  /** Moves messages that wait for a run to the next run of its turn. */
  follow(conversationId: string, runId: string, nextRunId: string): void;
  /** Adds a message that waits for the run `afterRunId`. */
  add(input: QueueInput): Promise<void>;
  /**
   * Ends the edit, and sends the message if the answer has ended since. A null message keeps the
   * old text.
   */
  edit(edited: QueuedId & { message: WrittenMessage | null }): Promise<void>;
  /** Sends a message at once, after the message `parentId`. */
  sendNow(queued: QueuedId & { parentId: string | null; overCap: boolean }): Promise<SendResult>;
}

/** The conversation's form holds the queue, so it survives a restart and reaches every window. */
export function createMessageQueue(options: QueueOptions): MessageQueue {
  const { store, engine, forms, send, isWorking, now, reportDefect } = options;

  function read(conversationId: string): { entries: Entry[]; edited: ReadonlySet<string> } {
    const id = conversationFormId(conversationId);
    const { content } = forms.get({ id, operation: 'chat', after: null });
    if (content.operation !== 'chat') throw new Error('A conversation has a chat form.');
    const { queue = {}, edits = {} } = content.fields;
    const entries = Object.entries(queue).sort(([, a], [, b]) => a.queuedAt - b.queuedAt);
    return { entries, edited: new Set(Object.keys(edits)) };
  }

  function write(conversationId: string, entries: readonly Entry[], unset: string[] = []): void {
    const fields = { queue: Object.fromEntries(entries) };
    const id = conversationFormId(conversationId);
    forms.change({ id, content: { operation: 'chat', fields }, unset, after: null });
  }

  function find({ conversationId, queuedId }: QueuedId): QueuedMessage {
    const entry = read(conversationId).entries.find(([id]) => id === queuedId);
    if (entry === undefined) throw new UserFacingError(alreadySent);
    return entry[1];
  }

  /** Removes the message in the transaction that records its run, so it's never sent twice. */
  function sendEntry(
    { conversationId, queuedId }: QueuedId,
    parentId: string | null,
    overCap: boolean,
  ): Promise<SendResult> {
    const { message, connectionId, request, extraBody, wireNames, sourceRunId } = find({
      conversationId,
      queuedId,
    });
    const input = { conversationId, connectionId, request, extraBody, wireNames, sourceRunId };
    return send({ ...input, parentId, message, overCap }, (runId) => {
      find({ conversationId, queuedId });
      const { entries } = read(conversationId);
      const others = entries.filter(([id]) => id !== queuedId);
      write(
        conversationId,
        others.map(([id, queued]) => [id, { ...queued, afterRunId: runId }]),
        [fieldName('queue', queuedId)],
      );
    });
  }

  /** Returns the run's answer if it ends the shown branch without tool calls; null otherwise. */
  function getAnswer(conversationId: string, runId: string) {
    const { activeLeafId } = store.head(conversationId);
    const leaf = activeLeafId === null ? undefined : store.path(activeLeafId).at(-1);
    return leaf?.run?.id === runId && leaf.toolCalls.length === 0 ? leaf : null;
  }

  async function sendNext(conversationId: string, run: EndedRun): Promise<void> {
    const { entries, edited } = read(conversationId);
    const waiting = entries.filter(([, { afterRunId }]) => afterRunId === run.id);
    const first = waiting[0];
    if (first === undefined) return;
    const answer = run.status === 'succeeded' ? getAnswer(conversationId, run.id) : null;
    if (answer === null) {
      write(
        conversationId,
        waiting.map(([id, queued]) => [id, { ...queued, afterRunId: null }]),
      );
      return;
    }
    const [queuedId] = first;
    if (edited.has(queuedId)) return;
    try {
      await sendEntry({ conversationId, queuedId }, answer.id, false);
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      const left = read(conversationId).entries.filter(([, one]) => one.afterRunId === run.id);
      write(
        conversationId,
        left.map(([id, queued]) => [
          id,
          { ...queued, afterRunId: null, problem: id === queuedId ? cause.error : null },
        ]),
      );
    }
  }

  async function handleEnd(conversationId: string, run: EndedRun): Promise<void> {
    try {
      await sendNext(conversationId, run);
    } catch (cause) {
      // The user may delete the conversation while an answer is in progress.
      if (cause instanceof UserFacingError && cause.error.kind === 'not-found') return;
      reportDefect(cause);
    }
  }

  async function sendIfEnded(conversationId: string, runId: string): Promise<void> {
    const { status } = await engine.view(runId);
    if (isFinished(status) && !isWorking(runId))
      await handleEnd(conversationId, { id: runId, status });
  }

  return {
    handleEnd,

    follow(conversationId: string, runId: string, nextRunId: string): void {
      const waiting = read(conversationId).entries.filter(([, one]) => one.afterRunId === runId);
      if (waiting.length === 0) return;
      write(
        conversationId,
        waiting.map(([id, queued]) => [id, { ...queued, afterRunId: nextRunId }]),
      );
    },

    async add({ conversationId, ...input }: QueueInput): Promise<void> {
      // Keeps the order of messages that are queued in one millisecond or after a clock change.
      const last = read(conversationId).entries.at(-1)?.[1].queuedAt ?? 0;
      const queued = { ...input, queuedAt: Math.max(now(), last + 1), problem: null };
      write(conversationId, [[randomUUID(), queued]]);
      // The answer may have ended while the page was queuing.
      await sendIfEnded(conversationId, input.afterRunId);
    },

    async edit({ message, ...id }: QueuedId & { message: WrittenMessage | null }): Promise<void> {
      const { conversationId, queuedId } = id;
      const queued = find(id);
      const entry: Entry = [queuedId, { ...queued, message: message ?? queued.message }];
      write(conversationId, [entry], [fieldName('edits', queuedId)]);
      if (queued.afterRunId !== null) await sendIfEnded(conversationId, queued.afterRunId);
    },

    sendNow: ({
      parentId,
      overCap,
      ...id
    }: QueuedId & { parentId: string | null; overCap: boolean }) =>
      sendEntry(id, parentId, overCap),
  };
}

const alreadySent = appError(
  'not-found',
  'This message was already sent or removed.',
  'Send a new message.',
);
