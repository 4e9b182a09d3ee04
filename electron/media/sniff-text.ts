/** Tells text from bytes, and the kinds of text that gateways send where a file was expected. */

/** What no text file holds: control characters but tab, line ends, form feed and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** The MIME type, or null where the bytes are not text in UTF-8. */
export function sniffText(head: Buffer): string | null {
  if (head.length === 0) return null;
  let text: string;
  try {
    // The end may fall inside a character.
    text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
  if (CONTROL.test(text)) return null;

  const start = text.trimStart().slice(0, 1024).toLowerCase();
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/.test(start)) {
    return 'image/svg+xml';
  }
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body|title|script|h1|p)[\s>]/.test(start)) {
    return 'text/html';
  }
  if (start.startsWith('<?xml')) return 'text/xml';
  if (start.startsWith('webvtt')) return 'text/vtt';
  if (/^(\{\s*("|\}|$)|\[\s*(["{[\]\d-]|true|false|null|$))/.test(start)) return 'application/json';
  return 'text/plain';
}
