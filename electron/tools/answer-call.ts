/** Answers a model's tool call: with a canned result, a script, an MCP server, or an error. */
import { assertNever } from '../../shared/assert-never.ts';
import type { CallDecision } from '../../shared/contract/conversations.ts';
import type { ConversationOptions } from '../../shared/conversation.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Content } from '../../shared/operations/chat/message.ts';
import type { AnswerPlan, ServerTool } from '../../shared/plan-calls.ts';
import type { TriedAnswer } from '../../shared/tool-answer.ts';
import { fillToolTemplate } from '../../shared/tool-template.ts';
import type { ScriptRunner } from './script-runner.ts';

export interface CallResult {
  content: Content;
  failed: boolean;
  /** Why an MCP tool's result doesn't fit its output schema; null if it does. */
  misfit: string | null;
  console: string[];
  durationMs: number;
}

type OwnCall = Pick<Extract<AnswerPlan, { kind: 'answer' }>, 'answer' | 'args'>;

interface CallContext {
  /** Identifies the call among the messages of an MCP server. */
  callId: string;
  signal: AbortSignal;
  /** Asks the user to allow the call; stopping the turn declines it. */
  ask: () => Promise<CallDecision>;
}

/** Answers the calls of MCP tools. */
export interface ServerCalls {
  find: (options: ConversationOptions, name: string) => ServerTool | null;
  /** Throws a `UserFacingError` if the server can't be reached. */
  call: (
    tool: ServerTool,
    args: JsonObject,
    context: CallContext,
  ) => Promise<Pick<CallResult, 'content' | 'failed' | 'misfit'>>;
}

export interface CallAnswers {
  /** Returns the MCP tool with this name, or null if the conversation has none. */
  findServerTool(options: ConversationOptions, name: string): ServerTool | null;
  /** Returns why the arguments don't match; null if they do, or if the schema can't be applied. */
  checkArguments(args: JsonObject, schema: JsonObject, signal: AbortSignal): Promise<string | null>;
  /** Answers a call that the user made to test the tool. */
  tryAnswer(call: OwnCall, signal?: AbortSignal): Promise<TriedAnswer>;
  /** Returns failures as results too, because the model should see them. */
  answer(plan: Exclude<AnswerPlan, { kind: 'you' }>, context: CallContext): Promise<CallResult>;
}

export function createCallAnswers(options: {
  scripts: Pick<ScriptRunner, 'run'>;
  servers: ServerCalls;
  checkArguments: (
    args: JsonObject,
    schema: JsonObject,
    signal: AbortSignal,
  ) => Promise<string | null>;
  clock: () => number;
}): CallAnswers {
  const { scripts, servers, checkArguments, clock } = options;

  async function computeAnswer(
    plan: Exclude<AnswerPlan, { kind: 'you' }>,
    context: CallContext,
  ): Promise<Omit<CallResult, 'durationMs'>> {
    switch (plan.kind) {
      case 'error':
        return { ...failure(plan.message), console: [] };
      case 'server':
        return { ...(await servers.call(plan.tool, plan.args, context)), console: [] };
      case 'answer':
        return { ...(await computeOwnAnswer(plan, context.signal)), misfit: null };
      default:
        return assertNever(plan);
    }
  }

  async function computeOwnAnswer({ answer, args }: OwnCall, signal: AbortSignal) {
    if (answer.by === 'canned') {
      return { content: fillToolTemplate(answer.result, args), failed: false, console: [] };
    }
    const result = await scripts.run({ code: answer.code, args, signal });
    const content = result.ok ? toText(result.result) : describeError(result.message);
    return { content, failed: !result.ok, console: result.console };
  }

  return {
    findServerTool: servers.find,
    checkArguments,

    async tryAnswer(call: OwnCall, signal?: AbortSignal): Promise<TriedAnswer> {
      const startedAt = clock();
      const tried = await computeOwnAnswer(call, signal ?? new AbortController().signal);
      return { ...tried, durationMs: Math.max(0, clock() - startedAt) };
    },

    async answer(
      plan: Exclude<AnswerPlan, { kind: 'you' }>,
      context: CallContext,
    ): Promise<CallResult> {
      let startedAt = clock();
      const durationMs = () => Math.max(0, clock() - startedAt);
      const ask = async () => {
        const decision = await context.ask();
        // The duration excludes the time that the user took to decide.
        startedAt = clock();
        return decision;
      };
      try {
        return { ...(await computeAnswer(plan, { ...context, ask })), durationMs: durationMs() };
      } catch (cause) {
        if (!(cause instanceof UserFacingError)) throw cause;
        return { ...failure(cause.error.message), console: [], durationMs: durationMs() };
      }
    },
  };
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const failure = (message: string) => ({
  content: describeError(message),
  failed: true,
  misfit: null,
});

function describeError(message: string): string {
  return JSON.stringify({ error: message });
}
