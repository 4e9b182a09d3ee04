/** Types from within the page, because the driver may be slower than a list waits for the next letter. */
export async function typeWord(word: string): Promise<void> {
  for (const key of word) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    // Let React render before the next key.
    await Promise.resolve();
  }
}
