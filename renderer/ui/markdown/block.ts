/** What a markdown text is cut into: blocks that, once finished, never change again. */

/** A paragraph, heading, rule, HTML or link definitions: `marked` lexes it as a whole. */
type LeafBlock = { kind: 'leaf'; raw: string };

export type CodeBlock = {
  kind: 'code';
  /** Null for code by indentation. */
  fence: { marker: string; indent: number } | null;
  info: string;
  lines: Grouped<string>;
  /** Blank lines that only count if more code follows (code by indentation). */
  blankLines: readonly string[];
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
  /** What the current item ends in. */
  inner: Block | null;
};

export type TableBlock = { kind: 'table'; head: string; rows: Grouped<string> };

/** `inner`: what its text ends in. */
export type QuoteBlock = { kind: 'quote'; text: string; inner: Block | null };

export type Block = LeafBlock | CodeBlock | ListBlock | TableBlock | QuoteBlock;

/** How many of each make one memoized group. */
export const GROUP = { blocks: 4, codeLines: 40, items: 16, rows: 24 } as const;

/** Lists and quotes in each other; deeper than anyone writes. Text beyond it is shown verbatim, so that no input nests without end. */
export const MAX_DEPTH = 16;

/** The whole text of a code block. */
export function codeText(block: CodeBlock): string {
  return allGroups(block.lines)
    .map((lines) => lines.join('\n'))
    .join('\n');
}

/**
 * A list that only grows, in groups that never change once full: memoized rendering skips a whole
 * group by identity, and adding an item copies at most one group.
 */
export type Grouped<Item> = {
  readonly groups: readonly (readonly Item[])[];
  /** The group that is still filling. */
  readonly rest: readonly Item[];
};

export const noItems: Grouped<never> = { groups: [], rest: [] };

export function addItem<Item>(list: Grouped<Item>, item: Item, groupSize: number): Grouped<Item> {
  const rest = [...list.rest, item];
  if (rest.length < groupSize) return { groups: list.groups, rest };
  return { groups: [...list.groups, rest], rest: [] };
}

/** Every group, the filling one last; empty ones left out. */
export function allGroups<Item>(list: Grouped<Item>): readonly (readonly Item[])[] {
  return list.rest.length === 0 ? list.groups : [...list.groups, list.rest];
}

export function countItems<Item>(list: Grouped<Item>, groupSize: number): number {
  return list.groups.length * groupSize + list.rest.length;
}
