/** One per line, each once; blank lines are none. */
export function promptLines(morePrompts: string): string[] {
  const lines = morePrompts.split(/\r\n|[\r\n]/).map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== '');
}
