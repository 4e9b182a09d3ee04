/**
 * Answers the tool calls of a turn: decides who answers each, asks the user where that is needed, and
 * stores the results.
 */
import { randomUUID } from 'node:crypto';
import { assertNever } from '../../shared/assert-never.ts';
import type { CallDecision } from '../../shared/contract/conversations.ts';
import type { WorkingCall } from '../../shared/conversation.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { ToolCall } from '../../shared/operations/chat/message.ts';
import type { OpenCall } from '../../shared/operations/chat/open-calls.ts';
import { type AnswerPlan, planCalls } from '../../shared/plan-calls.ts';
import type { SavedTool } from '../../shared/saved-items.ts';
import type { CallRecord } from '../../shared/tool-answer.ts';
import type { CallAnswers, CallResult } from '../tools/answer-call.ts';
import { createMessage } from './start-answer.ts';
import type { ConversationStore } from './store/conversation-store.ts';

export interface TurnCallOptions {
  store: Pick<ConversationStore, 'head' | 'insert'>;
  listTools: () => readonly SavedTool[];
  answers: Omit<CallAnswers, 'tryAnswer'>;
  changed: (conversationId: string, messageIds: readonly string[]) => void;
}

/** The fields of a turn that answering its calls reads and changes. */
export interface CallingTurn {
  readonly conversationId: string;
  /** The end of the turn's branch, which each result extends. */
  leafId: string;
  /** The calls that are running or await the user's decision. */
  calls: WorkingCall[];
  readonly abort: AbortController;
  /** Functions that resolve the user's decision about each call, by position. */
  readonly decisions: Map<number, (decision: CallDecision) => void>;
}

/** A call that Gatehouse answers. */
interface PlannedCall extends OpenCall {
  plan: Exclude<AnswerPlan, { kind: 'you' }>;
  callId: string;
}

export interface TurnCalls {
  /** Returns the open calls that Gatehouse can answer; `tools` are those of the request. */
  plan(
    turn: CallingTurn,
    calls: readonly ToolCall[],
    open: readonly OpenCall[],
    tools: JsonValue | undefined,
  ): Promise<PlannedCall[]>;
  /**
   * Answers the calls in parallel and stores each result as it arrives. Rejects at the first call
   * that fails, and stores nothing more once the turn is stopped.
   */
  answer(turn: CallingTurn, planned: readonly PlannedCall[]): Promise<void>;
}

export function createTurnCalls(options: TurnCallOptions): TurnCalls {
  const { store, answers, changed } = options;

  async function answerCall(turn: CallingTurn, planned: PlannedCall): Promise<void> {
    const { place, plan, callId } = planned;
    const { signal } = turn.abort;
    const result = await answers.answer(plan, {
      callId,
      signal,
      ask: () => askUser(turn, place),
    });
    if (signal.aborted) return;
    record(turn, planned, result);
    turn.calls = turn.calls.filter((one) => one.place !== place);
    changed(turn.conversationId, []);
  }

  function askUser(turn: CallingTurn, place: number): Promise<CallDecision> {
    if (turn.abort.signal.aborted) return Promise.resolve('decline');
    setStatus(turn, place, 'asking');
    return new Promise((resolve) => {
      const decide = (decision: CallDecision) => {
        turn.decisions.delete(place);
        setStatus(turn, place, 'running');
        resolve(decision);
      };
      turn.decisions.set(place, decide);
      turn.abort.signal.addEventListener('abort', () => decide('decline'), { once: true });
    });
  }

  function setStatus(turn: CallingTurn, place: number, status: WorkingCall['status']): void {
    const startedAt = status === 'running' ? Date.now() : null;
    turn.calls = turn.calls.map((one) =>
      one.place === place ? { ...one, status, startedAt } : one,
    );
    changed(turn.conversationId, []);
  }

  /** Results are stored as they come, so a crash loses only those of unfinished calls. */
  function record(turn: CallingTurn, planned: PlannedCall, result: CallResult): void {
    const { conversationId } = turn;
    const { content, ...facts } = result;
    const message = {
      ...createMessage(turn.leafId, { role: 'tool', content, toolCallId: planned.call.id }),
      callRecord: { ...getAnswerer(planned), ...facts },
    };
    const { activeLeafId } = store.head(conversationId);
    const isShown = activeLeafId === turn.leafId;
    store.insert({
      conversationId,
      messages: [message],
      activeLeafId: isShown ? message.id : activeLeafId,
    });
    turn.leafId = message.id;
    changed(conversationId, [message.id]);
  }

  return {
    async plan({ conversationId, abort }, calls, open, tools) {
      const { options: chosen } = store.head(conversationId);
      const plans = await planCalls(calls, Array.isArray(tools) ? tools : [], {
        options: chosen,
        saved: options.listTools(),
        findServerTool: (name) => answers.findServerTool(chosen, name),
        checkArguments: (args, schema) => answers.checkArguments(args, schema, abort.signal),
      });
      return open.flatMap(({ call, place }) => {
        const plan = plans[place];
        if (plan === undefined || plan.kind === 'you') return [];
        return [{ call, place, plan, callId: randomUUID() }];
      });
    },

    async answer(turn, planned) {
      turn.calls = planned.map(toWorkingCall);
      changed(turn.conversationId, []);
      await Promise.all(planned.map((one) => answerCall(turn, one)));
    },
  };
}

function getAnswerer({ plan, callId }: PlannedCall): Pick<CallRecord, 'by' | 'server' | 'call'> {
  switch (plan.kind) {
    case 'answer':
      return { by: plan.answer.by, server: null, call: null };
    case 'server': {
      const { server, serverId } = plan.tool;
      return { by: 'mcp', server, call: { serverId, callId } };
    }
    case 'error':
      return { by: 'check', server: null, call: null };
    default:
      return assertNever(plan);
  }
}

function toWorkingCall(planned: PlannedCall): WorkingCall {
  const { call, place, plan } = planned;
  const name = plan.kind === 'server' ? plan.tool.name : call.function.name;
  const startedAt = Date.now();
  return { place, id: call.id, name, ...getAnswerer(planned), status: 'running', startedAt };
}
