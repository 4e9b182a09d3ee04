/** Finds mathematics: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. */

export type MathSpan = { raw: string; source: string; isDisplay: boolean };

const DISPLAY_DOLLARS = /^\$\$(?!\$)((?:\\[\s\S]|\$(?!\$)|[^\\$])+)\$\$/;
const DISPLAY_BRACKETS = /^\\\[((?:\\[^[\]]|[^\\])+)\\\](?!\()/;
const INLINE_BRACKETS = /^\\\(((?:\\[^()]|[^\\])+)\\\)(?!\()/;
/** As in Pandoc: no space inside the marks, and no digit after them, so that prices stay text. */
const INLINE_DOLLARS = /^\$(?![\s$])((?:\\[^\n]|[^\\$`\n])*?(?:\\[^\s]|[^\\$`\s]))\$(?![\dA-Z$])/;

/** Reads the span at the start of `text`; `before` is the character that precedes it. */
export function readMath(text: string, before: string): MathSpan | null {
  const first = text.charAt(0);
  if (first !== '$' && first !== '\\') return null;
  const display = (first === '\\' ? DISPLAY_BRACKETS : DISPLAY_DOLLARS).exec(text);
  const match = display ?? (first === '\\' ? INLINE_BRACKETS : INLINE_DOLLARS).exec(text);
  const source = match?.[1]?.trim() ?? '';
  if (match === null || source === '' || !canPrecede(before, match[0])) return null;
  return { raw: match[0], source, isDisplay: display !== null };
}

/** Returns false if a dollar sign follows a letter or digit, as in the currency `US$5`. */
function canPrecede(before: string, raw: string): boolean {
  if (before === '$') return !raw.startsWith('$');
  return raw.startsWith('\\') || raw.startsWith('$$') || !/\w/.test(before);
}

/** Masks formulas in `masked`, which is as long as `text`, so that they contain no delimiters. */
export function maskMath(text: string, masked: string): string {
  if (!text.includes('$') && !/\\[([]/.test(text)) return masked;
  let result = '';
  for (let index = 0; index < text.length; ) {
    const { size, isMath } = measurePiece(text, index);
    result += isMath ? 'a'.repeat(size) : masked.slice(index, index + size);
    index += size;
  }
  return result;
}

/** Measures the mathematics, code, escape or plain text that starts at `index`. */
function measurePiece(text: string, index: number): { size: number; isMath: boolean } {
  const rest = text.slice(index);
  const next = rest.search(/[$\\`]/);
  if (next !== 0) return { size: next < 0 ? rest.length : next, isMath: false };
  const math = readMath(rest, text.charAt(index - 1));
  if (math !== null) return { size: math.raw.length, isMath: true };
  const other = /^(`+)[^`]+\1(?!`)|^`+|^\\[\s\S]/.exec(rest);
  return { size: other?.[0].length ?? 1, isMath: false };
}

export type MathStart = { close: '$$' | '\\]'; source: string };

/** Returns the start of a block whose end is on a later line. */
export function readMathStart(line: string): MathStart | null {
  if (!line.includes('$$') && !line.includes('\\[')) return null;
  const match = /^ {0,3}(?:(\$\$)(?!\$)|\\\[)(.*)$/.exec(line);
  if (!match) return null;
  const [, dollars, source = ''] = match;
  const close = dollars === undefined ? '\\]' : '$$';
  if (source.includes(close)) return null;
  // A process ID in a shell is `$$` too, and an escaped bracket is `\[`.
  if (source.trim() !== '' && !/[\\=^_{+<>]/.test(source)) return null;
  return { close, source };
}
