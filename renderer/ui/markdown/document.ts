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
  const names = collectNames(from);
  for (const line of lines) {
    scanLine(scan, withoutReturn(line));
    names.add(scan.open, line);
  }
  return { ...scan, ...names.finish(), scannedText: text.slice(0, end) };
}

function startScan({ blocks, open, footnotes }: MarkdownDocument) {
  return { blocks, open, footnotes: [...footnotes] } satisfies Scan;
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
  const names = collectNames(document);
  if (hasLine) names.add(scan.open, lastLine);
  if (!streaming) finishOpen(scan);
  return { ...scan, ...names.finish() };
}

interface Names {
  definitions: Map<string, Definitions[string]>;
  referenced: Set<string>;
  defined: Set<string>;
}

type NamedParts = Pick<MarkdownDocument, 'definitions' | 'labels'>;

/** Copies the names once, and only if a line has some: a copy for each line would take long. */
function collectNames(before: NamedParts) {
  let names: Names | null = null;
  return {
    /** Adds the names in a line of the block `open`. */
    add(open: Block | null, line: string): void {
      if (!/\[\^|\]:/.test(line)) return;
      names ??= {
        definitions: new Map(Object.entries(before.definitions)),
        referenced: new Set(before.labels.referenced),
        defined: new Set(before.labels.defined),
      };
      addNames(names, open, line);
    },
    /** Keeps the objects without new names, so that what depends on them isn't rendered again. */
    finish(): NamedParts {
      const { definitions, labels } = before;
      return names === null ? { definitions, labels } : joinNames(names, before);
    },
  };
}

function joinNames({ definitions, referenced, defined }: Names, before: NamedParts): NamedParts {
  const { labels } = before;
  const isSame =
    referenced.size === labels.referenced.length && defined.size === labels.defined.length;
  return {
    definitions:
      definitions.size === Object.keys(before.definitions).length
        ? before.definitions
        : Object.fromEntries(definitions),
    labels: isSame ? labels : { referenced: [...referenced], defined: [...defined] },
  };
}

function addNames(names: Names, open: Block | null, line: string): void {
  addDefinition(names, line);
  if (!line.includes('[^') || getInnermostBlock(open)?.kind === 'code') return;
  const [definition = '', label] = /^[ \t>]*\[\^([^\s[\]]+)\]:/.exec(line) ?? [];
  const text = line.slice(definition.length).replace(/(`+)[^`]+\1/g, '');
  for (const [, name = ''] of text.matchAll(/\[\^([^\s[\]]+)\]/g)) names.referenced.add(name);
  if (label !== undefined) names.defined.add(label);
}

/** The first definition of a name wins. */
function addDefinition({ definitions }: Names, line: string): void {
  if (!/^[ \t>]*\[(?!\^)[^\]]+\]:/.test(line)) return;
  const token = Lexer.lex(line.replace(/^[ \t>]+/, ''))[0];
  if (token?.type !== 'def' || definitions.has(token.tag)) return;
  definitions.set(token.tag, { href: token.href, title: token.title ?? null });
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
