/**
 * A list that only grows, in groups that never change once full: memoised rendering skips a whole
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
