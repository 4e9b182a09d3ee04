/** Writes CSV. */

/** Quotes values that contain any separator, because some readers guess the separator. */
export function formatCsvRow(values: readonly (string | number | null)[]): string {
  return values.map((value) => quoteCsv(value === null ? '' : String(value))).join(',');
}

function quoteCsv(value: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/**
 * Makes a spreadsheet show the text instead of computing a formula.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export function escapeFormula(text: string): string {
  return /^[\s\0\uFEFF]*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
}
