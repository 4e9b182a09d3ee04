/** Removes control characters except line breaks and tabs, and characters that reverse text. */
export function removeControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '');
}
