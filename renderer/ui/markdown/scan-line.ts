/**
 * Adds complete lines to the blocks. How the text is split into chunks doesn't affect the result.
 */
import { Lexer } from 'marked';
import { assertNever } from '../../../shared/assert-never.ts';
import {
  addItem,
  type Block,
  type CodeBlock,
  type FootnoteBlock,
  GROUP,
  type Grouped,
  type LeafBlock,
  type ListBlock,
  MAX_DEPTH,
  type MathBlock,
  noItems,
  type QuoteBlock,
} from './block.ts';
import {
  closesFence,
  dedent,
  getIndent,
  indentLazyLine,
  interruptsParagraph,
  isBlank,
  isDelimiterRow,
  isHeading,
  isQuote,
  isRule,
  isSetextUnderline,
  readBulletStart,
  readFenceStart,
  readFootnoteStart,
  stripQuoteMarker,
} from './line-rules.ts';
import { readMathStart } from './math-rules.ts';

/** Treat `blocks` and `open` as immutable: replace them instead of changing them. */
export type Scan = {
  blocks: Grouped<Block>;
  open: Block | null;
  /** Finished notes, which are shown after the blocks; a finished block is added in place. */
  footnotes?: FootnoteBlock[];
  /** The nesting depth in lists and quotes; the default is 0. */
  depth?: number;
};

export function scanLine(scan: Scan, line: string): void {
  if (scan.open !== null && continueBlock(scan, scan.open, line)) return;
  finishOpen(scan);
  if (!isBlank(line)) startBlock(scan, line);
}

export function finishOpen(scan: Scan): void {
  if (scan.open !== null) finish(scan, scan.open);
}

function finish(scan: Scan, block: Block): true {
  if (block.kind === 'footnote') scan.footnotes?.push(block);
  else scan.blocks = addItem(scan.blocks, block, GROUP.blocks);
  scan.open = null;
  return true;
}

function keep(scan: Scan, block: Block): true {
  scan.open = block;
  return true;
}

/** Returns false if the line doesn't belong to `open`. */
function continueBlock(scan: Scan, open: Block, line: string): boolean {
  switch (open.kind) {
    case 'code':
      return continueCode(scan, open, line);
    case 'list':
      return continueList(scan, open, line);
    case 'table':
      if (isBlank(line) || interruptsParagraph(line)) return false;
      return keep(scan, { ...open, rows: addItem(open.rows, line, GROUP.rows) });
    case 'quote':
      if (isQuote(line)) {
        return keep(scan, addQuoted(scan, open, stripQuoteMarker(line)));
      }
      if (!continuesLazily(open, line)) return false;
      return keep(scan, addQuoted(scan, open, indentLazyLine(line)));
    case 'footnote':
      return continueFootnote(scan, open, line);
    case 'math':
      return continueMath(scan, open, line);
    case 'leaf':
      return continueParagraph(scan, open, line);
    default:
      return assertNever(open);
  }
}

function addQuoted(scan: Scan, open: QuoteBlock, line: string): QuoteBlock {
  return { ...open, text: `${open.text}${line}\n`, inner: scanInner(scan, open.inner, line) };
}

/** Text after the closing mark starts a paragraph. */
function continueMath(scan: Scan, open: MathBlock, line: string): true {
  const end = line.indexOf(open.close);
  if (end < 0) return keep(scan, { ...open, source: `${open.source}${line}\n` });
  const rest = line.slice(end + open.close.length).trimStart();
  finish(scan, { ...open, source: open.source + line.slice(0, end) });
  return rest === '' || keep(scan, createLeaf(rest));
}

/**
 * An indented line continues the footnote, even after a blank line. An unindented one continues it
 * only while its paragraph is open.
 */
function continueFootnote(scan: Scan, open: FootnoteBlock, line: string): boolean {
  const add = (added: string) =>
    keep(scan, {
      ...open,
      text: `${open.text}${added}\n`,
      inner: scanInner(scan, open.inner, added),
    });
  if (isBlank(line)) return add('');
  if (getIndent(line) >= 4) return add(dedent(line, 4));
  return continuesLazily(open, line) && add(indentLazyLine(line));
}

/** Returns the container's open block after the line, or null beyond MAX_DEPTH. */
function scanInner({ depth = 0 }: Scan, inner: Block | null, line: string): Block | null {
  if (depth === MAX_DEPTH) return null;
  const scan: Scan = { blocks: noItems, open: inner, depth: depth + 1 };
  scanLine(scan, line);
  return scan.open;
}

/** Returns true if a line without `open`'s markers continues a paragraph inside it. */
function continuesLazily(open: Block, line: string): boolean {
  return endsInParagraph(open) && !isBlank(line) && !interruptsParagraph(line);
}

function endsInParagraph(block: Block | null): boolean {
  return getInnermostBlock(block)?.kind === 'leaf';
}

