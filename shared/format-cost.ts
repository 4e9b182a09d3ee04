/** `$0`, `$0.0012`, `$0.034`, `$12.40`: an estimate in US dollars, two digits of it however small it is. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0';
  const maximumFractionDigits = Math.min(10, Math.max(2, Math.ceil(-Math.log10(dollars)) + 1));
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits })}`;
}
