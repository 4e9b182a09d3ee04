/** What forms and edits left in the browser's storage before main kept them; nothing reads it any more. */
const stale =
  /^gatehouse:(chat-draft|chat-parts|chat-tool-results|completion|console|drafts|edit-drafts?|image|panel-runs|rerank|speech|transcription|video)([ :]|$)/;

export function removeStaleStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (stale.test(key)) localStorage.removeItem(key);
    }
  } catch {
    // Storage is blocked for this site: there is nothing.
  }
}
