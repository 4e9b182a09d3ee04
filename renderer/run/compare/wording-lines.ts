/** One per line, each once; blank lines are none. */
export function wordingLines(wordings: string): string[] {
  const lines = wordings.split(/\r\n|[\r\n]/).map((line) => line.trim());
  return [...new Set(lines)].filter((line) => line !== '');
}
