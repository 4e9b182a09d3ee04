/** `35,000 characters over the 1,000,000 limit.`; null if a text is within it. */
export function overLimit(length: number, limit: number): string | null {
  const over = length - limit;
  if (over <= 0) return null;
  const characters = over === 1 ? '1 character' : `${over.toLocaleString('en')} characters`;
  return `${characters} over the ${limit.toLocaleString('en')} limit.`;
}
