/** Distinguishes text from other bytes: for replies of a gateway and for files. */

/**
 * What no text holds: the “binary data bytes” of https://mimesniff.spec.whatwg.org/#binary-data-byte. Escape is none of
 * them: terminals print their colors with it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** The text that these first bytes are, in UTF-8, as far as it goes: the end may fall inside a character. Null for bytes. */
export function decodeText(opening: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(opening, { stream: true });
    return BINARY.test(text) ? null : text;
  } catch {
    return null;
  }
}
