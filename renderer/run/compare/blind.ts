/** A blind look: names hidden, order shuffled, one pick for each row. Pure. */
import type { Comparison } from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import type { CompareColumn } from './compare-panel.ts';
import { variantNames } from './variant-names.ts';

export const tie = 'tie';

/** The variants as they are shown, hidden ones under letters. */
export function columnsOf(
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
    const letter = letterOf(at);
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
function letterOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${letterOf(Math.floor(at / 26) - 1)}${letter}`;
}

/** Fisher and Yates; `random` is below 1. */
export function shuffled<Item>(items: readonly Item[], random: () => number = Math.random): Item[] {
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

/** How often each was picked, ties last; empty where nothing was. */
export function tally(
  columns: readonly CompareColumn[],
  { blind }: ComparisonNotes,
): { name: string; picks: number }[] {
  const picks = Object.values(blind?.picks ?? {});
  if (picks.length === 0) return [];
  const count = (id: string) => picks.filter((pick) => pick === id).length;
  return [
    ...columns.map(({ variant, title }) => ({ name: title, picks: count(variant.id) })),
    { name: 'Tie', picks: count(tie) },
  ];
}
