/** What a conversation is called until the user names it. */

export const UNTITLED = 'New conversation';
const MOST_CHARACTERS = 60;

/** The first line of the first user message that has one, cut at a word. */
export function titleFrom(text: string): string {
  const line =
    text
      .split('\n')
      .map((part) => part.replaceAll(/\s+/g, ' ').trim())
      .find((part) => part !== '') ?? '';
  if (line === '') return UNTITLED;
  const characters = Array.from(line);
  if (characters.length <= MOST_CHARACTERS) return line;
  const cut = characters.slice(0, MOST_CHARACTERS - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut}…`;
}
