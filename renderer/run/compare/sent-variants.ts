/** A column as it is sent now, and as it was sent before the user changed it. Pure. */
import type { Cell, ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import { isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { isSameRequest, variantOfCell } from '../../../shared/variant-of-cell.ts';
import { shortValue, truncate } from '../form/changed-fields.ts';
import type { CompareColumn } from './compare-panel.ts';
import { ownName, type VariantName } from './variant-names.ts';
import { describeExtra, describeRename } from './variant-words.ts';

interface SentVariant extends VariantName {
  /** The variant's, for those that were sent before with a number behind it. */
  id: string;
  /** Sent otherwise than the column is now. */
  isEarlier: boolean;
  /** Empty while names are hidden. */
  differences: readonly string[];
  cells: readonly Cell[];
}

/**
 * Column by column, the newest settings first, then the earlier ones in the order of their cells; all of a column in one
 * while names are hidden. No two have the same name: an earlier one that is called as another is has a number behind it.
 */
export function sentVariants(
  comparison: Comparison,
  columns: readonly CompareColumn[],
  cells: readonly Cell[],
): SentVariant[] {
  const sent = columns.flatMap((column) => sentOfColumn(comparison, column, cells));
  const getWords = ({ name, differences }: SentVariant) => JSON.stringify([name, differences]);
  const taken = new Set<string>();
  for (const one of sent) {
    if (!one.isEarlier) taken.add(one.title).add(getWords(one));
  }
  return sent.map((one) => {
    if (!one.isEarlier) return one;
    let own = one;
    for (let at = 2; taken.has(own.title) || taken.has(getWords(own)); at += 1) {
      const name = `${one.name} (${at})`;
      own = { ...one, name, title: [name, ...one.differences].join(' · ') };
    }
    taken.add(own.title).add(getWords(own));
    return own;
  });
}

function sentOfColumn(
  comparison: Comparison,
  { variant: newest, name, title, isHidden }: CompareColumn,
  cells: readonly Cell[],
): SentVariant[] {
  const own = cells.filter(({ variantId }) => variantId === newest.id);
  const { id } = newest;
  const now = { id, name, title, isEarlier: false };
  if (isHidden) return [{ ...now, differences: [], cells: own }];
  const sent = own.map((cell) => ({ cell, variant: variantOfCell(comparison, cell) ?? newest }));
  const same = sent.filter(({ variant }) => isSameRequest(variant, newest));
  const before: { variant: ComparedVariant; cells: Cell[] }[] = [];
  for (const { cell, variant } of sent) {
    if (isSameRequest(variant, newest)) continue;
    const known = before.find((one) => isSameRequest(one.variant, variant));
    if (known === undefined) before.push({ variant, cells: [cell] });
    else known.cells.push(cell);
  }
  return [
    { ...now, differences: newest.differences, cells: same.map(({ cell }) => cell) },
    ...before.map(({ variant, cells }, at) => {
      const model = String(variant.request.model);
      const isNamed = variant.name !== '' && model !== String(newest.request.model);
      const connectionName = cells.find(({ run }) => run !== null)?.run?.connectionName ?? null;
      const differences = [
        ...(isNamed ? [model] : []),
        ...previousSettings(variant, newest, connectionName),
      ];
      const before = ownName(variant);
      return {
        ...{ id: `${id} ${at + 1}`, name: before, title: [before, ...differences].join(' · ') },
        ...{ isEarlier: true, differences, cells },
      };
    }),
  ];
}

/** In which it differed from its form or differs from how it is sent now; the model is not named here. */
export function previousSettings(
  before: ComparedVariant,
  now: ComparedVariant,
  connectionName: string | null,
): string[] {
  const isElsewhere = connectionName !== null && before.connectionId !== now.connectionId;
  const words = [
    ...(isElsewhere ? [connectionName] : []),
    ...before.differences,
    ...describeField(before.request, now.request),
    ...describeExtra(now.extraBody, before.extraBody),
    ...describeRename(now.wireNames, before.wireNames).map(({ label }) => label),
  ];
  return [...new Set(words)];
}

function describeField(before: JsonObject, now: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  names.delete('model');
  return [...names]
    .filter((name) => !isSameJson(before[name], now[name]))
    .map((name) => `${name} ${formatValue(before[name])}`);
}

function formatValue(value: JsonValue | undefined): string {
  return value === undefined ? 'not sent' : truncate(shortValue(value));
}
