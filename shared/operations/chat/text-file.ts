/** Writes text files into a message as named, fenced blocks, since few models accept file parts. */
import type { Content, ContentPart } from './message.ts';

export interface TextFile {
  name: string;
  text: string;
}

/** Returns the name and the text in a code fence that is longer than any fence inside. */
export function writeTextFile({ name, text }: TextFile): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${toLine(name)}\n${fence}${getLanguage(name)}\n${text}${end}${fence}`;
}

/** Returns null for other text. */
export function readTextFile(part: { type: string; text?: unknown }): TextFile | null {
  if (part.type !== 'text' || typeof part.text !== 'string') return null;
  const [, name, , text] = BLOCK.exec(part.text) ?? [];
  return name === undefined || text === undefined ? null : { name, text };
}

const BLOCK = /^(\S[^\n]{0,254})\n(`{3,})[a-z0-9+#-]*\n([\s\S]*?)\2$/;

/** Sends text and text files as one string, because every gateway accepts strings. */
export function joinTextFiles(content: Content): Content {
  if (typeof content === 'string' || !content.some((part) => readTextFile(part) !== null)) {
    return content;
  }
  const texts = content.map((part) => (isPlain(part) ? part.text : null));
  return texts.every((text) => text !== null) ? texts.join('\n\n') : content;
}

/** A text part with other fields, such as a cache marker, can't be joined. */
function isPlain(part: ContentPart): part is Extract<ContentPart, { type: 'text' }> {
  return part.type === 'text' && Object.keys(part).length === 2;
}

function toLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, 255) || 'file';
}

/** The extension names the language, as highlighters and models expect. */
export function getLanguage(name: string): string {
  return /\.([a-z0-9+#-]{1,16})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
