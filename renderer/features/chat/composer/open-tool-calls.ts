import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { fieldName } from '../../../../shared/form-fields.ts';
import type { ToolCall } from '../../../../shared/operations/chat/message.ts';
import { getExampleResult } from '../options/option-examples.ts';
import type { ComposerForm } from './composer-form.ts';

export interface OpenToolCall {
  call: ToolCall;
  /** Uses the call's position, because tool call IDs may repeat. */
  resultName: string;
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
  const at = path.findLastIndex(({ role }) => role !== 'tool');
  const message = path[at];
  if (message === undefined || message.role !== 'assistant') return null;
  const answered = path.slice(at + 1).map(({ toolCallId }) => toolCallId);
  const calls = message.toolCalls
    .map((call, place) => ({ call, resultName: `${message.id} ${place}` }))
    .filter(({ call }) => {
      // Calls may share an ID, so match each result to only one call.
      const found = answered.indexOf(call.id);
      if (found >= 0) answered.splice(found, 1);
      return found < 0;
    });
  return calls.length === 0 ? null : calls;
}

/** Keyed by `resultName`. */
type TypedResults = Readonly<Record<string, string>>;

/** A call of the example tool starts with a result, so that it can be sent at once. */
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
  form.change({}, { unset: calls.map(({ resultName }) => fieldName('results', resultName)) });
}
