/** The settings that a cell is sent with: its row's own where its variant was changed after that row, or else the plan's. */
import type { Cell, ComparedVariant, ComparisonPlan } from './comparison.ts';
import { isSameJson } from './json.ts';

/** Undefined if the plan has no such variant. */
export function variantOfCell(
  { rows, variants }: Pick<ComparisonPlan, 'rows' | 'variants'>,
  { rowId, variantId }: Pick<Cell, 'rowId' | 'variantId'>,
): ComparedVariant | undefined {
  const isAsked = ({ id }: ComparedVariant) => id === variantId;
  return rows.find(({ id }) => id === rowId)?.variants.find(isAsked) ?? variants.find(isAsked);
}

/** Whether both send the same, whatever they are called. */
export function isSameRequest(one: ComparedVariant, other: ComparedVariant): boolean {
  return one === other || isSameJson(getSent(one), getSent(other));
}

function getSent({ connectionId, request, extraBody, wireNames }: ComparedVariant) {
  return { connectionId, request, extraBody, wireNames };
}
