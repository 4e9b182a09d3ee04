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
