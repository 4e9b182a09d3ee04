/** How a medium is named: by the page, and by a request where the wire wants its bytes. */

/** Where a page reads a medium, in both hosts. */
export function mediaUrl(id: string): string {
  return `/media/${id}`;
}

/** The same as a file to save under its name. */
export function mediaDownloadUrl(id: string): string {
  return `/media/${id}?download`;
}

/** Main puts base64 or a data URL there while it builds the body; page and ledger hold neither. */
export function mediaReference(id: string): string {
  return `media:${id}`;
}

/** The id, or null where the text is no reference. */
export function referencedMedia(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}

const REFERENCE = /^media:([A-Za-z0-9_-]{16,64})$/;
