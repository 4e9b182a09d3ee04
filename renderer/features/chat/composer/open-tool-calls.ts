/** The tool calls of a branch that wait for their results: pure. */
import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import type { ToolCall } from '../../../../shared/operations/chat/message.ts';

export type OpenToolCalls = {
  /** The answer that calls. */
  messageId: string;
  calls: readonly ToolCall[];
};

/** Null where the branch does not end in calls (and some of their results). */
export function openToolCalls(path: readonly TreeMessage[]): OpenToolCalls | null {
  const at = path.findLastIndex(({ role }) => role !== 'tool');
  const message = path[at];
  if (message === undefined || message.role !== 'assistant') return null;
  const answered = path.slice(at + 1).map(({ toolCallId }) => toolCallId);
  const calls = message.toolCalls.filter((call) => {
    // Two calls may share an id: each result answers one of them.
    const found = answered.indexOf(call.id);
    if (found >= 0) answered.splice(found, 1);
    return found < 0;
  });
  return calls.length === 0 ? null : { messageId: message.id, calls };
}

/** What was typed, in the order of the calls. */
export type TypedResults = Readonly<Record<string, string>>;

/** Calls are told apart by place: ids may be doubled. */
export function resultKey(call: ToolCall, index: number): string {
  return `${index} ${call.id}`;
}

export function splitResults(
  { calls }: OpenToolCalls,
  typed: TypedResults,
): { results: WrittenMessage[]; missing: ToolCall[] } {
  const results: WrittenMessage[] = [];
  const missing: ToolCall[] = [];
  for (const [index, call] of calls.entries()) {
    const content = typed[resultKey(call, index)] ?? '';
    if (content.trim() === '') missing.push(call);
    else results.push({ role: 'tool', content, toolCallId: call.id });
  }
  return { results, missing };
}
