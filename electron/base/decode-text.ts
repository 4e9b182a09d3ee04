/** Distinguishes text from binary data. */

/** The bytes of https://mimesniff.spec.whatwg.org/#binary-data-byte except Escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Decodes the start of a UTF-8 text that may be cut at any byte; returns null for binary data. */
export function decodeText(opening: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(opening, { stream: true });
    return BINARY.test(text) ? null : text;
  } catch {
    return null;
  }
}
