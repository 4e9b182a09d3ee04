/** Finds the tool calls at the end of a branch that have no results yet. */
import type { Role, ToolCall } from './message.ts';

export interface OpenCall {
  call: ToolCall;
  /** The call's position in its answer. */
  place: number;
}

interface CallingMessage {
  role: Role;
  toolCalls: readonly ToolCall[];
  toolCallId: string | null;
}

export interface CallsOfAnswer<Message> {
  answer: Message;
  open: OpenCall[];
}

/** Returns null unless the branch ends in an answer with tool calls, or in their results. */
export function getCallsAtEnd<Message extends CallingMessage>(
  path: readonly Message[],
): CallsOfAnswer<Message> | null {
  const at = path.findLastIndex(({ role }) => role !== 'tool');
  const answer = path[at];
  if (answer?.role !== 'assistant' || answer.toolCalls.length === 0) return null;
  const answered = path.slice(at + 1).map(({ toolCallId }) => toolCallId);
  const open = answer.toolCalls
    .map((call, place) => ({ call, place }))
    .filter(({ call }) => {
      // Calls may share an ID, so match each result to only one call.
      const found = answered.indexOf(call.id);
      if (found >= 0) answered.splice(found, 1);
      return found < 0;
    });
  return { answer, open };
}

/** Counts the answers since the user's last message, which are the requests of the turn. */
export function countRounds(path: readonly Pick<CallingMessage, 'role'>[]): number {
  const start = path.findLastIndex(({ role }) => role === 'user') + 1;
  return path.slice(start).filter(({ role }) => role === 'assistant').length;
}
