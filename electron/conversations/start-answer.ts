/** Adds a message, its answers and the run atomically. */
import { randomUUID } from 'node:crypto';
import type { SendInput, SendResult } from '../../shared/contract/conversations.ts';
import type { ConversationOptions, WrittenMessage } from '../../shared/conversation.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { getNumber } from '../../shared/exact-number.ts';
import type { JsonObject } from '../../shared/json.ts';
import { buildChatMessages } from '../../shared/operations/chat/history.ts';
import { isPaused } from '../../shared/operations/response/finish-reason.ts';
import type { Engine } from '../runs/engine.ts';
import { continueRequest } from './continue-request.ts';
import type { ConversationStore, NewMessage } from './store/conversation-store.ts';

/** Returns the details that decide how the gateway continues an answer. */
export type DescribeTarget = (request: { connectionId: string; model: string }) => {
  baseUrl: string;
  ownedBy: string | null;
};

export interface SendOptions {
  /** Called in the transaction that records the run. */
  onRecord?: (runId: string) => void;
  /** Shows the answer only if the shown branch ends with its parent. */
  keepsBranch?: boolean;
}

export async function startAnswer(
  conversations: ConversationStore,
  engine: Pick<Engine, 'start' | 'read'>,
  input: SendInput,
  describeTarget: DescribeTarget,
  options: SendOptions = {},
): Promise<SendResult> {
  const { conversationId, parentId } = input;
  const written = createMessageChain(parentId, input);
  const end = written.at(-1)?.id ?? null;
  const continues = getContinued(conversations, input.continuesId ?? null);
  const given = await keepTools(engine, input, continues);
  const request =
    continues === null
      ? {
          ...input.request,
          messages: requestMessages(
            conversations,
            conversationId,
            parentId,
            written,
            input.request,
          ),
        }
      : writeContinuingRequest(
          given,
          writeBranchMessages(
            conversations,
            { ...conversations.head(conversationId), request: given.request },
            continues.id,
            [],
            continues.isPaused,
          ),
          continues.isPaused ? null : describeTarget,
        );
  const answers: NewMessage[] = [];
  const runId = await engine.start(
    {
      connectionId: input.connectionId,
      operation: 'chat',
      request,
      extraBody: given.extraBody,
      wireNames: input.wireNames,
      follow: input.follow,
      overCap: input.overCap,
      sourceRunId: input.sourceRunId ?? continues?.runId,
    },
    {
      conversationId,
      record(id) {
        const created = createAnswers(end ?? parentId, id, request);
        answers.push(...created.map((answer) => ({ ...answer, ...continues?.start })));
        const { activeLeafId } = conversations.head(conversationId);
        const isAway = options.keepsBranch === true && activeLeafId !== parentId;
        conversations.insert({
          conversationId,
          messages: [...written, ...answers],
          activeLeafId: isAway ? activeLeafId : (answers[0]?.id ?? null),
        });
        options.onRecord?.(id);
      },
    },
  );
  const answerIds = answers.map(({ id }) => id);
  const added = conversations.getAdded(conversationId, [
    ...written.map(({ id }) => id),
    ...answerIds,
  ]);
  return { runId, messageId: end, answerIds, ...added };
}

/** Returns the text to continue, which is stored first so that a failed run loses nothing. */
function getContinued(conversations: Pick<ConversationStore, 'path'>, id: string | null) {
  const message = id === null ? undefined : conversations.path(id).at(-1);
  if (message === undefined) return null;
  const { content, reasoning, wire, run, continued, choiceIndex } = message;
  const paused = isPaused(run?.figures?.finishReasons[choiceIndex ?? 0] ?? null);
  const hasText = typeof content === 'string' && (content !== '' || paused);
  if (message.role !== 'assistant' || !hasText) throw new UserFacingError(notContinuable);
  const runIds = [...(continued?.runIds ?? []), ...(run === null ? [] : [run.id])];
  const start = { content, reasoning, wire, continued: { runIds, content, reasoning } };
  return { id: message.id, runId: run?.id ?? null, isPaused: paused, start };
}

