/** Parses a stream event into JSON values; some gateways omit the blank line between events. */
import type { JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';

const DONE = '[DONE]';

/** Returns true if the data is the end mark or its last line is. */
export function isEndMark(data: string): boolean {
  if (!data.includes(DONE)) return false;
  const text = data.trim();
  return text === DONE || (text.endsWith(`\n${DONE}`) && readDocuments(text) !== null);
}

/** Returns null if any part isn't JSON; ignores an end mark at the end. */
export function readDocuments(data: string): JsonValue[] | null {
  const one = parseJson(data);
  if (one !== undefined) return [one];
  const documents: JsonValue[] = [];
  let rest = data.trim();
  while (rest !== '' && rest !== DONE) {
    const end = findObjectEnd(rest);
    const document = end === -1 ? undefined : parseJson(rest.slice(0, end));
    if (document === undefined) return null;
    documents.push(document);
    // If the line break is missing too, the data still contains `data:`.
    rest = rest.slice(end).replace(/^\s*(?:data:\s*)?/, '');
  }
  return documents;
}

/** Returns the end of the object at the start of `text`; -1 if there is no object. */
function findObjectEnd(text: string): number {
  if (!text.startsWith('{')) return -1;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{') depth += 1;
    else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
