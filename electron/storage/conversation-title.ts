/** What a conversation is called until the user names it. */

export const UNTITLED = 'New conversation';
const MOST_CHARACTERS = 60;

/** The first line of the first user message that has one, without its Markdown, cut at a word. */
export function titleFrom(text: string): string {
  const line =
    text
      .split('\n')
      .map((part) => withoutMarkdown(part).replaceAll(/\s+/g, ' ').trim())
      .find((part) => part !== '') ?? '';
  if (line === '') return UNTITLED;
  const characters = Array.from(line);
  if (characters.length <= MOST_CHARACTERS) return line;
  const cut = characters.slice(0, MOST_CHARACTERS - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut}…`;
}

/** The line as it reads: no heading, list or quote marks, no fences, emphasis or link targets. */
function withoutMarkdown(line: string): string {
  return line
    .replace(/^\s*(?:```|~~~).*$/, '')
    .replace(/^\s*(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+)+/, '')
    .replace(/^\s*(?:[-*_]\s*){3,}$/, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/`+([^`]+)`+/g, '$1');
}
