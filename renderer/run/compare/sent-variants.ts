/** A column as it is sent now, and as it was sent before the user changed it. Pure. */
import type { Cell, ComparedVariant, Comparison } from '../../../shared/comparison.ts';
import { isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { sendsSame, variantOfCell } from '../../../shared/variant-of-cell.ts';
import { clipped, shortValue } from '../form/changed-fields.ts';
import type { CompareColumn } from './compare-panel.ts';
import { ownName, type VariantName } from './variant-names.ts';
import { extraWords, renameWords } from './variant-words.ts';

interface SentVariant extends VariantName {
  /** The variant's, for those that were sent before with a number behind it. */
  id: string;
  /** Empty while names are hidden. */
  differences: readonly string[];
  cells: readonly Cell[];
}

/** The newest settings first, then the earlier ones in the order of their cells; all in one while names are hidden. */
export function sentVariants(
  comparison: Comparison,
  { variant: newest, name, title, isHidden }: CompareColumn,
  cells: readonly Cell[],
): SentVariant[] {
  const own = cells.filter(({ variantId }) => variantId === newest.id);
  const { id } = newest;
  if (isHidden) return [{ id, name, title, differences: [], cells: own }];
  const sent = own.map((cell) => ({ cell, variant: variantOfCell(comparison, cell) ?? newest }));
  const now = sent.filter(({ variant }) => sendsSame(variant, newest));
  const before: { variant: ComparedVariant; cells: Cell[] }[] = [];
  for (const { cell, variant } of sent) {
    if (sendsSame(variant, newest)) continue;
    const same = before.find((one) => sendsSame(one.variant, variant));
    if (same === undefined) before.push({ variant, cells: [cell] });
    else same.cells.push(cell);
  }
  return [
    { id, name, title, differences: newest.differences, cells: now.map(({ cell }) => cell) },
    ...before.map(({ variant, cells }, at) => {
      const model = String(variant.request.model);
      const isNamed = variant.name !== '' && model !== String(newest.request.model);
      const connectionName = cells.find(({ run }) => run !== null)?.run?.connectionName ?? null;
      const differences = [
        ...(isNamed ? [model] : []),
        ...earlierDifferences(variant, newest, connectionName),
      ];
      const before = ownName(variant);
      return {
        ...{ id: `${id} ${at + 1}`, name: before, title: [before, ...differences].join(' · ') },
        ...{ differences, cells },
      };
    }),
  ];
}

/** In which it differed from its form or differs from how it is sent now; the model is not named here. */
export function earlierDifferences(
  before: ComparedVariant,
  now: ComparedVariant,
  connectionName: string | null,
): string[] {
  const isElsewhere = connectionName !== null && before.connectionId !== now.connectionId;
  const words = [
    ...(isElsewhere ? [connectionName] : []),
    ...before.differences,
    ...fieldWords(before.request, now.request),
    ...extraWords(now.extraBody, before.extraBody),
    ...renameWords(now.wireNames, before.wireNames).map(({ label }) => label),
  ];
  return [...new Set(words)];
}

function fieldWords(before: JsonObject, now: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  names.delete('model');
  return [...names]
    .filter((name) => !isSameJson(before[name], now[name]))
    .map((name) => `${name} ${valueWords(before[name])}`);
}

function valueWords(value: JsonValue | undefined): string {
  return value === undefined ? 'not sent' : clipped(shortValue(value));
}
