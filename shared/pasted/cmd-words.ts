/** Splits a Windows command prompt script into the words of its commands. */
import type { ShellScript } from './bash-words.ts';
import { PastedTextError } from './pasted-request.ts';

/** Removes the command prompt's escapes, then splits as Windows programs read their arguments. */
export function readCmd(text: string): ShellScript {
  const commands = splitLines(text)
    .map(splitArguments)
    .filter((words) => words.length > 0)
    .map((words) => ({ words, stdin: null, output: null }));
  return { commands, notes: [] };
}

/** A caret escapes the next character outside of quotes, or continues the line. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  let line: string[] = [];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n' || (!isQuoted && (char === '&' || char === '|'))) {
      lines.push(line.join(''));
      line = [];
      isQuoted = false;
    } else if (char === '^' && !isQuoted) {
      at += 1;
      if (text[at] === '\r') at += 1;
      // The first character of a continued line is escaped, even a second line break.
      if (text[at] === '\n') at += text[at + 1] === '\r' ? 2 : 1;
      line.push(text[at] ?? '');
    } else if (char !== '\r') {
      if (char === '"') isQuoted = !isQuoted;
      line.push(char);
    }
  }
  return [...lines, line.join('')];
}

/** https://learn.microsoft.com/en-us/cpp/c-language/parsing-c-command-line-arguments */
function splitArguments(line: string): string[] {
  const words: string[] = [];
  let word: string[] | null = null;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (char === '\\') {
      let end = at;
      while (line[end] === '\\') end += 1;
      const count = end - at;
      word ??= [];
      if (line[end] !== '"') word.push('\\'.repeat(count));
      else {
        word.push('\\'.repeat(Math.floor(count / 2)));
        if (count % 2 === 1) word.push('"');
      }
      // An escaped quote is consumed already; any other character is read next.
      at = line[end] === '"' && count % 2 === 1 ? end : end - 1;
    } else if (char === '"') {
      word ??= [];
      if (isQuoted && line[at + 1] === '"') {
        word.push('"');
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (!isQuoted && /\s/.test(char)) {
      if (word !== null) words.push(word.join(''));
      word = null;
    } else {
      word ??= [];
      word.push(char);
    }
  }
  if (isQuoted) throw new PastedTextError('A double quote isn’t closed.');
  return word === null ? words : [...words, word.join('')];
}