/** Returns the open block at the deepest nesting. */
export function getInnermostBlock(block: Block | null): Block | null {
  const isContainer =
    block?.kind === 'list' || block?.kind === 'quote' || block?.kind === 'footnote';
  return isContainer ? getInnermostBlock(block.inner) : block;
}

function continueCode(scan: Scan, open: CodeBlock, line: string): boolean {
  if (open.fence !== null) {
    if (closesFence(line, open.fence.marker)) return finish(scan, { ...open, closed: true });
    return keep(scan, addCode(open, [dedent(line, open.fence.indent)]));
  }
  if (isBlank(line)) {
    return keep(scan, { ...open, blankLines: `${open.blankLines}${dedent(line, 4)}\n` });
  }
  if (getIndent(line) < 4) return false;
  const lines = `${open.blankLines}${dedent(line, 4)}`.split('\n');
  return keep(scan, { ...addCode(open, lines), blankLines: '' });
}

function addCode(block: CodeBlock, lines: string[]): CodeBlock {
  const add = (list: Grouped<string>, line: string) => addItem(list, line, GROUP.codeLines);
  return { ...block, lines: lines.reduce(add, block.lines) };
}

function continueList(scan: Scan, open: ListBlock, line: string): boolean {
  if (isBlank(line)) {
    // A list item can begin with at most one blank line.
    const contentIndent = open.current === '\n' ? Number.POSITIVE_INFINITY : open.contentIndent;
    return keep(scan, { ...addLine(scan, open, ''), contentIndent, afterBlank: true });
  }
  const loose = open.loose || open.afterBlank;
  if (getIndent(line) >= open.contentIndent) {
    const added = addLine(scan, open, dedent(line, open.contentIndent));
    return keep(scan, { ...added, afterBlank: false, loose });
  }
  const bullet = isRule(line) ? null : readBulletStart(line);
  if (bullet !== null && bullet.marker === open.marker && bullet.ordered === open.ordered) {
    return keep(scan, {
      ...open,
      items: addItem(open.items, open.current, GROUP.items),
      current: `${bullet.content}\n`,
      contentIndent: bullet.contentIndent,
      afterBlank: false,
      loose,
      inner: scanInner(scan, null, bullet.content),
    });
  }
  if (bullet !== null || !continuesLazily(open, line)) return false;
  return keep(scan, addLine(scan, open, indentLazyLine(line)));
}

function addLine(scan: Scan, open: ListBlock, line: string): ListBlock {
  const inner = scanInner(scan, open.inner, line);
  return { ...open, current: `${open.current}${line}\n`, inner };
}

function createLeaf(line: string, before = ''): LeafBlock {
  return { kind: 'leaf', raw: `${before}${line}\n`, lastLine: line };
}

function continueParagraph(scan: Scan, open: LeafBlock, line: string): boolean {
  if (isBlank(line)) return false;
  const head = `${open.lastLine}\n${line}`;
  if (isDelimiterRow(line) && Lexer.lex(head)[0]?.type === 'table') {
    const before = open.raw.slice(0, open.raw.length - open.lastLine.length - 1);
    if (before !== '') finish(scan, { kind: 'leaf', raw: before, lastLine: '' });
    return keep(scan, { kind: 'table', head: `${head}\n`, rows: noItems });
  }
  if (isSetextUnderline(line)) return finish(scan, createLeaf(line, open.raw));
  return !interruptsParagraph(line) && keep(scan, createLeaf(line, open.raw));
}

function startBlock(scan: Scan, line: string): void {
  const fence = readFenceStart(line);
  const footnote = readFootnoteStart(line);
  const math = readMathStart(line);
  const code = { kind: 'code', lines: noItems, blankLines: '', closed: false } as const;
  if (fence !== null) {
    const { marker, indent, info } = fence;
    scan.open = { ...code, fence: { marker, indent }, info };
  } else if (getIndent(line) >= 4) {
    scan.open = addCode({ ...code, fence: null, info: '' }, [dedent(line, 4)]);
  } else if (isHeading(line) || isRule(line)) {
    finish(scan, createLeaf(line));
  } else if (footnote !== null) {
    const { label, text } = footnote;
    const inner = scanInner(scan, null, text);
    scan.open = { kind: 'footnote', label, text: `${text}\n`, inner };
  } else if (math !== null) {
    scan.open = { kind: 'math', close: math.close, source: `${math.source}\n` };
  } else if (isQuote(line)) {
    scan.open = addQuoted(scan, { kind: 'quote', text: '', inner: null }, stripQuoteMarker(line));
  } else {
    const bullet = readBulletStart(line);
    scan.open =
      bullet === null
        ? createLeaf(line)
        : {
            kind: 'list',
            marker: bullet.marker,
            ordered: bullet.ordered,
            start: bullet.start,
            items: noItems,
            current: `${bullet.content}\n`,
            contentIndent: bullet.contentIndent,
            afterBlank: false,
            loose: false,
            inner: scanInner(scan, null, bullet.content),
          };
  }
}
