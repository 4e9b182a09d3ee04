/**
 * Fakes the main process for Chat, with conversations in memory and runs that the test advances.
 */
import { ORPCError } from '@orpc/client';
import { z } from 'zod';
import { createChanges } from '../../electron/base/changes.ts';
import { replaceVariants } from '../../electron/comparisons/replace-variants.ts';
import { getPath } from '../../renderer/features/chat/conversation/branch.ts';
import { type Cell, type Comparison, comparedVariantSchema } from '../../shared/comparison.ts';
import {
  applyNote,
  type ComparisonNotes,
  type NoteChange,
  noNotes,
} from '../../shared/comparison-notes.ts';
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import type {
  AddedMessages,
  NextRequestInput,
  QueueInput,
  SendInput,
} from '../../shared/contract/conversations.ts';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import {
  type Conversation,
  defaultConversationOptions,
  type QueuedMessage,
  queuedMessageSchema,
  type TreeMessage,
  type WrittenMessage,
} from '../../shared/conversation.ts';
import { getConversationFormId, joinFieldName } from '../../shared/form-fields.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { noFacts } from '../../shared/model-facts.ts';
import { buildChatMessages } from '../../shared/operations/chat/history.ts';
import { type ChatState, emptyChatState } from '../../shared/operations/chat/state.ts';
import type { RunSummary } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { ParameterPreset, SavedTool, ToolSet } from '../../shared/saved-items.ts';
import { defaultSettings, type Settings } from '../../shared/settings.ts';
import { answeredByYou, type ToolAnswer } from '../../shared/tool-answer.ts';
import { runSummary } from '../fixtures/run-view.ts';
import { treeMessage } from '../fixtures/tree-message.ts';

import { fakeForms, storedFields } from './fake-forms.ts';
import { answerCalls } from './page-api.ts';
import type { Fields, StandIn } from './stand-in.ts';

let count = 0;
const nextId = (kind: string) => {
  count += 1;
  return `${kind}-${count}`;
};

/** Inputs of `nextRequest` calls. */
export const previewed: NextRequestInput[] = [];
/** Runs outside conversations. */
export const listedRuns: RunSummary[] = [];
export const conversations = new Map<string, Conversation>();
export const sent: SendInput[] = [];
/** Requests to continue or stop a turn, or to allow a call. */
export const turnRequests: object[] = [];
export const compared: CompareInput[] = [];
export const retried: number[] = [];
export const cancelled: string[] = [];
/** Errors with which `send` and `update` fail. */
export const faults: { send: Error | null; update: Error | null } = { send: null, update: null };
let adding: Promise<void> | null = null;
let rest: { answered: Promise<void>; onRequest: () => void } | null = null;
type SavedToolInput = Pick<SavedTool, 'tool'> & {
  id: string | null;
  answer?: ToolAnswer | undefined;
};

export const savedTools: SavedTool[] = [];
export const toolSets: ToolSet[] = [];
export const presets: ParameterPreset[] = [];
export const settings: Settings = { ...defaultSettings };
export const storedMedia = new Map<string, Media>();
/** Requests by run ID, without messages. */
export const requests = new Map<string, JsonObject>();
const changes = createChanges();
const changed = (id: string) => changes.announce('conversations', id);
/** Functions that restore deleted items, by deletion ID. */
const deleted = new Map<string, () => void>();
const runs = new Map<string, { view: RunView<'chat'>; wake: (() => void)[] }>();

type CompareInput = Parameters<NonNullable<NonNullable<StandIn['conversations']>['compare']>>[0];

interface FakeComparison {
  comparison: Comparison;
  cells: Cell[];
  notes: ComparisonNotes;
  wake: (() => void)[];
}
const comparisons = new Map<string, FakeComparison>();

