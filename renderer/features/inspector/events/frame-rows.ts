import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../../shared/json.ts';
import type { RunEvent } from '../../../../shared/run.ts';

export interface FrameRow {
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
 * What a frame of a stream brings, in a few characters: the piece of text with its line ends made
 * visible, or the reason it is there. Null where that cannot be said.
 */
export function pieceOf(data: string): string | null {
  if (!data.startsWith('{')) return null;
  const frame = parseJson(data);
  if (!isJsonObject(frame)) return null;
  if (isJsonObject(frame.error)) return 'error';
  const choice = Array.isArray(frame.choices) ? frame.choices[0] : undefined;
  if (!isJsonObject(choice)) return isJsonObject(frame.usage) ? 'usage' : null;
  const text = textOf(choice);
  if (text !== '') return JSON.stringify(text.slice(0, longest)).slice(1, -1);
  return typeof choice.finish_reason === 'string' && choice.finish_reason !== ''
    ? `finish: ${choice.finish_reason}`
    : null;
}

function textOf(choice: JsonObject): string {
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
