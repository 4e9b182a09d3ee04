/** What a conversation is called until the user names it. */

export const UNTITLED = 'New conversation';
const MAX_CHARACTERS = 60;
/** A pasted log must not cost more than its beginning: the patterns below are slow on long lines. */
const MAX_LINES = 20;
const MAX_LINE = 400;

/** The first line of the first user message that has one, without its Markdown, cut at a word. */
export function titleFrom(text: string): string {
  const line = firstLine(text);
  if (line === '') return UNTITLED;
  const characters = Array.from(line);
  if (characters.length <= MAX_CHARACTERS) return line;
  const cut = characters.slice(0, MAX_CHARACTERS - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut}…`;
}

/** Empty if the beginning of the text says nothing. */
function firstLine(text: string): string {
  for (const part of text.trimStart().split('\n', MAX_LINES)) {
    const line = withoutMarkdown(part.slice(0, MAX_LINE)).replaceAll(/\s+/g, ' ').trim();
    if (line !== '') return line;
  }
  return '';
}

/** The line as it reads: no heading, list or quote marks, no fences, emphasis or link targets. */
function withoutMarkdown(line: string): string {
  return line
    .replace(/^\s*(?:```|~~~).*$/, '')
    .replace(/^\s*(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+)+/, '')
    .replace(/^\s*(?:[-*_]\s*){3,}$/, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*(?:\)|$)/g, '$1')
    .replaceAll(/(\*\*|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)/g, '$1')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/`+([^`]+)`+/g, '$1');
}
