/** Reads what one event of a stream holds: a JSON value, or several where a gateway forgot what parts them. */
import type { JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';

const DONE = '[DONE]';

/** Whether the end mark is the event, or its last line. */
export function isEndMark(data: string): boolean {
  if (!data.includes(DONE)) return false;
  const text = data.trim();
  return text === DONE || (text.endsWith(`\n${DONE}`) && readDocuments(text) !== null);
}

/** Null if any of it is not JSON. An end mark after them is not among them. */
export function readDocuments(data: string): JsonValue[] | null {
  const one = parseJson(data);
  if (one !== undefined) return [one];
  const documents: JsonValue[] = [];
  let rest = data.trim();
  while (rest !== '' && rest !== DONE) {
    const end = endOfObject(rest);
    const document = end === -1 ? undefined : parseJson(rest.slice(0, end));
    if (document === undefined) return null;
    documents.push(document);
    // The name of the field is inside where even the line break is missing.
    rest = rest.slice(end).replace(/^\s*(?:data:\s*)?/, '');
  }
  return documents;
}

/** Where the object at the start of `text` ends; -1 where there is none. */
function endOfObject(text: string): number {
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
