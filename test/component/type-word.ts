/** Types within the page and at one time, because the driver could exceed the list's limit between letters. */
export async function typeWord(word: string): Promise<void> {
  let timeStamp: number | null = null;
  for (const key of word) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    timeStamp ??= event.timeStamp;
    Object.defineProperty(event, 'timeStamp', { value: timeStamp });
    document.activeElement?.dispatchEvent(event);
    // Let React render before the next key.
    await Promise.resolve();
  }
}
