import { parseJson } from '../../../shared/json.ts';

export interface TextLine {
  /** Null for the rest of a line that was too long for one row. */
  number: number | null;
  text: string;
}

/** A row of a virtual list stays small however long the line is (base64 has no line ends). */
const maxRowLength = 2000;

export function textLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.length <= maxRowLength) {
      lines.push({ number, text: line });
      continue;
    }
    for (let at = 0; at < line.length; at += maxRowLength) {
      lines.push({ number: at === 0 ? number : null, text: line.slice(at, at + maxRowLength) });
    }
  }
  return lines;
}

/** Indented JSON, or null where the text is not JSON. */
export function prettyJson(text: string): string | null {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return null;
  const value = parseJson(text);
  return value === undefined ? null : JSON.stringify(value, null, 2);
}

interface JsonToken {
  kind: 'name' | 'string' | 'scalar' | 'plain';
  text: string;
}

const TOKEN =
  /"(?:[^"\\]|\\.)*"(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;

/** A line of indented JSON in parts that are coloured alike; always adds up to the line. */
export function jsonTokens(line: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: line.slice(at, match.index) });
    const colon = match[1] ?? '';
    const text = match[0].slice(0, match[0].length - colon.length);
    const kind = colon !== '' ? 'name' : text.startsWith('"') ? 'string' : 'scalar';
    tokens.push({ kind, text });
    if (colon !== '') tokens.push({ kind: 'plain', text: colon });
    at = match.index + match[0].length;
  }
  if (at < line.length) tokens.push({ kind: 'plain', text: line.slice(at) });
  return tokens;
}
