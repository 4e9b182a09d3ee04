/** A markdown text that grows: what is finished stays, only what was added is scanned. */
import type { Block } from './block.ts';
import { type Grouped, noItems } from './grouped.ts';
import { addDefinitions, type Definitions, noDefinitions } from './link-definitions.ts';
import { finishOpen, type Scan, scanLine } from './scan-line.ts';

export type MarkdownDocument = {
  /** What has been scanned: whole lines only. */
  readonly scannedText: string;
  readonly blocks: Grouped<Block>;
  readonly open: Block | null;
  readonly definitions: Definitions;
};

export type ShownDocument = {
  blocks: Grouped<Block>;
  /** The block that the text ends in. */
  open: Block | null;
  definitions: Definitions;
};

export const emptyDocument: MarkdownDocument = {
  scannedText: '',
  blocks: noItems,
  open: null,
  definitions: noDefinitions,
};

/** Scans the lines that `text` has completed since; starts over where it is another text. */
export function advance(document: MarkdownDocument, text: string): MarkdownDocument {
  const end = text.lastIndexOf('\n') + 1;
  const goesOn = end >= document.scannedText.length && text.startsWith(document.scannedText);
  const from = goesOn ? document : emptyDocument;
  if (end === from.scannedText.length) return from;
  const scan: Scan = { blocks: from.blocks, open: from.open };
  const lines = text.slice(from.scannedText.length, end - 1).split('\n');
  let definitions = from.definitions;
  for (const line of lines) {
    scanLine(scan, withoutReturn(line));
    definitions = addDefinitions(definitions, line);
  }
  return { scannedText: text.slice(0, end), blocks: scan.blocks, open: scan.open, definitions };
}

/**
 * The blocks of the whole `text`, its last, incomplete line included. While it streams, a last line
 * that is nothing but the beginning of a marker (`-`, `##`, a fence) waits for what it will become.
 */
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
