/**
 * Continues a turn: has an answer's tool calls answered and requests the next one, until the model
 * calls no more tools; then sends the messages that the user queued, one after another. A turn also
 * ends if an answer fails, at its request limit, or if the user stops it. Each request is a run.
 */
import { randomUUID } from 'node:crypto';
import type {
  CallDecision,
  QueueInput,
  SendInput,
  SendResult,
} from '../../shared/contract/conversations.ts';
import type { LiveTurn, WrittenMessage } from '../../shared/conversation.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { countRounds, getCallsAtEnd } from '../../shared/operations/chat/open-calls.ts';
import { isFinished, type RunStatus } from '../../shared/run.ts';
import type { Engine } from '../runs/engine.ts';
import type { MessageQueue, QueuedId } from './message-queue.ts';
import type { ConversationStore } from './store/conversation-store.ts';
import { type CallingTurn, createTurnCalls, type TurnCallOptions } from './turn-calls.ts';

interface TurnOptions extends TurnCallOptions {
  store: Pick<ConversationStore, 'head' | 'path' | 'insert' | 'answerIds'>;
  engine: Pick<Engine, 'view' | 'read' | 'cancel'>;
  queue: MessageQueue;
  /** Sends the next request; the answer is shown only if the user is still on its branch. */
  send: (input: SendInput, onRecord: (runId: string) => void) => Promise<SendResult>;
  reportDefect: (cause: unknown) => void;
}

interface OwnedTurn extends LiveTurn, CallingTurn {
  /** The run of the answer, or of the next request once it is recorded. */
  runId: string;
  /** The requests so far, or since the user last continued the turn. */
  rounds: number;
  overCap: boolean;
  /** True while the user changes the message that would be sent next. */
  isPaused: boolean;
}

interface AnsweredRun {
  id: string;
  status: RunStatus;
}

/** A turn is everything that one message sets off, and the messages that are queued behind it. */
export interface Turns {
  /** Continues the run's turn if the run succeeded, and ends it otherwise. */
  handleEnd(conversationId: string, run: AnsweredRun): void;
  /**
   * Answers the open calls at the end of the branch and continues with a new turn's request limit.
   * Throws a `UserFacingError` if there are none or they are being answered.
   */
  continue(conversationId: string, leafId: string, overCap: boolean): void;
  /** Adds a message to the turn of the run `afterRunId`, and sends it if that run has ended. */
  addQueued(input: QueueInput): Promise<void>;
  /**
   * Ends the edit of a queued message, and sends the message if its turn waited for that. A null
   * message keeps the old text. Throws `not-found` if the message was already sent or removed.
   */
  editQueued(edited: QueuedId & { message: WrittenMessage | null }): void;
  /**
   * Sends a queued message at once, after the message `parentId`, as a separate turn. Throws
   * `not-found` if it was already sent or removed.
   */
  sendQueued(queued: QueuedId & { parentId: string | null; overCap: boolean }): Promise<SendResult>;
  /** Ends the turns of the conversation; results that have arrived are kept. */
  stop(conversationId: string): void;
  /** Stops the turns whose branch was deleted. */
  stopDeleted(conversationId: string): void;
  /**
   * Applies the user's decision about a call that awaits approval; ignores other calls. An `always`
   * or `never` decision also applies to the tool's other open calls.
   */
  decide(conversationId: string, answerId: string, place: number, decision: CallDecision): void;
  /** Returns the turns that are working or have failed. */
  list(conversationId: string): LiveTurn[];
  /** Forgets the turns that have failed or wait for an edit. */
  dismiss(conversationId: string): void;
  /** Counts turns whose tools are running; requests are counted as runs. */
  workingCount(): number;
  /** Ends all turns. */
  close(): void;
}

