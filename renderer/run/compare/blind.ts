/** A blind look: names hidden, order shuffled, one pick for each row. Pure. */
import type { Cell, Comparison } from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import type { CompareColumn } from './compare-panel.ts';
import { sentVariants } from './sent-variants.ts';
import { variantNames } from './variant-names.ts';

export const tie = 'tie';

/** The variants as they are shown, hidden ones under letters. */
export function getColumns(
  { variants }: Pick<Comparison, 'variants'>,
  { blind }: ComparisonNotes,
): CompareColumn[] {
  const isHidden = blind?.isHidden ?? false;
  const place = (id: string) => {
    const at = blind?.order.indexOf(id) ?? -1;
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  };
  const ordered =
    blind === null
      ? variants
      : variants.toSorted((one, other) => compare(place(one.id), place(other.id)));
  const names = variantNames(variants);
  return ordered.map((variant, at) => {
    const letter = getLetter(at);
    const { name, title } = names.get(variant.id) ?? { name: letter, title: letter };
    return isHidden
      ? { variant, name: letter, title: letter, isHidden }
      : { variant, name, title, isHidden };
  });
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** A, B … Z, AA. */
function getLetter(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${getLetter(Math.floor(at / 26) - 1)}${letter}`;
}

/** Fisher and Yates; `random` is below 1. */
export function shuffle<Item>(items: readonly Item[], random: () => number = Math.random): Item[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [mixed[at], mixed[other]];
    if (one === undefined || two === undefined) continue;
    mixed[at] = two;
    mixed[other] = one;
  }
  return mixed;
}

export function pickPlace({ rowId, repeat }: { rowId: string; repeat: number }): string {
  return `${rowId}/${repeat}`;
}

/** How often each was picked with the settings that it had then, ties last; empty if nothing was. */
export function tally(
  comparison: Comparison,
  columns: readonly CompareColumn[],
  cells: readonly Cell[],
  { blind }: ComparisonNotes,
): { name: string; picks: number }[] {
  const picks = blind?.picks ?? {};
  if (Object.keys(picks).length === 0) return [];
  const isPicked = (cell: Cell) => picks[pickPlace(cell)] === cell.variantId;
  const lines = sentVariants(comparison, columns, cells).flatMap(
    ({ title, isEarlier, cells: own }) => {
      const count = own.filter(isPicked).length;
      // Earlier settings only where they were picked.
      return isEarlier && count === 0 ? [] : [{ name: title, picks: count }];
    },
  );
  const ties = Object.values(picks).filter((pick) => pick === tie).length;
  return [...lines, { name: 'Tie', picks: ties }];
}
