/**
 * Returns a copy that shares no memory with `text`. V8 keeps a slice as a pointer into the string it
 * was cut from, so a short piece that is kept would keep a whole version of a growing text alive
 * (https://crbug.com/v8/2869).
 */
export function copyString(text: string): string {
  // Joining makes a new string, and slicing flattens it.
  return ` ${text}`.slice(1);
}
