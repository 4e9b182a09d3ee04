/** Copies the text, because a V8 slice keeps its whole source alive (https://crbug.com/v8/2869). */
export function copyString(text: string): string {
  // Concatenating creates a new string, and slicing the result flattens it.
  return ` ${text}`.slice(1);
}
