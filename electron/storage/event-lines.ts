/** Encodes events as lines of text, for journals and for compressed rows. */
import { parseJson, parseRounded } from '../../shared/parse-json.ts';
import { type RunEvent, type RunEventOf, runEventSchema } from '../../shared/run.ts';
import { type Cuts, maskRanges } from '../redaction/secret-search.ts';

export type ChunkEvent = RunEventOf<'chunk'>;

/**
 * Chunks that arrived together are one line: the JSON of `[seq, atMs, exchange, event, comment,
 * ...lengths]`, a tab and their data, because escaping JSON in JSON would take longer than all else.
 * Any other event is a line of JSON.
 */
export function encodeEvents(events: readonly RunEvent[]): string {
  const lines: string[] = [];
  let header = '';
  let data = '';
  let last: ChunkEvent | null = null;

  function endLine(): void {
    if (last !== null) lines.push(`${header}]\t${data}`);
    last = null;
  }

  for (const event of events) {
    if (event.kind !== 'chunk' || !fitsLine(event.data)) {
      endLine();
      lines.push(JSON.stringify(event));
      continue;
    }
    if (last === null || !isTogether(last, event)) {
      endLine();
      const { seq, atMs, exchange, comment } = event;
      header = `[${seq},${atMs},${exchange},${JSON.stringify(event.event)},${comment}`;
      data = '';
    }
    header += `,${event.data.length}`;
    data += event.data;
    last = event;
  }
  endLine();
  return lines.join('\n');
}

/** A line of a damaged file may have NUL characters. */
function fitsLine(data: string): boolean {
  return !data.includes('\n') && !data.includes('\0') && data.isWellFormed();
}

function isTogether(before: ChunkEvent, after: ChunkEvent): boolean {
  return (
    after.seq === before.seq + 1 &&
    after.atMs === before.atMs &&
    after.exchange === before.exchange &&
    after.event === before.event &&
    after.comment === before.comment
  );
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

/** Calls `onUnreadable` for each line that can't be read. */
export function decodeEvents(text: string, onUnreadable: () => void): RunEvent[] {
  return text.split('\n').flatMap((line) => {
    const events = decodeLine(line);
    if (events === null) onUnreadable();
    return events ?? [];
  });
}

function decodeLine(line: string): RunEvent[] | null {
  const header = readHeader(line);
  if (header === null) {
    const event = runEventSchema.safeParse(line.includes('\0') ? null : parseJson(line)).data;
    return event === undefined ? null : [event];
  }
  const { first, atMs, exchange, event, comment, lengths } = header;
  let at = header.dataStart;
  return lengths.map((length, index) => {
    const data = line.slice(at, at + length);
    at += length;
    return { kind: 'chunk', seq: first + index, atMs, exchange, data, event, comment };
  });
}

/**
 * Returns the fields that the chunks of a line share, or null if it isn't a whole line of chunks.
 * Works without zod, because a run may have hundreds of thousands.
 */
export function readHeader(line: string) {
  const dataStart = line.indexOf('\t') + 1;
  if (dataStart === 0 || !line.startsWith('[') || line.includes('\0')) return null;
  const header: unknown = parseRounded(line.slice(0, dataStart));
  const [first, atMs, exchange, event, comment, ...lengths]: unknown[] = Array.isArray(header)
    ? header
    : [];
  const isHeader =
    isCount(first) &&
    first > 0 &&
    typeof atMs === 'number' &&
    atMs >= 0 &&
    isCount(exchange) &&
    (event === null || typeof event === 'string') &&
    typeof comment === 'boolean' &&
    lengths.length > 0 &&
    lengths.every(isCount);
  if (!isHeader) return null;
  const last = first + lengths.length - 1;
  const end = lengths.reduce((sum, length) => sum + length, dataStart);
  // Masking may shorten the data; blanks then fill the rest of the line.
  const isWhole = end <= line.length && line.slice(end).trim() === '';
  return isWhole ? { first, last, atMs, exchange, event, comment, lengths, dataStart } : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