export function createTurns(options: TurnOptions): Turns {
  const { store, engine, queue, changed } = options;
  const turnCalls = createTurnCalls(options);
  const turns = new Set<OwnedTurn>();
  /** Turns whose next request is running, by run. */
  const requested = new Map<string, OwnedTurn>();

  function announce({ conversationId }: OwnedTurn): void {
    changed(conversationId, []);
  }

  function end(turn: OwnedTurn, problem: UserFacingError | null = null): void {
    // Other calls may still be running if one failed.
    turn.abort.abort();
    turn.calls = [];
    turn.problem = problem?.error ?? null;
    if (problem === null) turns.delete(turn);
    requested.delete(turn.runId);
    announce(turn);
  }

  /** Returns the run's answer on the shown branch, or else its first answer. */
  function findAnswer(conversationId: string, runId: string) {
    const { activeLeafId } = store.head(conversationId);
    const shown = activeLeafId === null ? [] : store.path(activeLeafId);
    const answer = shown.find(({ run }) => run?.id === runId);
    if (answer !== undefined) return answer;
    const [firstId] = store.answerIds(runId);
    return firstId === undefined ? undefined : store.path(firstId).at(-1);
  }

  function isStored(messageId: string): boolean {
    try {
      return store.path(messageId).length > 0;
    } catch (cause) {
      if (cause instanceof UserFacingError) return false;
      throw cause;
    }
  }

  function dismiss(conversationId: string): void {
    for (const turn of turns) {
      const isOver = turn.problem !== null || turn.isPaused;
      if (turn.conversationId === conversationId && isOver) turns.delete(turn);
    }
  }

  function begin(
    id: string,
    conversationId: string,
    runId: string,
    answerId: string,
    leafId: string,
  ): OwnedTurn {
    dismiss(conversationId);
    const turn: OwnedTurn = {
      id,
      conversationId,
      runId,
      answerId,
      leafId,
      calls: [],
      problem: null,
      rounds: 0,
      overCap: false,
      abort: new AbortController(),
      isPaused: false,
      decisions: new Map(),
    };
    turns.add(turn);
    return turn;
  }

  async function proceed(turn: OwnedTurn, step: (turn: OwnedTurn) => Promise<void>): Promise<void> {
    try {
      await step(turn);
    } catch (cause) {
      const isGone = cause instanceof UserFacingError && cause.error.kind === 'not-found';
      const isStopped = turn.abort.signal.aborted;
      // The user may delete the conversation or the answer while its tools are running.
      if (isGone || isStopped) end(turn);
      else if (cause instanceof UserFacingError) end(turn, cause);
      else {
        options.reportDefect(cause);
        end(turn);
      }
    }
  }

  async function answerAndSend(turn: OwnedTurn): Promise<void> {
    const { conversationId, abort } = turn;
    const { request, extraBody, wireNames, view } = await engine.read(turn.runId);
    const calls = getCallsAtEnd(store.path(turn.leafId));
    if (calls === null || abort.signal.aborted) return end(turn);
    const { answer, open } = calls;
    const tools = extraBody.tools ?? request.tools;
    const planned = await turnCalls.plan(turn, answer.toolCalls, open, tools);
    const mayAnswer = turn.rounds < store.head(conversationId).options.maxRounds;
    if (planned.length === 0 && open.length > 0) {
      // Otherwise, “Let tools answer” would seem to do nothing.
      return end(turn, turn.rounds === 0 ? new UserFacingError(nobodyAnswers) : null);
    }
    if (!mayAnswer) return end(turn);
    await turnCalls.answer(turn, planned);
    if (abort.signal.aborted || planned.length < open.length) return end(turn);
    const input = {
      conversationId,
      connectionId: view.connectionId,
      wireNames,
      extraBody: withoutForcedTool(extraBody),
      request: toNextRequest(request),
      parentId: turn.leafId,
      message: null,
      overCap: turn.overCap,
    };
    await options.send(input, (nextRunId) => follow(turn, nextRunId));
    announce(turn);
  }

  function follow(turn: OwnedTurn, nextRunId: string): void {
    // The user may stop while the key is read; an exception here records nothing.
    turn.abort.signal.throwIfAborted();
    turn.rounds += 1;
    turn.overCap = false;
    turn.runId = nextRunId;
    requested.set(nextRunId, turn);
  }

  /** Sends the turn's next queued message after its answer, which the user must be looking at. */
  async function sendNext(turn: OwnedTurn): Promise<void> {
    const { conversationId, leafId } = turn;
    const next = queue.next(conversationId, turn.id);
    if (next === null || store.head(conversationId).activeLeafId !== leafId) return end(turn);
    turn.isPaused = next.isEdited;
    if (next.isEdited) return;
    const id = { conversationId, queuedId: next.queuedId };
    try {
      await options.send({ ...queue.read(id), parentId: leafId }, (nextRunId) => {
        // Removed in the transaction that records the run, so that it's never sent twice.
        queue.take(id, turn.id);
        turn.rounds = 0;
        follow(turn, nextRunId);
      });
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      queue.fail(id, cause.error);
      return end(turn);
    }
    announce(turn);
  }

  return {
    handleEnd(conversationId, run) {
      const earlier = requested.get(run.id);
      requested.delete(run.id);
      const answer = run.status === 'succeeded' ? findAnswer(conversationId, run.id) : undefined;
      const callsTools = answer !== undefined && answer.toolCalls.length > 0;
      const isQueued = () => queue.next(conversationId, earlier?.id ?? run.id) !== null;
      const isStopped = earlier?.abort.signal.aborted === true;
      if (answer === undefined || isStopped || !(callsTools || isQueued())) {
        if (earlier !== undefined) turns.delete(earlier);
        return;
      }
      const turn = earlier ?? begin(run.id, conversationId, run.id, answer.id, answer.id);
      if (earlier === undefined) turn.rounds = countRounds(store.path(answer.id));
      Object.assign(turn, { answerId: answer.id, leafId: answer.id });
      void proceed(turn, callsTools ? answerAndSend : sendNext);
    },

    continue(conversationId, leafId, overCap) {
      const calls = getCallsAtEnd(store.path(leafId));
      const run = calls?.answer.run ?? null;
      if (calls === null || run === null) throw new UserFacingError(nothingOpen);
      const isLive = [...turns].some(
        ({ answerId, problem }) => answerId === calls.answer.id && problem === null,
      );
      if (isLive || !isFinished(run.status)) throw new UserFacingError(stillWorking);
      const turn = begin(randomUUID(), conversationId, run.id, calls.answer.id, leafId);
      turn.overCap = overCap;
      void proceed(turn, answerAndSend);
    },

    async addQueued({ afterRunId, ...input }) {
      const { conversationId } = input;
      const turn = [...turns].find((one) => one.runId === afterRunId && one.problem === null);
      queue.add({ ...input, turnId: turn?.id ?? afterRunId });
      if (turn !== undefined) return;
      // The answer may have ended while the page was queuing.
      const { status } = await engine.view(afterRunId);
      const isOver = [...turns].every(({ id }) => id !== afterRunId) && isFinished(status);
      const answer = isOver ? findAnswer(conversationId, afterRunId) : undefined;
      if (answer?.toolCalls.length !== 0 || status !== 'succeeded') return;
      const { id } = answer;
      void proceed(begin(afterRunId, conversationId, afterRunId, id, id), sendNext);
    },

    editQueued({ message, ...id }) {
      queue.edit(id, message);
      for (const turn of turns) {
        if (turn.conversationId === id.conversationId && turn.isPaused)
          void proceed(turn, sendNext);
      }
    },

    async sendQueued({ parentId, overCap, ...id }) {
      const input = { ...queue.read(id), parentId, overCap };
      return options.send(input, (runId) => queue.take(id, runId));
    },

    stop(conversationId) {
      dismiss(conversationId);
      for (const turn of turns) {
        if (turn.conversationId !== conversationId) continue;
        turn.abort.abort();
        if (requested.has(turn.runId)) void engine.cancel(turn.runId);
      }
      changed(conversationId, []);
    },

    stopDeleted(conversationId) {
      for (const turn of turns) {
        if (turn.conversationId === conversationId && !isStored(turn.leafId)) turn.abort.abort();
      }
    },

    decide(conversationId, answerId, place, decision) {
      const asked = [...turns].find(
        (turn) => turn.conversationId === conversationId && turn.answerId === answerId,
      );
      const call = asked?.calls.find((one) => one.place === place);
      if (asked === undefined || call === undefined) return;
      asked.decisions.get(place)?.(decision);
      if (decision !== 'always' && decision !== 'never') return;
      for (const turn of turns) {
        for (const other of turn.calls) {
          const isSameTool = other.name === call.name && other.server === call.server;
          if (isSameTool) turn.decisions.get(other.place)?.(decision);
        }
      }
    },

    list: (conversationId) =>
      [...turns]
        .filter((turn) => turn.conversationId === conversationId && !turn.isPaused)
        .map(({ id, answerId, runId, calls, problem }) => ({
          id,
          answerId,
          runId,
          calls,
          problem,
        })),

    dismiss,

    workingCount: () =>
      [...turns].filter(
        ({ runId, problem, isPaused }) => problem === null && !isPaused && !requested.has(runId),
      ).length,

    close() {
      for (const turn of turns) turn.abort.abort();
    },
  };
}

function toNextRequest({ messages: _, n: __, ...request }: JsonObject): JsonObject {
  return withoutForcedTool(request);
}

/** A forced tool would be called in every round, so it is forced only in the first. */
function withoutForcedTool(fields: JsonObject): JsonObject {
  const { tool_choice: choice, ...rest } = fields;
  const isForced = choice !== undefined && choice !== 'auto' && choice !== 'none';
  return isForced ? rest : fields;
}

const nothingOpen = appError(
  'invalid-request',
  'This answer has no open tool calls.',
  'Send a message instead.',
);
const nobodyAnswers = appError(
  'invalid-request',
  'No tool can answer these calls.',
  'Enter their results, or turn on “Return errors for invalid calls”.',
);
const stillWorking = appError(
  'invalid-request',
  'Its tool calls are already being answered.',
  'Wait for them to finish, or stop them.',
);
