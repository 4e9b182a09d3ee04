/** Matches tool calls to their results, which arrive in any order. */
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

/** Moves the results of each answer's calls into the order of the calls. */
export function sortResults<Message extends CallingMessage>(
  path: readonly Message[],
): readonly Message[] {
  const sorted = [...path];
  for (const [at, { toolCalls }] of path.entries()) {
    if (toolCalls.length < 2) continue;
    let end = at + 1;
    while (path[end]?.role === 'tool') end += 1;
    const results = path.slice(at + 1, end);
    // Calls may share an ID, so match each result to only one call.
    const open = toolCalls.map(({ id }): string | undefined => id);
    const placed = results.map((result) => {
      const place = open.indexOf(result.toolCallId ?? '');
      if (place >= 0) open[place] = undefined;
      return { result, place: place < 0 ? open.length : place };
    });
    const ordered = placed.toSorted((one, other) => one.place - other.place);
    sorted.splice(at + 1, ordered.length, ...ordered.map(({ result }) => result));
  }
  return sorted;
}

/** Counts the answers since the user's last message, which are the requests of the turn. */
export function countRounds(path: readonly Pick<CallingMessage, 'role'>[]): number {
  const start = path.findLastIndex(({ role }) => role === 'user') + 1;
  return path.slice(start).filter(({ role }) => role === 'assistant').length;
}
