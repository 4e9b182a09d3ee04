/** The start of a text as lists show it. */

const LENGTH = 120;

/** One line of at most 120 characters; an ellipsis says that there is more. */
export function previewLine(text: string): string {
  // A long prompt is cut before it is looked at; whitespace in it costs at most some of the line.
  const line = text
    .slice(0, LENGTH * 8)
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > LENGTH ? `${characters.slice(0, LENGTH - 1).join('')}…` : line;
}
