/** Splits growing Markdown text into blocks, scanning only the lines added since the last call. */
import { Lexer } from 'marked';
import { copyString } from '../../../shared/copy-string.ts';
import { type Block, type Grouped, noItems } from './block.ts';
import { finishOpen, type Scan, scanLine } from './scan-line.ts';

/** Link reference definitions (`[name]: https://…`) can come after the text that uses them. */
export type Definitions = Readonly<Record<string, { href: string; title: string | null }>>;
export const noDefinitions: Definitions = {};

type MarkdownDocument = {
  readonly scannedText: string;
  readonly blocks: Grouped<Block>;
  readonly open: Block | null;
  readonly definitions: Definitions;
};

type ShownDocument = {
  blocks: Grouped<Block>;
  /** The last block if more lines can extend it, or null. */
  open: Block | null;
  definitions: Definitions;
};

export const emptyDocument: MarkdownDocument = {
  scannedText: '',
  blocks: noItems,
  open: null,
  definitions: noDefinitions,
};

/** Scans lines completed since `document`; starts over if `text` doesn't continue it. */
export function appendText(document: MarkdownDocument, text: string): MarkdownDocument {
  const end = text.lastIndexOf('\n') + 1;
  const from = begins(text, document.scannedText) ? document : emptyDocument;
  if (end === from.scannedText.length) return from;
  const scan: Scan = { blocks: from.blocks, open: from.open };
  // Copy the lines so that blocks don't keep the whole text in memory.
  const lines = copyString(text.slice(from.scannedText.length, end - 1)).split('\n');
  let definitions = from.definitions;
  for (const line of lines) {
    scanLine(scan, withoutReturn(line));
    definitions = addDefinitions(definitions, line);
  }
  return { scannedText: text.slice(0, end), blocks: scan.blocks, open: scan.open, definitions };
}

/** Compares slices because `startsWith` was slower and took half the time of an update. */
function begins(text: string, start: string): boolean {
  return text.slice(0, start.length) === start;
}

/** Returns the blocks of `text`, including its last, incomplete line; hides partial markers. */
export function show(document: MarkdownDocument, text: string, streaming: boolean): ShownDocument {
  const scan: Scan = { blocks: document.blocks, open: document.open };
  const lastLine = withoutReturn(text.slice(document.scannedText.length));
  const waits = streaming && isBareMarker(document.open, lastLine);
  const hasLine = lastLine !== '' && !waits;
  if (hasLine) scanLine(scan, lastLine);
  if (!streaming) finishOpen(scan);
  const definitions = hasLine
    ? addDefinitions(document.definitions, lastLine)
    : document.definitions;
  return { ...scan, definitions };
}

/** Returns the same object if the line defines nothing new. The first definition of a name wins. */
function addDefinitions(definitions: Definitions, line: string): Definitions {
  if (!/^[ \t>]*\[[^\]]+\]:/.test(line)) return definitions;
  const token = Lexer.lex(line.replace(/^[ \t>]+/, ''))[0];
  if (token?.type !== 'def' || Object.hasOwn(definitions, token.tag)) return definitions;
  return { ...definitions, [token.tag]: { href: token.href, title: token.title ?? null } };
}

const BARE_MARKER =
  /^[ \t]*(?:#{1,6}|[-*+_]+|\d{1,9}[.)]?|[-*+] ?\[[ xX]?\]?|>|`{1,3}|`{3,}[^`\n]*|~+[^~\n]*|\||=+|\|[-:| ]*)[ \t]*$/;

function isBareMarker(open: Block | null, line: string): boolean {
  const fence = open?.kind === 'code' ? open.fence : null;
  if (fence === null) return BARE_MARKER.test(line);
  return line.trim() !== '' && fence.marker.startsWith(line.trim());
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