/** Keeps the tools of a paused answer, because the model has begun to use them. */
async function keepTools(
  engine: Pick<Engine, 'read'>,
  input: SendInput,
  continues: ReturnType<typeof getContinued>,
): Promise<SendInput> {
  if (continues?.isPaused !== true || continues.runId === null) return input;
  const sent = await engine.read(continues.runId);
  const pick = ({ tools }: JsonObject): JsonObject => (tools === undefined ? {} : { tools });
  const { tools: _, ...request } = input.request;
  const { tools: __, ...extraBody }: JsonObject = input.extraBody ?? {};
  return {
    ...input,
    request: { ...request, ...pick(sent.request) },
    extraBody: { ...extraBody, ...pick(sent.extraBody) },
  };
}

/** Without a target, the branch is sent as it is. */
function writeContinuingRequest(
  { connectionId, request: { n: _, ...request } }: SendInput,
  branch: JsonObject[],
  describeTarget: DescribeTarget | null,
): JsonObject {
  if (describeTarget === null) return { ...request, messages: branch };
  const model = typeof request.model === 'string' ? request.model : '';
  const target = { ...describeTarget({ connectionId, model }), model };
  const { messages, fields } = continueRequest(branch, target);
  return { ...request, ...fields, messages };
}

/** Returns a request's `messages`: the branch up to `parentId`, followed by `written`. */
export function requestMessages(
  conversations: Pick<ConversationStore, 'head' | 'path'>,
  conversationId: string,
  parentId: string | null,
  written: readonly NewMessage[],
  request: JsonObject,
): JsonObject[] {
  const settings = { ...conversations.head(conversationId), request };
  return writeBranchMessages(conversations, settings, parentId, written);
}

interface BranchSettings {
  systemMessage: string;
  options: Pick<ConversationOptions, 'providerFields'>;
  /** Has no messages; its format decides which answers are sent unchanged. */
  request: JsonObject;
}

/**
 * Like `requestMessages`, but with the given settings instead of the stored ones. `keepsLast` sends
 * the last answer as it came, whatever the settings.
 */
export function writeBranchMessages(
  conversations: Pick<ConversationStore, 'path'>,
  { systemMessage, options: { providerFields }, request }: BranchSettings,
  parentId: string | null,
  written: readonly NewMessage[],
  keepsLast = false,
): JsonObject[] {
  const branch = parentId === null ? [] : conversations.path(parentId);
  const path = [...branch, ...written];
  if (path.length === 0) throw new UserFacingError(nothingToSend);
  const now = Date.now() / 1000;
  const { format } = request;
  return buildChatMessages(systemMessage, path, { providerFields, format, now, keepsLast });
}

/** Number of answers shown from the start; any others appear when the run ends. */
const MAX_AT_ONCE = 16;

export function createMessage(parentId: string | null, message: WrittenMessage): NewMessage {
  return {
    id: randomUUID(),
    parentId,
    role: message.role,
    content: message.content,
    name: message.name ?? null,
    commentaryLength: 0,
    reasoning: message.reasoning ?? null,
    reasoningTagged: false,
    reasoningEncrypted: false,
    toolCalls: message.toolCalls ?? [],
    toolCallId: message.toolCallId ?? null,
    callRecord: null,
    audio: null,
    sources: [],
    wire: null,
    runId: null,
    importedRun: null,
    continued: null,
    choiceIndex: null,
  };
}

export function createMessageChain(
  parentId: string | null,
  { earlier = [], message }: Pick<SendInput, 'earlier' | 'message'>,
): NewMessage[] {
  const chain: NewMessage[] = [];
  for (const written of message === null ? earlier : [...earlier, message]) {
    chain.push(createMessage(chain.at(-1)?.id ?? parentId, written));
  }
  return chain;
}

export function createAnswers(
  parentId: string | null,
  runId: string,
  { n }: JsonObject,
): NewMessage[] {
  const count = Math.min(getNumber(n) ?? 1, MAX_AT_ONCE);
  return Array.from({ length: count }, (_, choiceIndex) => ({
    ...createMessage(parentId, { role: 'assistant', content: '' }),
    runId,
    choiceIndex,
  }));
}

const nothingToSend = appError('invalid-request', 'Nothing to send.', 'Enter a message first.', {
  fields: [{ path: ['messages'], message: 'Enter a message first.' }],
});

const notContinuable = appError(
  'invalid-request',
  'Only an answer that has text and nothing else can be continued.',
  'Retry it instead.',
);
