/**
 * Replaces the variants of a plan without changing sent rows. Has no I/O, so page tests can use it.
 */
import {
  type Cell,
  type ComparedVariant,
  type ComparisonPlan,
  isSameRequest,
} from '../../shared/comparison.ts';

type Variants = Pick<ComparisonPlan, 'rows' | 'variants'>;

/** Replaces variants by ID and renames them in every row. */
export function replaceVariants(
  plan: Variants,
  variants: readonly ComparedVariant[],
  cells: readonly Pick<Cell, 'rowId' | 'variantId'>[],
): Variants {
  const newest = new Map(variants.map((variant) => [variant.id, variant]));
  const renameVariant = (variant: ComparedVariant) => ({
    ...variant,
    name: newest.get(variant.id)?.name ?? variant.name,
  });
  const changed = plan.variants.filter((before) => {
    const after = newest.get(before.id);
    return after !== undefined && !isSameRequest(before, after);
  });
  const sent = new Set(cells.map(({ rowId, variantId }) => `${rowId} ${variantId}`));
  return {
    rows: plan.rows.map((row) => {
      const own = new Set(row.variants.map(({ id }) => id));
      const kept = changed.filter(({ id }) => sent.has(`${row.id} ${id}`) && !own.has(id));
      return { ...row, variants: [...row.variants, ...kept].map(renameVariant) };
    }),
    variants: orderVariants(plan.variants, variants),
  };
}

/** Keeps the positions of omitted variants. */
function orderVariants(
  before: readonly ComparedVariant[],
  after: readonly ComparedVariant[],
): ComparedVariant[] {
  const [known, given] = [before, after].map((all) => new Set(all.map(({ id }) => id)));
  if (before.every(({ id }) => given?.has(id))) return [...after];
  const kept = after.filter(({ id }) => known?.has(id));
  return [
    ...before.map((variant) => (given?.has(variant.id) ? (kept.shift() ?? variant) : variant)),
    ...after.filter(({ id }) => !known?.has(id)),
  ];
}
