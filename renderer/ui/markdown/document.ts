/** Splits growing Markdown text into blocks, scanning only the lines added since the last call. */
import { Lexer } from 'marked';
import { copyString } from '../../../shared/copy-string.ts';
import { type Block, type FootnoteBlock, type Grouped, noItems } from './block.ts';
import { finishOpen, getInnermostBlock, type Scan, scanLine } from './scan-line.ts';

/** Link reference definitions (`[name]: https://…`) can come after the text that uses them. */
export type Definitions = Readonly<Record<string, { href: string; title: string | null }>>;
export const noDefinitions: Definitions = {};

/** The labels of footnotes in the order of the text. */
export type FootnoteLabels = {
  readonly referenced: readonly string[];
  readonly defined: readonly string[];
};

type MarkdownDocument = {
  readonly scannedText: string;
  readonly blocks: Grouped<Block>;
  readonly open: Block | null;
  readonly footnotes: readonly FootnoteBlock[];
  readonly definitions: Definitions;
  readonly labels: FootnoteLabels;
};

type ShownDocument = {
  blocks: Grouped<Block>;
  /** The last block if more lines can extend it, or null. */
  open: Block | null;
  footnotes: readonly FootnoteBlock[];
  definitions: Definitions;
  labels: FootnoteLabels;
};

export const emptyDocument: MarkdownDocument = {
  scannedText: '',
  blocks: noItems,
  open: null,
  footnotes: [],
  definitions: noDefinitions,
  labels: { referenced: [], defined: [] },
};

/** Scans lines completed since `document`; starts over if `text` doesn't continue it. */
export function appendText(document: MarkdownDocument, text: string): MarkdownDocument {
  const end = text.lastIndexOf('\n') + 1;
  const from = begins(text, document.scannedText) ? document : emptyDocument;
  if (end === from.scannedText.length) return from;
  const scan = startScan(from);
  // Copy the lines so that blocks don't keep the whole text in memory.
  const lines = copyString(text.slice(from.scannedText.length, end - 1)).split('\n');
  let { definitions, labels } = from;
  for (const line of lines) {
    scanLine(scan, withoutReturn(line));
    definitions = addDefinitions(definitions, line);
    labels = addLabels(labels, scan.open, line);
  }
  const { blocks, open, footnotes } = scan;
  return { scannedText: text.slice(0, end), blocks, open, footnotes, definitions, labels };
}

function startScan({ blocks, open, footnotes }: MarkdownDocument) {
  return { blocks, open, footnotes } satisfies Scan;
}

/** Compares slices because `startsWith` was slower and took half the time of an update. */
function begins(text: string, start: string): boolean {
  return text.slice(0, start.length) === start;
}

/** Returns the blocks of `text`, including its last, incomplete line; hides partial markers. */
export function show(document: MarkdownDocument, text: string, streaming: boolean): ShownDocument {
  const scan = startScan(document);
  const lastLine = withoutReturn(text.slice(document.scannedText.length));
  const waits = streaming && isBareMarker(document.open, lastLine);
  const hasLine = lastLine !== '' && !waits;
  if (hasLine) scanLine(scan, lastLine);
  let { definitions, labels } = document;
  if (hasLine) {
    definitions = addDefinitions(definitions, lastLine);
    labels = addLabels(labels, scan.open, lastLine);
  }
  if (!streaming) finishOpen(scan);
  return { ...scan, definitions, labels };
}

/** Returns the same object if the line defines nothing new. The first definition of a name wins. */
function addDefinitions(definitions: Definitions, line: string): Definitions {
  if (!/^[ \t>]*\[(?!\^)[^\]]+\]:/.test(line)) return definitions;
  const token = Lexer.lex(line.replace(/^[ \t>]+/, ''))[0];
  if (token?.type !== 'def' || Object.hasOwn(definitions, token.tag)) return definitions;
  return { ...definitions, [token.tag]: { href: token.href, title: token.title ?? null } };
}

/** Returns the same object if the line has no new labels; `open` is the block it belongs to. */
function addLabels(labels: FootnoteLabels, open: Block | null, line: string): FootnoteLabels {
  if (!line.includes('[^') || getInnermostBlock(open)?.kind === 'code') return labels;
  const [definition = '', label] = /^[ \t>]*\[\^([^\s[\]]+)\]:/.exec(line) ?? [];
  const text = line.slice(definition.length).replace(/(`+)[^`]+\1/g, '');
  const found = [...text.matchAll(/\[\^([^\s[\]]+)\]/g)].map(([, name = '']) => name);
  const referenced = addNew(labels.referenced, found);
  const defined = label === undefined ? labels.defined : addNew(labels.defined, [label]);
  const isSame = referenced === labels.referenced && defined === labels.defined;
  return isSame ? labels : { referenced, defined };
}

function addNew(known: readonly string[], labels: readonly string[]): readonly string[] {
  const added = new Set(labels.filter((label) => !known.includes(label)));
  return added.size === 0 ? known : [...known, ...added];
}

/** Numbers the defined notes in the order of their first references; unused ones come last. */
export function numberFootnotes({ referenced, defined }: FootnoteLabels): Map<string, number> {
  const known = new Set(defined);
  const used = referenced.filter((label) => known.has(label));
  return new Map([...new Set([...used, ...defined])].map((label, index) => [label, index + 1]));
}

const BARE_MARKER =
  /^[ \t]*(?:#{1,6}|[-*+_]+|\d{1,9}[.)]?|[-*+] ?\[[ xX]?\]?|>|`{1,3}|`{3,}[^`\n]*|~+[^~\n]*|\||=+|\|[-:| ]*|\[\^[^\s[\]]*(?:\]:?)?|\$\$?|\\\[?)[ \t]*$/;

function isBareMarker(open: Block | null, line: string): boolean {
  const fence = open?.kind === 'code' ? open.fence : null;
  if (fence === null) return BARE_MARKER.test(line);
  return line.trim() !== '' && fence.marker.startsWith(line.trim());
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
