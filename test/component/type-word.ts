/** Types within the page, because the driver could exceed the list's limit between letters. */
export async function typeWord(word: string): Promise<void> {
  for (const key of word) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    // Let React render before the next key.
    await Promise.resolve();
  }
}
