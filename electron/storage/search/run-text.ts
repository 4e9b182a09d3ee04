/** The text that a search finds a run by: its request's and its response's. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Reply } from '../../../shared/operations/operation.ts';

/** Indexed in about half a millisecond. */
const PIECE = 2000;
/** As long as a search may be, so that a match across two pieces is found in the second. */
const OVERLAP = 200;
const MAX_LENGTH = 100_000;
/** Deeper than any response. */
const MAX_DEPTH = 48;
/** A text without a space in so many characters is data, such as base64. */
const DATA = 1000;

/** Returns one piece, by which the run is found while it is running. */
export function firstText(run: {
  model: string;
  preview: string;
  request: JsonObject;
  extraBody: JsonObject;
}): string {
  return runText(run, null).slice(0, PIECE);
}

export function runText(
  run: { model: string; preview: string; request: JsonObject; extraBody: JsonObject },
  reply: Reply | null,
): string {
  const texts = [run.model, run.preview];
  let length = 0;
  const add = (value: JsonValue, depth: number): void => {
    if (length > MAX_LENGTH || depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      if (value === '' || isData(value)) return;
      texts.push(value);
      length += value.length;
    } else if (Array.isArray(value)) for (const item of value) add(item, depth + 1);
    else if (isJsonObject(value)) for (const item of Object.values(value)) add(item, depth + 1);
  };
  add(run.request, 0);
  add(run.extraBody, 0);
  if (reply) {
    // Sections include the answer's text.
    const { sections, text, facts, media, warnings } = reply;
    add(sections.length > 0 ? sections.map((section) => section.text) : text, 0);
    add([facts.map(([, value]) => value), media.map(({ name }) => name), warnings], 0);
  }
  return texts.join('\n').slice(0, MAX_LENGTH);
}

function isData(text: string): boolean {
  return text.length > DATA && !/\s/.test(text.slice(0, DATA));
}

/** Returns overlapping pieces: each is indexed quickly, and no match is lost between two. */
export function textPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    pieces.push(text.slice(from, from + PIECE));
    if (from + PIECE >= text.length) break;
  }
  return pieces;
}
