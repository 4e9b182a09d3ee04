/**
 * Adds one complete line to the blocks so far. Only complete lines decide, and only by what is
 * before them, so the same text gives the same blocks however it was cut on its way here.
 */
import { Lexer } from 'marked';
import { assertNever } from '../../../shared/assert-never.ts';
import {
  addItem,
  type Block,
  type CodeBlock,
  GROUP,
  type Grouped,
  type ListBlock,
  noItems,
} from './block.ts';
import {
  bulletStart,
  closesFence,
  dedent,
  fenceStart,
  indentOf,
  interruptsParagraph,
  isBlank,
  isDelimiterRow,
  isHeading,
  isQuote,
  isRule,
  isSetextUnderline,
} from './line-rules.ts';

/** Both are replaced, never changed in place. */
export type Scan = { blocks: Grouped<Block>; open: Block | null };

export function scanLine(scan: Scan, line: string): void {
  if (scan.open !== null && continueBlock(scan, scan.open, line)) return;
  finishOpen(scan);
  if (!isBlank(line)) startBlock(scan, line);
}

export function finishOpen(scan: Scan): void {
  if (scan.open !== null) finish(scan, scan.open);
}

function finish(scan: Scan, block: Block): true {
  scan.blocks = addItem(scan.blocks, block, GROUP.blocks);
  scan.open = null;
  return true;
}

function keep(scan: Scan, block: Block): true {
  scan.open = block;
  return true;
}

/** False where `line` does not belong to `open`. */
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
        return keep(scan, { ...open, text: `${open.text}${line.replace(/^ {0,3}> ?/, '')}\n` });
      }
      if (isBlank(line) || open.text.endsWith('\n\n') || interruptsParagraph(line)) return false;
      return keep(scan, { ...open, text: `${open.text}${line}\n` });
    case 'leaf':
      return continueParagraph(scan, open.raw, line);
    default:
      return assertNever(open);
  }
}

function continueCode(scan: Scan, open: CodeBlock, line: string): boolean {
  if (open.fence !== null) {
    if (closesFence(line, open.fence.marker)) return finish(scan, { ...open, closed: true });
    return keep(scan, addCode(open, [dedent(line, open.fence.indent)]));
  }
  if (isBlank(line)) return keep(scan, { ...open, blankLines: open.blankLines + 1 });
  if (indentOf(line) < 4) return false;
  const blanks = Array.from({ length: open.blankLines }, () => '');
  return keep(scan, { ...addCode(open, [...blanks, dedent(line, 4)]), blankLines: 0 });
}

function addCode(block: CodeBlock, lines: string[]): CodeBlock {
  const add = (list: Grouped<string>, line: string) => addItem(list, line, GROUP.codeLines);
  return { ...block, lines: lines.reduce(add, block.lines) };
}

function continueList(scan: Scan, open: ListBlock, line: string): boolean {
  if (isBlank(line)) {
    return keep(scan, { ...open, current: `${open.current}\n`, afterBlank: true });
  }
  const loose = open.loose || open.afterBlank;
  if (indentOf(line) >= open.contentIndent) {
    const current = `${open.current}${dedent(line, open.contentIndent)}\n`;
    return keep(scan, { ...open, current, afterBlank: false, loose });
  }
  const bullet = isRule(line) ? null : bulletStart(line);
  if (bullet !== null && bullet.marker === open.marker && bullet.ordered === open.ordered) {
    return keep(scan, {
      ...open,
      items: addItem(open.items, open.current, GROUP.items),
      current: `${bullet.content}\n`,
      contentIndent: bullet.contentIndent,
      afterBlank: false,
      loose,
    });
  }
  if (open.afterBlank || bullet !== null || interruptsParagraph(line)) return false;
  return keep(scan, { ...open, current: `${open.current}${line.trimStart()}\n` });
}

function continueParagraph(scan: Scan, raw: string, line: string): boolean {
  if (isBlank(line)) return false;
  const lastBreak = raw.lastIndexOf('\n', raw.length - 2);
  const lastLine = raw.slice(lastBreak + 1);
  if (isDelimiterRow(line) && Lexer.lex(lastLine + line)[0]?.type === 'table') {
    if (lastBreak >= 0) finish(scan, { kind: 'leaf', raw: raw.slice(0, lastBreak + 1) });
    return keep(scan, { kind: 'table', head: `${lastLine}${line}\n`, rows: noItems });
  }
  if (isSetextUnderline(line)) return finish(scan, { kind: 'leaf', raw: `${raw}${line}\n` });
  if (interruptsParagraph(line)) return false;
  return keep(scan, { kind: 'leaf', raw: `${raw}${line}\n` });
}

function startBlock(scan: Scan, line: string): void {
  const fence = fenceStart(line);
  const code = { kind: 'code', lines: noItems, blankLines: 0, closed: false } as const;
  if (fence !== null) {
    const { marker, indent, info } = fence;
    scan.open = { ...code, fence: { marker, indent }, info };
  } else if (indentOf(line) >= 4) {
    scan.open = addCode({ ...code, fence: null, info: '' }, [dedent(line, 4)]);
  } else if (isHeading(line) || isRule(line)) {
    finish(scan, { kind: 'leaf', raw: `${line}\n` });
  } else if (isQuote(line)) {
    scan.open = { kind: 'quote', text: `${line.replace(/^ {0,3}> ?/, '')}\n` };
  } else {
    const bullet = bulletStart(line);
    scan.open =
      bullet === null
        ? { kind: 'leaf', raw: `${line}\n` }
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
          };
  }
}
