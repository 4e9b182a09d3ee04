/** Extracts a chunk's text without parsing, because most chunks differ only in one text. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { readIndex } from './values.ts';

export interface ChunkPattern {
  /** Index of the choice. */
  index: number;
  /** Name of the field that contains the text. */
  field: string;
  /** Returns the text of `data`; null if `data` differs in anything else. */
  readText(data: string): string | null;
  /** Returns the parsed chunk with `text` in place of the original text. */
  withText(text: string): JsonObject;
}

interface TextPlace {
  holder: 'delta' | 'choice';
  index: number;
  name: string;
  text: string;
}

/** Any text that needs no escaping would work. */
const PROBE = 'x0';
/** Matches characters that JSON strings must escape. */
const ENCODED = /["\\\p{Cc}]/u;

/** Returns null unless the chunk has exactly one text in one choice. */
export function findChunkPattern(data: string): ChunkPattern | null {
  const body = parseJson(data);
  if (!isJsonObject(body)) return null;
  const place = findTextPlace(body);
  if (place === null || ENCODED.test(place.text)) return null;
  const names = [...data.matchAll(new RegExp(`"${place.name}"\\s*:\\s*"`, 'g'))];
  const [only] = names;
  if (only === undefined || names.length > 1) return null;
  const start = only.index + only[0].length;
  const prefix = data.slice(0, start);
  const suffix = data.slice(start + place.text.length);
  // The probe confirms that replacing the string changes only the text.
  const probed = parseJson(prefix + PROBE + suffix);
  if (!isJsonObject(probed) || findTextPlace(probed)?.text !== PROBE) return null;

  return {
    index: place.index,
    field: place.name,
    withText: (text) => createChunk(body, place, text),
    readText(other) {
      const end = other.length - suffix.length;
      // Comparing slices is much faster than calling `startsWith` and `endsWith`.
      if (end < start || other.slice(end) !== suffix || other.slice(0, start) !== prefix)
        return null;
      const text = other.slice(start, end);
      return ENCODED.test(text) ? null : text;
    },
  };
}

/** Returns null if the chunk contains anything else, such as a finish reason or usage. */
function findTextPlace({ choices, usage, error, object }: JsonObject): TextPlace | null {
  const choice = Array.isArray(choices) && choices.length === 1 ? choices[0] : null;
  if (!isJsonObject(choice) || object === 'error') return null;
  if (!isNothing(usage) || !isNothing(error) || !isNothing(choice.finish_reason)) return null;
  if (!isNothing(choice.logprobs)) return null;
  const index = readIndex(choice.index) ?? 0;
  if (!isJsonObject(choice.delta)) {
    const { text } = choice;
    const isText = typeof text === 'string' && isNothing(choice.delta) && isNothing(choice.message);
    return isText ? { holder: 'choice', index, name: 'text', text } : null;
  }
  const said = Object.entries(choice.delta).filter(
    ([name, value]) => name !== 'role' && !isNothing(value) && value !== '',
  );
  const [first] = said;
  if (first === undefined || said.length > 1) return null;
  const [name, text] = first;
  return TEXTS.has(name) && typeof text === 'string'
    ? { holder: 'delta', index, name, text }
    : null;
}

const TEXTS = new Set(['content', 'reasoning_content', 'reasoning', 'reasoning_text']);

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function createChunk(body: JsonObject, { holder, name }: TextPlace, text: string): JsonObject {
  const choice = Array.isArray(body.choices) ? body.choices[0] : null;
  if (!isJsonObject(choice)) return body;
  if (holder === 'choice') return { ...body, choices: [{ ...choice, [name]: text }] };
  const delta = isJsonObject(choice.delta) ? choice.delta : {};
  return { ...body, choices: [{ ...choice, delta: { ...delta, [name]: text } }] };
}
