/**
 * Copies the text, because a V8 slice retains the full source string (https://crbug.com/v8/2869).
 */
export function copyString(text: string): string {
  // Concatenation creates a new string, and slicing flattens the string.
  return ` ${text}`.slice(1);
}
