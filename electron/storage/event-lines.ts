/** Encodes events as one line of JSON, for journals and for compressed rows. */
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { type RunEvent, type RunEventOf, runEventSchema } from '../../shared/run.ts';
import { type Cuts, maskRanges } from '../gateway/secret-search.ts';

export type ChunkEvent = RunEventOf<'chunk'>;

/**
 * A chunk is `[seq, atMs, exchange, data]`, with its event name and whether it is a comment only
 * if needed. Any other event is `[seq, atMs, exchange, kind, body]`, where the body is JSON.
 */
export function encodeEvents(events: readonly RunEvent[]): string {
  return JSON.stringify(events.map(encodeEvent));
}

function encodeEvent(event: RunEvent): unknown[] {
  const { seq, atMs, exchange } = event;
  if (event.kind !== 'chunk') return [seq, atMs, exchange, event.kind, encodeBody(event)];
  const { data, event: name, comment } = event;
  const isPlain = name === null && !comment;
  return isPlain ? [seq, atMs, exchange, data] : [seq, atMs, exchange, data, name, comment];
}

/** Encodes what a row doesn't have in columns. */
export function encodeBody(event: RunEvent): string {
  const { seq: _seq, atMs: _at, exchange: _exchange, kind: _kind, ...body } = event;
  return JSON.stringify(body);
}

/** Masks pieces of secrets; masking an event again changes nothing. */
export function applyCuts(events: readonly RunEvent[], cuts: Cuts): readonly RunEvent[] {
  if (cuts.size === 0) return events;
  return events.map((event) => {
    const ranges = event.kind === 'chunk' ? cuts.get(event.seq) : undefined;
    if (event.kind !== 'chunk' || ranges === undefined) return event;
    return { ...event, data: maskRanges(event.data, ranges) };
  });
}

/** Returns null if the text isn't a list; calls `onUnreadable` for each event that can't be read. */
export function decodeEvents(text: string, onUnreadable: () => void): RunEvent[] | null {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(entries)) return null;
  return entries.flatMap((entry: unknown) => {
    const event = Array.isArray(entry) ? decodeEvent(entry) : null;
    if (event === null) onUnreadable();
    return event ?? [];
  });
}

/** Checks chunks without zod, because a run may have hundreds of thousands. */
function decodeEvent(entry: readonly unknown[]): RunEvent | null {
  const [seq, atMs, exchange, data, event = null, comment = false] = entry;
  if (entry.length === 5) {
    return typeof event === 'string'
      ? parseEvent({ seq, atMs, exchange, kind: data }, event)
      : null;
  }
  const isChunk =
    isCount(seq) &&
    seq > 0 &&
    typeof atMs === 'number' &&
    atMs >= 0 &&
    isCount(exchange) &&
    typeof data === 'string' &&
    (event === null || typeof event === 'string') &&
    typeof comment === 'boolean';
  return isChunk ? { kind: 'chunk', seq, atMs, exchange, data, event, comment } : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns null if the event can't be read. */
export function parseEvent(fields: Record<string, unknown>, bodyText: string): RunEvent | null {
  const body = parseJson(bodyText);
  if (!isJsonObject(body)) return null;
  return runEventSchema.safeParse({ ...body, ...fields }).data ?? null;
}
