import { isJsonNumber } from '../../../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import type { RunEvent } from '../../../../shared/run.ts';

export interface FrameRow {
  /** From 1, in the exchange. */
  number: number;
  seq: number;
  atMs: number;
  /** Since the frame before; null for the first. */
  gapMs: number | null;
  /** The SSE event name, `comment` for a keep-alive, else empty. */
  label: string;
  data: string;
}

/** The SSE frames among the events, with the time since the run's start and the gap before each. */
export function frameRows(events: readonly RunEvent[]): FrameRow[] {
  const rows: FrameRow[] = [];
  for (const event of events) {
    if (event.kind !== 'chunk') continue;
    const before = rows.at(-1);
    rows.push({
      number: rows.length + 1,
      seq: event.seq,
      atMs: event.atMs,
      gapMs: before ? event.atMs - before.atMs : null,
      label: event.comment ? 'comment' : (event.event ?? ''),
      data: event.data,
    });
  }
  return rows;
}

/** Rows whose data or label contains the text, whatever the case; gaps stay those of the stream. */
export function filterRows(rows: FrameRow[], filter: string): FrameRow[] {
  const query = filter.trim().toLowerCase();
  if (query === '') return rows;
  return rows.filter(
    ({ data, label }) => data.toLowerCase().includes(query) || label.includes(query),
  );
}

const longest = 60;

/**
 * What a frame of a stream brings, without what repeats in each: the deltas or texts of its choices, else
 * its usage or error. Null if it is another kind of frame.
 */
export function getDelta(frame: JsonValue | undefined): JsonValue | null {
  if (!isJsonObject(frame)) return null;
  const { choices, usage, error } = frame;
  const brought: JsonObject = {};
  if (Array.isArray(choices) && choices.length > 0) {
    const pieces = choices.map(pieceOfChoice);
    Object.assign(brought, pieces.length === 1 ? pieces[0] : { choices: pieces });
  }
  if (isJsonObject(usage)) brought.usage = usage;
  if (error !== undefined && error !== null) brought.error = error;
  return Object.keys(brought).length === 0 ? null : brought;
}

/** The index says which of several it is; of one alone it says nothing. */
function pieceOfChoice(choice: JsonValue): JsonObject {
  if (!isJsonObject(choice)) return { choice };
  const { delta, text, message, finish_reason, index } = choice;
  return {
    ...(typeof index === 'number' && index > 0 && { index }),
    ...(delta !== undefined && { delta }),
    ...(message !== undefined && { message }),
    ...(text !== undefined && { text }),
    ...(typeof finish_reason === 'string' && { finish_reason }),
  };
}

/**
 * What a frame of a stream brings, in a few characters: the piece of text with its line ends made
 * visible, or the reason it is there. Null if that cannot be said.
 */
export function getPiece(data: string): string | null {
  if (!data.startsWith('{')) return null;
  const frame = parseJson(data);
  if (!isJsonObject(frame)) return null;
  if (isJsonObject(frame.error)) return labeled('error', frame.error.message);
  const choice = Array.isArray(frame.choices) ? frame.choices[0] : undefined;
  if (!isJsonObject(choice)) return isJsonObject(frame.usage) ? describeUsage(frame.usage) : null;
  const text = getText(choice);
  if (text !== '') return JSON.stringify(text.slice(0, longest)).slice(1, -1);
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
    return `finish: ${choice.finish_reason}`;
  }
  const role = isJsonObject(choice.delta) ? choice.delta.role : undefined;
  return typeof role === 'string' && role !== '' ? `role: ${role}` : null;
}

function labeled(label: string, value: JsonValue | undefined): string {
  return typeof value === 'string' && value !== '' ? `${label}: ${value.slice(0, longest)}` : label;
}

function describeUsage({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): string {
  const counts = [
    ['in', prompt_tokens],
    ['out', completion_tokens],
    ['total', total_tokens],
  ].flatMap(([name, count]) => (isJsonNumber(count) ? [`${count} ${name}`] : []));
  return counts.length === 0 ? 'usage' : `usage: ${counts.join(', ')}`;
}

function getText(choice: JsonObject): string {
  const delta = isJsonObject(choice.delta) ? choice.delta : {};
  const call = Array.isArray(delta.tool_calls) ? delta.tool_calls[0] : undefined;
  const called = isJsonObject(call) && isJsonObject(call.function) ? call.function : {};
  const candidates: (JsonValue | undefined)[] = [
    choice.text,
    delta.content,
    delta.reasoning_content,
    delta.reasoning,
    called.arguments,
    called.name,
  ];
  return candidates.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}
