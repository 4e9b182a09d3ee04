/** A paragraph, heading, rule, HTML block or link definition, which `marked` lexes as a whole. */

/** A paragraph, heading, rule, HTML block or link definition, which `marked` lexes as a whole. */
export type LeafBlock = {
  kind: 'leaf';
  raw: string;
  /** Kept apart, because searching a growing text takes longer with each line. */
  lastLine: string;
};

export type CodeBlock = {
  kind: 'code';
  /** The fence that opened the block; null for indented code. */
  fence: { marker: string; indent: number } | null;
  info: string;
  lines: Grouped<string>;
  /** Blank lines in indented code, each with its line break; kept only if more code follows. */
  blankLines: string;
  closed: boolean;
};

export type ListBlock = {
  kind: 'list';
  /** The bullet, or the `.` or `)` after a number. A different marker starts a new list. */
  marker: string;
  ordered: boolean;
  start: number;
  /** The Markdown source of finished items, without indentation. */
  items: Grouped<string>;
  current: string;
  contentIndent: number;
  afterBlank: boolean;
  loose: boolean;
  /** The open block at the end of the current item. */
  inner: Block | null;
};

export type TableBlock = { kind: 'table'; head: string; rows: Grouped<string> };

export type QuoteBlock = { kind: 'quote'; text: string; inner: Block | null };

export type FootnoteBlock = {
  kind: 'footnote';
  label: string;
  /** The Markdown source of the note, without indentation. */
  text: string;
  inner: Block | null;
};

/** Displayed mathematics over several lines. */
export type MathBlock = { kind: 'math'; close: '$$' | '\\]'; source: string };

export type Block =
  | LeafBlock
  | MathBlock
  | CodeBlock
  | ListBlock
  | TableBlock
  | QuoteBlock
  | FootnoteBlock;

/** The number of items in each memoized group. */
export const GROUP = { blocks: 16, codeLines: 40, items: 16, rows: 24 } as const;

/** Deeper lists and quotes render as plain source, to prevent unbounded recursion. */
export const MAX_DEPTH = 16;

export function joinCode(block: CodeBlock): string {
  return listGroups(block.lines)
    .map((lines) => lines.join('\n'))
    .join('\n');
}

/**
 * An append-only list split into groups. A full group never changes, so memoized rendering skips
 * it.
 */
export type Grouped<Item> = {
  readonly groups: readonly (readonly Item[])[];
  readonly rest: readonly Item[];
};

export const noItems: Grouped<never> = { groups: [], rest: [] };

export function addItem<Item>(list: Grouped<Item>, item: Item, groupSize: number): Grouped<Item> {
  const rest = [...list.rest, item];
  if (rest.length < groupSize) return { groups: list.groups, rest };
  return { groups: [...list.groups, rest], rest: [] };
}

export function listGroups<Item>(list: Grouped<Item>): readonly (readonly Item[])[] {
  return list.rest.length === 0 ? list.groups : [...list.groups, list.rest];
}

export function countItems<Item>(list: Grouped<Item>, groupSize: number): number {
  return list.groups.length * groupSize + list.rest.length;
}
