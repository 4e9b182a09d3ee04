import { isJsonNumber } from '../../../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import type { RunEvent } from '../../../../shared/run.ts';

export interface FrameRow {
  /** The event's number within the exchange, starting at 1. */
  number: number;
  seq: number;
  atMs: number;
  /** Milliseconds since the previous event; null for the first one. */
  gapMs: number | null;
  /** The SSE event name, `comment` for a keep-alive, or an empty string. */
  label: string;
  data: string;
}

export function getFrameRows(events: readonly RunEvent[]): FrameRow[] {
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

/** Ignores case; gaps still refer to the full stream. */
export function filterRows(rows: FrameRow[], filter: string): FrameRow[] {
  const query = filter.trim().toLowerCase();
  if (query === '') return rows;
  return rows.filter(
    ({ data, label }) => data.toLowerCase().includes(query) || label.includes(query),
  );
}

const MAX_PIECE_CHARS = 60;

/** Returns the part of a stream event that changes, or null for other events. */
export function getDelta(frame: JsonValue | undefined): JsonValue | null {
  if (!isJsonObject(frame)) return null;
  const { choices, usage, error } = frame;
  const delta: JsonObject = {};
  if (Array.isArray(choices) && choices.length > 0) {
    const pieces = choices.map(getChoiceDelta);
    Object.assign(delta, pieces.length === 1 ? pieces[0] : { choices: pieces });
  }
  if (isJsonObject(usage)) delta.usage = usage;
  if (error !== undefined && error !== null) delta.error = error;
  return Object.keys(delta).length === 0 ? null : delta;
}

/** Omits index 0, because usually there is only one choice. */
function getChoiceDelta(choice: JsonValue): JsonObject {
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

/** Returns the text with visible line breaks, else the event's purpose, or null if unknown. */
export function getPiece(data: string): string | null {
  if (!data.startsWith('{')) return null;
  const frame = parseJson(data);
  if (!isJsonObject(frame)) return null;
  if (isJsonObject(frame.error)) return formatLabeled('error', frame.error.message);
  const choice = Array.isArray(frame.choices) ? frame.choices[0] : undefined;
  if (!isJsonObject(choice)) return isJsonObject(frame.usage) ? describeUsage(frame.usage) : null;
  const text = getText(choice);
  if (text !== '') return JSON.stringify(text.slice(0, MAX_PIECE_CHARS)).slice(1, -1);
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
    return `finish: ${choice.finish_reason}`;
  }
  const role = isJsonObject(choice.delta) ? choice.delta.role : undefined;
  return typeof role === 'string' && role !== '' ? `role: ${role}` : null;
}

function formatLabeled(label: string, value: JsonValue | undefined): string {
  return typeof value === 'string' && value !== ''
    ? `${label}: ${value.slice(0, MAX_PIECE_CHARS)}`
    : label;
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
