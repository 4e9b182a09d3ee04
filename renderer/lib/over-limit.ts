/**
 * Returns `35,000 characters over the 1,000,000 limit.`, or null if the text is within the limit.
 */
export function overLimit(length: number, limit: number): string | null {
  const over = length - limit;
  if (over <= 0) return null;
  const characters = over === 1 ? '1 character' : `${over.toLocaleString('en')} characters`;
  return `${characters} over the ${limit.toLocaleString('en')} limit.`;
}
