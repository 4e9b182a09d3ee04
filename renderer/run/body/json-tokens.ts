export interface JsonToken {
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
