import type {
  ConversationOptions,
  TreeMessage,
  WrittenMessage,
} from '../../../../shared/conversation.ts';
import { joinFieldName } from '../../../../shared/form-fields.ts';
import { getMcpToolName } from '../../../../shared/mcp-tool-name.ts';
import { readArguments } from '../../../../shared/operations/chat/call-arguments.ts';
import type { ToolCall } from '../../../../shared/operations/chat/message.ts';
import { getCallsAtEnd } from '../../../../shared/operations/chat/open-calls.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import { getExampleResult } from './option-examples.ts';
import { getActiveMcpTools, getActiveTools, type KnownTools } from './request-options.ts';

export interface OpenToolCall {
  call: ToolCall;
  /** Uses the call's position, because tool call IDs may repeat. */
  resultName: string;
  /** True if the arguments aren't a JSON object, or an earlier call has the same ID. */
  isInvalid: boolean;
}

export type OpenToolCalls = readonly OpenToolCall[];

/** Returns the ID of the first tool call without a result, or null. */
export function findOpenToolCallId(path: readonly TreeMessage[]): string | null {
  const calls = path.flatMap(({ toolCalls }) => toolCalls.map((call) => call.id));
  const answered = new Set(path.map(({ toolCallId }) => toolCallId));
  return calls.find((callId) => !answered.has(callId)) ?? null;
}

/** Returns null unless the branch ends in tool calls that lack results. */
export function getOpenToolCalls(path: readonly TreeMessage[]): OpenToolCalls | null {
  const calls = getCallsAtEnd(path);
  if (calls === null || calls.open.length === 0) return null;
  const { id, toolCalls } = calls.answer;
  return calls.open.map(({ call, place }) => {
    const isRepeated = toolCalls.slice(0, place).some((earlier) => earlier.id === call.id);
    const isInvalid = isRepeated || readArguments(call.function.arguments) === null;
    return { call, resultName: `${id} ${place}`, isInvalid };
  });
}

/** Returns true if Gatehouse can answer one of the calls without the user. */
export function canContinueTurn(
  calls: OpenToolCalls,
  { toolIds, mcpTools, rejectsBadCalls }: ConversationOptions,
  { saved, servers }: KnownTools,
): boolean {
  if (rejectsBadCalls) return true;
  const answering = getActiveTools(toolIds, saved).filter(({ answer }) => answer.by !== 'you');
  const names = new Set([
    ...answering.map(({ tool }) => tool.function.name),
    ...getActiveMcpTools(mcpTools, servers).map(({ server, tool }) =>
      getMcpToolName(server.name, tool.name),
    ),
  ]);
  return calls.some(({ call, isInvalid }) => !isInvalid && names.has(call.function.name));
}

/** Keyed by `resultName`. */
type TypedResults = Readonly<Record<string, string>>;

/** Returns the typed result, or else a canned one if the call is to the example tool. */
export function getResult({ call, resultName }: OpenToolCall, typed: TypedResults): string {
  return typed[resultName] ?? getExampleResult(call) ?? '';
}

export function splitResults(
  calls: OpenToolCalls,
  typed: TypedResults,
): { results: WrittenMessage[]; missing: ToolCall[] } {
  const results: WrittenMessage[] = [];
  const missing: ToolCall[] = [];
  for (const open of calls) {
    const { call } = open;
    const content = getResult(open, typed);
    if (content.trim() === '') missing.push(call);
    else results.push({ role: 'tool', content, toolCallId: call.id });
  }
  return { results, missing };
}

export function typeResult(form: ComposerForm, resultName: string, text: string): void {
  form.change({ results: { [resultName]: text } }, { typing: true });
}

export function forgetResults(form: ComposerForm, calls: OpenToolCalls): void {
  form.change({}, { unset: calls.map(({ resultName }) => joinFieldName('results', resultName)) });
}
