/** What a markdown text is cut into: blocks that, once finished, never change again. */
import { allGroups, type Grouped } from './grouped.ts';

/** A paragraph, heading, rule, HTML or link definitions: `marked` lexes it as a whole. */
export type LeafBlock = { kind: 'leaf'; raw: string };

export type CodeBlock = {
  kind: 'code';
  /** Null for code by indentation. */
  fence: { marker: string; indent: number } | null;
  info: string;
  lines: Grouped<string>;
  /** Blank lines that only count if more code follows (code by indentation). */
  blankLines: number;
  closed: boolean;
};

export type ListBlock = {
  kind: 'list';
  /** The bullet itself, or `.` or `)` after a number: another one starts another list. */
  marker: string;
  ordered: boolean;
  start: number;
  /** The finished items' own markdown, without indentation. */
  items: Grouped<string>;
  current: string;
  contentIndent: number;
  afterBlank: boolean;
  loose: boolean;
};

export type TableBlock = { kind: 'table'; head: string; rows: Grouped<string> };

export type QuoteBlock = { kind: 'quote'; text: string };

export type Block = LeafBlock | CodeBlock | ListBlock | TableBlock | QuoteBlock;

/** How many of each make one memoised group. */
export const GROUP = { blocks: 16, codeLines: 40, items: 16, rows: 24 } as const;

/** The whole text of a code block. */
export function codeText(block: CodeBlock): string {
  return allGroups(block.lines)
    .map((lines) => lines.join('\n'))
    .join('\n');
}
