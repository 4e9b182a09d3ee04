/** Reads calls of `fetch()` into requests. */
import { isJsonObject, type JsonValue } from '../json.ts';
import { findNext, match } from './bash-words.ts';
import { createJavaScriptReader, IDENTIFIER, type JavaScriptReader } from './javascript-values.ts';
import { createRequest, PAIRS_FIELD, toText } from './literal-request.ts';
import {
  FinalPastedTextError,
  MAX_PASTED_PROBLEMS,
  type PastedRequest,
  PastedTextError,
} from './pasted-request.ts';

const DECLARATION = /(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]{0,200})?=(?!=)/y;
const APPEND = /([A-Za-z_$][\w$]*)\s*\.\s*(?:append|set)\s*\(/y;
const FETCH = /fetch\s*\(/y;

/** Throws the first error if no call can be read. */
export function readFetches(text: string): PastedRequest[] {
  const requests: PastedRequest[] = [];
  const reader = createJavaScriptReader(text);
  let problem: PastedTextError | null = null;
  let problems = 0;
  while (reader.at < text.length) {
    try {
      const request = readNext(text, reader);
      if (request !== null) requests.push(request);
    } catch (error) {
      if (!(error instanceof PastedTextError)) throw error;
      problem ??= error;
      problems += 1;
      if (error instanceof FinalPastedTextError || problems === MAX_PASTED_PROBLEMS) break;
      reader.at += 1;
    }
  }
  if (requests.length === 0 && problem !== null) throw problem;
  return requests;
}

/** Reads past the next comment, string, declaration or call; null unless it was a fetch call. */
function readNext(text: string, reader: JavaScriptReader): PastedRequest | null {
  reader.skipBlanks();
  const { at } = reader;
  const declaration = match(DECLARATION, text, at);
  if (declaration !== null) {
    reader.at += declaration[0].length;
    const name = declaration[1] ?? '';
    // Skip only the declaration, because the next step reads the fetch call.
    if (/^\s*(?:await\s+)?(?:\w+\.)?fetch\s*\(/.test(text.slice(reader.at, reader.at + 100)))
      return null;
    reader.variables.set(name, reader.readValue());
    return null;
  }
  const append = match(APPEND, text, at);
  if (append !== null) {
    reader.at += append[0].length;
    addPair(reader, append[1] ?? '', reader.readArguments());
    return null;
  }
  const call = match(FETCH, text, at);
  if (call !== null) {
    reader.at += call[0].length;
    const [url, init] = reader.readArguments();
    if (url === undefined) throw new PastedTextError('The call of fetch has no URL.');
    return createRequest('fetch', url, isJsonObject(init) ? init : {});
  }
  if (/["'`]/.test(text[at] ?? '')) reader.readString();
  else if (match(IDENTIFIER, text, at) !== null) {
    reader.at += match(IDENTIFIER, text, at)?.[0].length ?? 1;
  } else reader.at = findNext(/[\w$"'`/\s]/g, text, at + 1);
  return null;
}

function addPair(
  reader: JavaScriptReader,
  name: string,
  [key = '', value = '']: JsonValue[],
): void {
  const current = reader.variables.get(name);
  if (!isJsonObject(current)) return;
  const pairs = current[PAIRS_FIELD];
  if (Array.isArray(pairs)) pairs.push([toText(key), value]);
  else current[toText(key)] = value;
}
