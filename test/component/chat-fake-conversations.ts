/** Fakes conversations in memory, and the queue in their forms. */
import { z } from 'zod';
import { getPath } from '../../renderer/features/chat/conversation/branch.ts';
import type {
  NextRequestInput,
  QueueInput,
  SendInput,
} from '../../shared/contract/conversations.ts';
import {
  type Conversation,
  type QueuedMessage,
  queuedMessageSchema,
  type TreeMessage,
  type WrittenMessage,
} from '../../shared/conversation.ts';
import { getConversationFormId, joinFieldName } from '../../shared/form-fields.ts';
import { buildChatMessages } from '../../shared/operations/chat/history.ts';
import { addTurn, type CompareInput } from './chat-fake-comparisons.ts';
import {
  addConversation,
  changed,
  changes,
  conversations,
  countUp,
  getConversation,
  insertMessages,
  makeMessage,
  makeRun,
  nextId,
  recordDeletion,
  requests,
  runs,
  toRunView,
  toTreeMessage,
} from './chat-fake-state.ts';
import { fakeForms, storedFields } from './fake-forms.ts';
import type { Fields, StandIn } from './stand-in.ts';

/** Inputs of `nextRequest` calls. */
export const previewed: NextRequestInput[] = [];
export const sent: SendInput[] = [];
/** Requests to continue or stop a turn, or to allow a call. */
export const turnRequests: object[] = [];
export const compared: CompareInput[] = [];
export const exported: ExportInput[] = [];
/** Errors with which `send` and `update` fail. */
export const faults: { send: Error | null; update: Error | null } = { send: null, update: null };
let adding: Promise<void> | null = null;
let rest: { answered: Promise<void>; onRequest: () => void } | null = null;

type Conversations = NonNullable<StandIn['conversations']>;
type PlaceInput = Parameters<NonNullable<Conversations['place']>>[0];
type ExportInput = Parameters<NonNullable<Conversations['export']>>[0];

interface ConversationChange
  extends Fields<Pick<Conversation, 'title' | 'systemMessage' | 'activeLeafId'>> {
  id: string;
  options?: unknown;
}

interface QueuedId {
  conversationId: string;
  queuedId: string;
}

export function resetConversations(): void {
  conversations.clear();
  for (const list of [previewed, sent, turnRequests, compared, exported]) list.length = 0;
  Object.assign(faults, { send: null, update: null });
  adding = null;
  rest = null;
}

/** Limits conversations to their last 20 messages until it is resolved. */
export function holdRest(): PromiseWithResolvers<void> & { requested: Promise<void> } {
  const held = Promise.withResolvers<void>();
  const request = Promise.withResolvers<void>();
  rest = { answered: held.promise, onRequest: request.resolve };
  return { ...held, requested: request.promise };
}

/** Holds new messages until it is resolved. */
export function holdAdding(): PromiseWithResolvers<void> {
  const held = Promise.withResolvers<void>();
  adding = held.promise;
  return held;
}

const previewUrl = 'http://127.0.0.1:1/v1/chat/completions';

function writeBody({
  request,
  extraBody,
  parentId,
  message,
  earlier = [],
  ...input
}: NextRequestInput) {
  const { systemMessage, providerFields } = input;
  const all = [...conversations.values()].flatMap(({ messages }) => messages);
  const written = message === null ? earlier : [...earlier, message];
  const path = [...getPath(all, parentId), ...written.map((one) => toTreeMessage(null, one))];
  const branch = path.map((one) => ({ ...one, wire: null }));
  const messages = buildChatMessages(systemMessage, branch, { providerFields, now: 0 });
  return { ...request, messages, ...extraBody };
}

function getContinued(conversationId: string, id: string | null): TreeMessage['continued'] {
  const source = getConversation(conversationId).messages.find((message) => message.id === id);
  if (source === undefined || typeof source.content !== 'string') return null;
  const { content, reasoning, run } = source;
  return { runIds: run === null ? [] : [run.id], content, reasoning };
}

async function send(input: SendInput) {
  await adding;
  if (faults.send !== null) throw faults.send;
  sent.push(input);
  const { conversationId, parentId, message, earlier = [] } = input;
  const nodes: TreeMessage[] = [];
  for (const each of message === null ? earlier : [...earlier, message]) {
    nodes.push(toTreeMessage(nodes.at(-1)?.id ?? parentId, each));
  }
  const written = nodes.at(-1) ?? null;
  const run = makeRun({ status: 'running' });
  runs.set(run.id, { view: toRunView(run), wake: [] });
  requests.set(run.id, input.request);
  const choices = typeof input.request.n === 'number' ? input.request.n : 1;
  const answers = Array.from({ length: choices }, (_, choiceIndex) =>
    makeMessage({
      parentId: written?.id ?? parentId,
      role: 'assistant',
      run,
      choiceIndex,
      continued: getContinued(conversationId, input.continuesId ?? null),
    }),
  );
  const added = insertMessages(conversationId, [...nodes, ...answers], answers[0]?.id);
  const answerIds = answers.map(({ id }) => id);
  return { ...added, runId: run.id, messageId: written?.id ?? null, answerIds };
}

function restore(before: Conversation): () => void {
  return () => {
    conversations.set(before.id, before);
    changed(before.id);
  };
}

