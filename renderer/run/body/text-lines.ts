export interface TextLine {
  /** Null for a continuation of a long line. */
  number: number | null;
  text: string;
}

/** Split long lines, such as base64, to keep virtual rows small. */
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
