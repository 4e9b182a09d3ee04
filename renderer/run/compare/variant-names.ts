/** What the variants of a comparison are called: no two the same. Pure. */
import type { ComparedVariant } from '../../../shared/comparison.ts';

export interface VariantName {
  /** The user's own or its model, beside its differences; numbered where those are another's, too: `demo-chat (2)`. */
  name: string;
  /** Where its differences are not in sight: `demo-chat · temperature 0.2`. */
  title: string;
}

/** By ID. */
export function variantNames(
  variants: readonly ComparedVariant[],
): ReadonlyMap<string, VariantName> {
  const alike = Map.groupBy(variants, (variant) =>
    JSON.stringify([ownName(variant), variant.differences]),
  );
  const numbered = [...alike.values()].flatMap((group) =>
    group.map((variant, at) => {
      const name = ownName(variant);
      return { variant, name: group.length === 1 ? name : `${name} (${at + 1})` };
    }),
  );
  const named = numbered.map(({ variant, name }) => {
    const [first] = variant.differences;
    const title = variant.name !== '' || first === undefined ? name : `${name} · ${first}`;
    return { variant, name, title };
  });
  const byTitle = Map.groupBy(named, ({ title }) => title);
  return new Map(
    named.map(({ variant, name, title }) => [
      variant.id,
      byTitle.get(title)?.length === 1
        ? { name, title }
        : { name, title: [name, ...variant.differences].join(' · ') },
    ]),
  );
}

/** The user's own name, or its model. */
export function ownName({ name, request }: ComparedVariant): string {
  return name === '' ? String(request.model) : name;
}
