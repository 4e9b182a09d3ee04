/** Extracts the searchable text of a run from its request and response. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { RunResponse } from '../../../shared/operations/operation.ts';

/** Indexing a piece of this length takes about half a millisecond. */
const PIECE = 2000;
/** Overlap of two pieces and maximum search length, so that a match is always within one piece. */
const OVERLAP = 200;
const MAX_LENGTH = 100_000;
/** No response is nested more deeply. */
const MAX_DEPTH = 48;
/** Text with no space in this many characters is treated as data, such as base64. */
const DATA = 1000;

/** Returns a single piece, which makes an active run searchable. */
export function getFirstPiece(run: {
  model: string;
  preview: string;
  request: JsonObject;
  extraBody: JsonObject;
}): string {
  return runText(run, null).slice(0, PIECE);
}

export function runText(
  run: { model: string; preview: string; request: JsonObject; extraBody: JsonObject },
  response: RunResponse | null,
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
  if (response) {
    // The sections already include the answer's text.
    const { sections, text, facts, media, warnings } = response;
    add(sections.length > 0 ? sections.map((section) => section.text) : text, 0);
    add([facts.map(([, value]) => value), media.map(({ name }) => name), warnings], 0);
  }
  return texts.join('\n').slice(0, MAX_LENGTH);
}

function isData(text: string): boolean {
  return text.length > DATA && !/\s/.test(text.slice(0, DATA));
}

/** Returns short overlapping pieces, so that a match across a boundary is still found. */
export function splitIntoPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    pieces.push(text.slice(from, from + PIECE));
    if (from + PIECE >= text.length) break;
  }
  return pieces;
}