export const conversationProcedures = {
  compare: async (input: CompareInput) => {
    compared.push(input);
    return addTurn(input);
  },
  list: async ({ search, archived = false }: { search: string; archived?: boolean | undefined }) =>
    [...conversations.values()].filter(
      (one) => one.title.includes(search) && one.archived === archived,
    ),
  import: async () => ({ ids: [], notes: [] }),
  place: async ({ ids, pinned, archived, folder }: PlaceInput) => {
    if (faults.update !== null) throw faults.update;
    for (const id of ids) {
      const before = getConversation(id);
      conversations.set(id, {
        ...before,
        pinned: pinned ?? before.pinned,
        archived: archived ?? before.archived,
        folder: folder === undefined ? before.folder : folder,
      });
      changed(id);
    }
  },
  renameFolder: async ({ folder, name }: { folder: string; name: string | null }) => {
    for (const [id, one] of conversations) {
      if (one.folder === folder) conversations.set(id, { ...one, folder: name });
    }
    changes.announce('conversations');
  },
  duplicate: async ({ id, messageId }: { id: string; messageId: string | null }) => {
    const { messages, title } = getConversation(id);
    const end = messages.findIndex((message) => message.id === messageId);
    const copied = end === -1 ? messages : messages.slice(0, end + 1);
    const copy = addConversation(copied, { title: `${title} (copy)` });
    changed(copy.id);
    return copy;
  },
  export: async (wanted: ExportInput) => {
    exported.push(wanted);
    return (async function* () {
      yield 'file';
    })();
  },
  // Always return the whole conversation, because the fake doesn't track revisions.
  get: async ({ id }: { id: string }) => {
    const revision = `${nextId('epoch')}:0`;
    if (rest === null) return { ...getConversation(id), revision };
    conversations.set(id, { ...getConversation(id), revision });
    return {
      ...getConversation(id),
      messages: getConversation(id).messages.slice(-20),
      complete: false,
    };
  },
  messages: async ({ id }: { id: string }) => {
    rest?.onRequest();
    await rest?.answered;
    const { messages, revision } = getConversation(id);
    return { messages: messages.toReversed(), next: null, revision };
  },
  create: async ({
    draft = 'New',
    ...fields
  }: Omit<ConversationChange, 'id'> & { draft?: string | undefined } = {}) =>
    Object.assign(addConversation([], { title: draft }), fields),
  update: async ({ id, ...fields }: ConversationChange) => {
    if (faults.update !== null) throw faults.update;
    conversations.set(id, Object.assign({ ...getConversation(id) }, fields));
    changed(id);
    return getConversation(id);
  },
  remove: async ({ id }: { id: string }) => {
    const deletionId = recordDeletion(restore(getConversation(id)));
    conversations.delete(id);
    changed(id);
    return { deletionId };
  },
  send,
  queue: async ({ conversationId, afterRunId, ...input }: QueueInput) => {
    const queued = { ...input, turnId: afterRunId, queuedAt: countUp(), problem: null };
    await changeQueue(conversationId, { [nextId('queued')]: queued });
  },
  editQueued: async (input: QueuedId & { message: WrittenMessage | null }) => {
    const { conversationId, queuedId, message } = input;
    const queued = queuedIn(conversationId)[queuedId];
    if (queued === undefined) throw new Error('This message was already sent or removed.');
    const changed = { ...queued, message: message ?? queued.message };
    await changeQueue(conversationId, { [queuedId]: changed });
  },
  sendQueued: async (input: QueuedId & { parentId: string | null; overCap: boolean }) => {
    const { conversationId, queuedId, parentId } = input;
    const queued = queuedIn(conversationId)[queuedId];
    if (queued === undefined) throw new Error('This message was already sent or removed.');
    await changeQueue(conversationId, {}, [joinFieldName('queue', queuedId)]);
    return send({ ...queued, conversationId, parentId });
  },
  addMessage: async (input: {
    conversationId: string;
    parentId: string | null;
    message: WrittenMessage;
  }) => {
    await adding;
    const message = toTreeMessage(input.parentId, input.message);
    return insertMessages(input.conversationId, [message], message.id);
  },
  continueTurn: async (input: object) => void turnRequests.push(input),
  stopTurns: async (input: object) => void turnRequests.push(input),
  decideCall: async (input: object) => void turnRequests.push(input),
  nextRequest: async (input: NextRequestInput) => {
    previewed.push(input);
    return { method: 'POST', url: previewUrl, headers: [], body: JSON.stringify(writeBody(input)) };
  },
  countTokens: async (input: NextRequestInput) => ({
    tokens: JSON.stringify(input.message).length,
  }),
  removeMessage: async (input: { conversationId: string; messageId: string }) => {
    const before = getConversation(input.conversationId);
    const removed = before.messages.find(({ id }) => id === input.messageId);
    conversations.set(input.conversationId, {
      ...before,
      messages: before.messages.filter(({ id }) => id !== input.messageId),
      activeLeafId: removed?.parentId ?? null,
    });
    changed(input.conversationId);
    return { deletionId: recordDeletion(restore(before)) };
  },
} satisfies StandIn['conversations'];

export function queuedIn(conversationId: string): Record<string, QueuedMessage> {
  const stored = Object.entries(storedFields(getConversationFormId(conversationId)));
  const queued = stored.filter(([name]) => name.startsWith('queue.'));
  const schema = z.record(z.string(), queuedMessageSchema);
  return schema.parse(Object.fromEntries(queued.map(([name, value]) => [name.slice(6), value])));
}

export async function changeQueue(
  conversationId: string,
  queue: Record<string, QueuedMessage>,
  unset: string[] = [],
): Promise<void> {
  const id = getConversationFormId(conversationId);
  const content = { operation: 'chat' as const, fields: { queue } };
  await fakeForms.change({ id, content, unset, after: null });
  changes.announce('forms', id);
}