export function resetFakeMain(): void {
  comparisons.clear();
  compared.length = 0;
  retried.length = 0;
  conversations.clear();
  previewed.length = 0;
  listedRuns.length = 0;
  deleted.clear();
  runs.clear();
  sent.length = 0;
  turnRequests.length = 0;
  exported.length = 0;
  cancelled.length = 0;
  faults.send = null;
  adding = null;
  rest = null;
  faults.update = null;
  savedTools.length = 0;
  toolSets.length = 0;
  presets.length = 0;
  Object.assign(settings, defaultSettings);
  storedMedia.clear();
  requests.clear();
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

export function makeMessage(fields: Partial<TreeMessage>): TreeMessage {
  return treeMessage({ id: nextId('message'), createdAt: count, ...fields });
}

export function makeRun(fields: Partial<RunSummary> = {}): RunSummary {
  return runSummary({
    id: nextId('run'),
    operation: 'chat',
    model: 'demo-echo',
    status: 'succeeded',
    createdAt: 0,
    startedAt: 0,
    httpStatus: 200,
    preview: '',
    ...fields,
  });
}

export function addConversation(messages: TreeMessage[], fields: Partial<Conversation> = {}) {
  const conversation: Conversation = {
    id: nextId('conversation'),
    title: 'A talk',
    titled: false,
    createdAt: 0,
    updatedAt: 0,
    messageCount: messages.length,
    match: null,
    turns: [],
    systemMessage: '',
    messages,
    pinned: false,
    archived: false,
    folder: null,
    options: defaultConversationOptions,
    activeLeafId: messages.at(-1)?.id ?? null,
    complete: true,
    revision: '',
    lastRunStatus: messages.findLast(({ run }) => run !== null)?.run?.status ?? null,
    ...fields,
  };
  conversations.set(conversation.id, conversation);
  return conversation;
}

/** Updates the state and fields of the run's view, as its events would. */
export function moveRun(
  runId: string,
  state: Partial<ChatState>,
  fields: Partial<RunSummary> = {},
): void {
  const run = runs.get(runId) ?? { view: viewOf(makeRun({ id: runId })), wake: [] };
  runs.set(runId, run);
  run.view = {
    ...run.view,
    ...fields,
    operation: 'chat',
    seq: run.view.seq + 1,
    state: { ...run.view.state, ...state },
  };
  for (const wake of run.wake.splice(0)) wake();
  for (const each of comparisons.values()) {
    const cell = each.cells.find((one) => one.run?.id === runId);
    if (cell === undefined) continue;
    cell.run = { ...cell.run, ...makeRun({ ...cell.run, ...fields, id: runId }) };
    for (const wake of each.wake.splice(0)) wake();
  }
}

/** Ends the run, and stores its output in the first answer. */
export function settleAnswer(runId: string, fields: Partial<TreeMessage>): void {
  moveRun(runId, {}, { status: 'succeeded' });
  for (const [id, conversation] of conversations) {
    const messages = conversation.messages.map((message) =>
      message.run?.id === runId
        ? { ...message, ...fields, run: makeRun({ ...message.run, status: 'succeeded' }) }
        : message,
    );
    conversations.set(id, { ...conversation, messages });
    changed(id);
  }
}

/** Adds a turn whose cells are all sent at once. */
function addTurn(input: CompareInput) {
  const { comparisonId, conversationId, parents, message, earlier = [] } = input;
  const variants = input.variants.map((variant) => comparedVariantSchema.parse(variant));
  const id = comparisonId ?? nextId('comparison');
  const rowId = nextId('row');
  const known = comparisons.get(id);
  const before = known?.comparison ?? { rows: [], variants: [] };
  const replaced = replaceVariants(before, variants, known?.cells ?? []);
  const row = { id: rowId, label: '', request: {}, sourceRunId: null, variants: [] };
  const all: FakeComparison = {
    comparison: {
      id,
      operation: 'chat',
      title: 'Compared',
      repeats: 1,
      createdAt: 0,
      conversationId,
      ...replaced,
      rows: [...replaced.rows, row],
      sourceComparisonId: null,
    },
    cells: known?.cells ?? [],
    notes: known?.notes ?? noNotes,
    wake: known?.wake ?? [],
  };
  comparisons.set(id, all);
  const messages: TreeMessage[] = [];
  const messageIds: Record<string, string> = {};
  const ends = new Map<string | null, string | null>();
  for (const variant of variants) {
    const parentId = parents[variant.id] ?? null;
    let end = ends.get(parentId);
    if (end === undefined) {
      end = parentId;
      for (const written of message === null ? earlier : [...earlier, message]) {
        messages.push(nodeOf(end, written));
        end = messages.at(-1)?.id ?? null;
      }
      ends.set(parentId, end);
    }
    const place = all.cells.length;
    const model = String(variant.request.model);
    count += 1;
    const run = makeRun({
      status: 'running',
      comparisonId: id,
      cell: place,
      model,
      createdAt: count,
    });
    runs.set(run.id, { view: viewOf(run), wake: [] });
    const choices = typeof variant.request.n === 'number' ? variant.request.n : 1;
    for (let choiceIndex = 0; choiceIndex < choices; choiceIndex += 1) {
      messages.push(makeMessage({ parentId: end, role: 'assistant', run, choiceIndex }));
    }
    messageIds[variant.id] = end ?? '';
    all.cells.push({
      place,
      rowId,
      variantId: variant.id,
      repeat: 0,
      messageId: end,
      state: 'sent',
      run,
      attempts: 1,
      problem: null,
    });
  }
  for (const wake of all.wake.splice(0)) wake();
  const added = insert(conversationId, messages, messages.at(-1)?.id);
  return { ...added, comparisonId: id, rowId, messageIds };
}

async function* comparisonUpdates(
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<ComparisonUpdate> {
  while (signal?.aborted !== true) {
    const found = comparisons.get(id);
    if (found === undefined) throw new Error(`No comparison ${id}`);
    const cells = found.cells.map((cell) => ({ ...cell }));
    const { comparison, notes } = found;
    yield { comparison, notes, cells, more: false, heldBy: null, sending: [] };
    await new Promise<void>((resolve) => found.wake.push(resolve));
  }
}

function viewOf(run: RunSummary): RunView<'chat'> {
  return { ...run, operation: 'chat', seq: 0, state: emptyChatState };
}

function get(id: string): Conversation {
  const found = conversations.get(id);
  if (found === undefined) {
    const data = {
      kind: 'not-found',
      message: 'This conversation no longer exists.',
      nextStep: '',
    };
    throw new ORPCError('NOT_FOUND', { data });
  }
  return found;
}

function insert(
  id: string,
  messages: TreeMessage[],
  activeLeafId: string | undefined,
): AddedMessages {
  const before = get(id);
  conversations.set(id, {
    ...before,
    messages: [...before.messages, ...messages],
    activeLeafId: activeLeafId ?? before.activeLeafId,
  });
  changed(id);
  const { systemMessage: _system, options: _options, ...conversation } = get(id);
  return { conversation, messages, activeLeafId: get(id).activeLeafId };
}

const previewUrl = 'http://127.0.0.1:1/v1/chat/completions';

function bodyOf({
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
  const path = [...getPath(all, parentId), ...written.map((one) => nodeOf(null, one))];
  const branch = path.map((one) => ({ ...one, wire: null }));
  const messages = buildChatMessages(systemMessage, branch, { providerFields, now: 0 });
  return { ...request, messages, ...extraBody };
}

function nodeOf(parentId: string | null, written: WrittenMessage) {
  const { role, content, name, toolCallId, reasoning, toolCalls } = written;
  return makeMessage({
    parentId,
    role,
    content,
    name: name ?? null,
    toolCallId: toolCallId ?? null,
    reasoning: reasoning ?? null,
    toolCalls: toolCalls ?? [],
  });
}

interface ConversationChange
  extends Fields<Pick<Conversation, 'title' | 'systemMessage' | 'activeLeafId'>> {
  id: string;
  options?: unknown;
}

async function* updatesOf(id: string, signal?: AbortSignal): AsyncGenerator<RunUpdate> {
  let seq = -1;
  while (signal?.aborted !== true) {
    const run = runs.get(id);
    if (run === undefined) throw new Error(`No run ${id}`);
    if (run.view.seq !== seq) {
      yield { type: 'snapshot', seq: run.view.seq, view: run.view, quietMs: 0 };
    }
    seq = run.view.seq;
    if (!['queued', 'running'].includes(run.view.status)) return;
    await new Promise<void>((resolve) => run.wake.push(resolve));
  }
}

type Conversations = NonNullable<StandIn['conversations']>;
type PlaceInput = Parameters<NonNullable<Conversations['place']>>[0];
type ExportInput = Parameters<NonNullable<Conversations['export']>>[0];
export const exported: ExportInput[] = [];
function getContinued(conversationId: string, id: string | null): TreeMessage['continued'] {
  const source = get(conversationId).messages.find((message) => message.id === id);
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
    nodes.push(nodeOf(nodes.at(-1)?.id ?? parentId, each));
  }
  const written = nodes.at(-1) ?? null;
  const run = makeRun({ status: 'running' });
  runs.set(run.id, { view: viewOf(run), wake: [] });
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
  const added = insert(conversationId, [...nodes, ...answers], answers[0]?.id);
  const answerIds = answers.map(({ id }) => id);
  return { ...added, runId: run.id, messageId: written?.id ?? null, answerIds };
}

/** Replaces the item with the same ID, or adds it. */
function putSaved<Item extends { id: string }>(items: Item[], item: Item): Item {
  const at = items.findIndex(({ id }) => id === item.id);
  if (at === -1) items.push(item);
  else items[at] = item;
  changes.announce('saved-items');
  return item;
}

/** Returns null for an unknown item. */
function removeSaved<Item extends { id: string }>(items: Item[], id: string): string | null {
  const at = items.findIndex((one) => one.id === id);
  if (at === -1) return null;
  const removed = items.splice(at, 1);
  changes.announce('saved-items');
  return recordDeletion(() => {
    items.splice(at, 0, ...removed);
    changes.announce('saved-items');
  });
}

const client = {
  forms: fakeForms,
  system: {
    changes: async (_input: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      changes.subscribe(signal),
  },
  settings: {
    get: async () => ({ ...settings }),
    update: async (change: Fields<Settings>) => ({ ...Object.assign(settings, change) }),
  },
  connections: {
    list: async () => [
      {
        id: 'demo',
        kind: 'demo' as const,
        name: 'Demo',
        baseUrl: '',
        key: null,
        options: defaultConnectionOptions,
        lost: { key: false, values: false },
        createdAt: 0,
      },
    ],
  },
  models: {
    suggest: async () => ({ models: [], preselected: 'demo-echo', listProblem: null }),
    facts: async () => ({ facts: { ...noFacts, contextTokens: 1000 }, price: null }),
    voices: async () => [],
  },
  mcp: {
    list: async () => [],
    activity: async () => ({ calls: [], questions: [] }),
  },
  saved: {
    presets: {
      list: async () => [...presets],
      save: async (input: Omit<ParameterPreset, 'id'>) =>
        putSaved(presets, { ...input, id: nextId('preset') }),
    },
    tools: {
      list: async () => [...savedTools],
      save: async ({ id, tool, answer = answeredByYou }: SavedToolInput) =>
        putSaved(savedTools, { id: id ?? nextId('tool'), tool, answer }),
    },
    toolSets: {
      list: async () => [...toolSets],
      save: async (input: Omit<ToolSet, 'id'>) => {
        const known = toolSets.find(({ name }) => name === input.name);
        return putSaved(toolSets, { ...input, id: known?.id ?? nextId('set') });
      },
    },
    remove: async ({ id }: { id: string }) => ({
      deletionId: removeSaved(savedTools, id) ?? removeSaved(toolSets, id),
    }),
  },
  media: {
    get: async ({ id }: { id: string }) => storedMedia.get(id) ?? null,
    list: async () => {
      const media = [...storedMedia.values()];
      return {
        media: media.map((one) => ({ ...one, role: 'output' as const, run: null })),
        more: false,
      };
    },
    remove: async () => ({ deletionId: null }),
  },
  runs: {
    list: async () => {
      const shown = [...conversations.values()].flatMap(({ messages }) => messages);
      const answered = [...listedRuns, ...shown.flatMap(({ run }) => run ?? [])];
      return { runs: answered.reverse(), comparisons: [], more: false };
    },
    events: async () => ({ events: [], more: false }),
    exchanges: async () => ({ exchanges: [], next: null }),
    activeCounts: async () => ({}),
    get: async ({ id }: { id: string }) => ({
      view: runs.get(id)?.view ?? viewOf(makeRun({ id })),
      request: requests.get(id) ?? {},
      extraBody: {},
      wireNames: {},
      follow: null,
      baseUrl: '',
    }),
    cancel: async ({ id }: { id: string }) => {
      cancelled.push(id);
      moveRun(id, {}, { status: 'cancelled' });
    },
    watch: async ({ id }: { id: string }, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      updatesOf(id, signal),
  },
  comparisons: {
    blind: async () => [],
    watch: async ({ id }: { id: string }, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      comparisonUpdates(id, signal),
    retry: async ({ places }: { places: number[] | null }) => void retried.push(...(places ?? [])),
    note: async ({ id, change }: { id: string; change: NoteChange }) => {
      const found = comparisons.get(id);
      if (found === undefined) return;
      found.notes = applyNote(found.notes, change);
      for (const wake of found.wake.splice(0)) wake();
    },
  },
  conversations: {
    compare: async (input: CompareInput) => {
      compared.push(input);
      return addTurn(input);
    },
    list: async ({
      search,
      archived = false,
    }: {
      search: string;
      archived?: boolean | undefined;
    }) =>
      [...conversations.values()].filter(
        (one) => one.title.includes(search) && one.archived === archived,
      ),
    import: async () => ({ ids: [], notes: [] }),
    place: async ({ ids, pinned, archived, folder }: PlaceInput) => {
      if (faults.update !== null) throw faults.update;
      for (const id of ids) {
        const before = get(id);
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
      const { messages, title } = get(id);
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
      if (rest === null) return { ...get(id), revision };
      conversations.set(id, { ...get(id), revision });
      return { ...get(id), messages: get(id).messages.slice(-20), complete: false };
    },
    messages: async ({ id }: { id: string }) => {
      rest?.onRequest();
      await rest?.answered;
      const { messages, revision } = get(id);
      return { messages: messages.toReversed(), next: null, revision };
    },
    create: async ({
      draft = 'New',
      ...fields
    }: Omit<ConversationChange, 'id'> & { draft?: string | undefined } = {}) =>
      Object.assign(addConversation([], { title: draft }), fields),
    update: async ({ id, ...fields }: ConversationChange) => {
      if (faults.update !== null) throw faults.update;
      conversations.set(id, Object.assign({ ...get(id) }, fields));
      changed(id);
      return get(id);
    },
    remove: async ({ id }: { id: string }) => {
      const deletionId = recordDeletion(restore(get(id)));
      conversations.delete(id);
      changed(id);
      return { deletionId };
    },
    send,
    queue: async ({ conversationId, afterRunId, ...input }: QueueInput) => {
      const queued = { ...input, turnId: afterRunId, queuedAt: count, problem: null };
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
      const message = nodeOf(input.parentId, input.message);
      return insert(input.conversationId, [message], message.id);
    },
    continueTurn: async (input: object) => void turnRequests.push(input),
    stopTurns: async (input: object) => void turnRequests.push(input),
    decideCall: async (input: object) => void turnRequests.push(input),
    nextRequest: async (input: NextRequestInput) => {
      previewed.push(input);
      return { method: 'POST', url: previewUrl, headers: [], body: JSON.stringify(bodyOf(input)) };
    },
    countTokens: async (input: NextRequestInput) => ({
      tokens: JSON.stringify(input.message).length,
    }),
    removeMessage: async (input: { conversationId: string; messageId: string }) => {
      const before = get(input.conversationId);
      const removed = before.messages.find(({ id }) => id === input.messageId);
      conversations.set(input.conversationId, {
        ...before,
        messages: before.messages.filter(({ id }) => id !== input.messageId),
        activeLeafId: removed?.parentId ?? null,
      });
      changed(input.conversationId);
      return { deletionId: recordDeletion(restore(before)) };
    },
  },
  deletions: {
    undo: async ({ ids }: { ids: string[] }) => {
      for (const id of ids) {
        const bringBack = deleted.get(id);
        if (bringBack === undefined) throw new Error('This can no longer be undone.');
        bringBack();
      }
      return { renamed: [], notes: [] };
    },
  },
} satisfies StandIn;

interface QueuedId {
  conversationId: string;
  queuedId: string;
}

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

function recordDeletion(bringBack: () => void): string {
  const deletionId = nextId('deletion');
  deleted.set(deletionId, bringBack);
  return deletionId;
}

function restore(before: Conversation): () => void {
  return () => {
    conversations.set(before.id, before);
    changed(before.id);
  };
}

// The real client is a proxy of the same shape, and the utils only access and call it.
answerCalls(client);
