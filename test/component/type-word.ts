/**
 * Types into what has the focus, from within the page: between two keys of the driver may pass more time than a list
 * waits for the next letter of a word.
 */
export async function typeWord(word: string): Promise<void> {
  for (const key of word) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    // React has rendered what it changed before the next.
    await Promise.resolve();
  }
}
