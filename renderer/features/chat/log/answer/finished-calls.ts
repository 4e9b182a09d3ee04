import type { TreeMessage } from '../../../../../shared/conversation.ts';
import { isJsonObject, type JsonValue } from '../../../../../shared/json.ts';
import { parseJson } from '../../../../../shared/parse-json.ts';
import { getMessageText } from '../../conversation/written-message.ts';

/** An answer whose tool calls all have results, which folds to a line per call. */
export interface FinishedCalls {
  calls: readonly FinishedCall[];
  /** The IDs of the tool messages, which a folded step hides. */
  resultIds: readonly string[];
  /** True if the answer has no text besides its reasoning, so that the lines replace it. */
  isBare: boolean;
}

export interface FinishedCall {
  /** Such as `get_temp("Oslo")`. */
  call: string;
  /** The result on one line. */
  result: string;
  failed: boolean;
  /** Null if the user gave the result, or none was looked for. */
  durationMs: number | null;
}

/** Maps the IDs of answers to their steps, which are finished once another message follows. */
export function getFinishedCalls(path: readonly TreeMessage[]): ReadonlyMap<string, FinishedCalls> {
  const steps = new Map<string, FinishedCalls>();
  for (const [index, message] of path.entries()) {
    if (message.toolCalls.length === 0 || !isPlain(message)) continue;
    const results: TreeMessage[] = [];
    for (const next of path.slice(index + 1)) {
      if (next.role !== 'tool') break;
      results.push(next);
    }
    const isFollowed = index + results.length + 1 < path.length;
    const step = isFollowed ? getStep(message, results) : null;
    if (step !== null) steps.set(message.id, step);
  }
  return steps;
}

/** Returns false if the answer has something to say about itself, such as an error or a warning. */
function isPlain({ run, audio }: TreeMessage): boolean {
  if (audio !== null) return false;
  return run === null || (run.status === 'succeeded' && !run.figures?.warnings?.length);
}

function getStep(message: TreeMessage, results: readonly TreeMessage[]): FinishedCalls | null {
  const { toolCalls, content } = message;
  if (results.length !== toolCalls.length) return null;
  const open = [...results];
  const calls: FinishedCall[] = [];
  for (const { id, function: called } of toolCalls) {
    const at = open.findIndex(({ toolCallId }) => toolCallId === id);
    const [result] = at < 0 ? [] : open.splice(at, 1);
    if (result === undefined) return null;
    const record = result.callRecord;
    calls.push({
      call: `${called.name}(${describeArguments(called.arguments)})`,
      result: describeResult(result),
      failed: record?.failed === true || record?.by === 'check',
      durationMs: record === null || record.by === 'check' ? null : record.durationMs,
    });
  }
  const isBare = typeof content === 'string' && content.trim() === '';
  return { calls, resultIds: results.map(({ id }) => id), isBare };
}

/** Returns a single value without its name, because the tool's name usually says what it is. */
export function describeArguments(source: string): string {
  const args = parseJson(source);
  if (!isJsonObject(args)) return shorten(source);
  const entries = Object.entries(args);
  const [only] = entries;
  if (only !== undefined && entries.length === 1 && !isNested(only[1])) {
    return shorten(JSON.stringify(only[1]));
  }
  return shorten(entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', '));
}

function describeResult({ content }: TreeMessage): string {
  if (typeof content !== 'string') {
    const text = getMessageText(content);
    return shorten(text === '' ? content.map(({ type }) => type).join(', ') : text);
  }
  const value = parseJson(content);
  return shorten(isJsonObject(value) ? describeArguments(content) : content) || 'empty';
}

function isNested(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

const MAX_CHARS = 80;

function shorten(text: string): string {
  const line = text
    .slice(0, 4 * MAX_CHARS)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
}
