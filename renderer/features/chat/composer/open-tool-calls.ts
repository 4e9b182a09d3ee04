/** The tool calls of a branch that wait for their results, and what is typed as these. */
import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import { fieldName } from '../../../../shared/form-fields.ts';
import type { ToolCall } from '../../../../shared/operations/chat/message.ts';
import type { ComposerForm } from './composer-form.ts';

export interface OpenToolCall {
  call: ToolCall;
  /** The result's name in the form: calls are distinguished by position, as IDs may repeat. */
  resultName: string;
}

export type OpenToolCalls = readonly OpenToolCall[];

/** Null if the branch does not end in calls (and some of their results). */
export function openToolCalls(path: readonly TreeMessage[]): OpenToolCalls | null {
  const at = path.findLastIndex(({ role }) => role !== 'tool');
  const message = path[at];
  if (message === undefined || message.role !== 'assistant') return null;
  const answered = path.slice(at + 1).map(({ toolCallId }) => toolCallId);
  const calls = message.toolCalls
    .map((call, place) => ({ call, resultName: `${message.id} ${place}` }))
    .filter(({ call }) => {
      // Two calls may share an id: each result answers one of them.
      const found = answered.indexOf(call.id);
      if (found >= 0) answered.splice(found, 1);
      return found < 0;
    });
  return calls.length === 0 ? null : calls;
}

/** What was typed, by the names of the results. */
export type TypedResults = Readonly<Record<string, string>>;

export function splitResults(
  calls: OpenToolCalls,
  typed: TypedResults,
): { results: WrittenMessage[]; missing: ToolCall[] } {
  const results: WrittenMessage[] = [];
  const missing: ToolCall[] = [];
  for (const { call, resultName } of calls) {
    const content = typed[resultName] ?? '';
    if (content.trim() === '') missing.push(call);
    else results.push({ role: 'tool', content, toolCallId: call.id });
  }
  return { results, missing };
}

export function typeResult(form: ComposerForm, resultName: string, text: string): void {
  form.change({ results: { [resultName]: text } }, { typing: true });
}

/** After they were sent. */
export function forgetResults(form: ComposerForm, calls: OpenToolCalls): void {
  form.change({}, { unset: calls.map(({ resultName }) => fieldName('results', resultName)) });
}
