/** Copies each part of a state at most once while several events are folded. */
import { getJsonKey, type JsonObject, type JsonValue, setField } from '../../json.ts';

/** A gateway can send endless names, items and choices, and each update compares those shown. */
export const MAX_FIELDS = 1000;
export const MAX_ITEMS = 10_000;
/** Applies to lists without duplicates, such as citations. */
export const MAX_UNIQUE_ITEMS = 500;
export const MAX_CHOICES = 1000;

export const TOO_MUCH_WARNING =
  'The response has too many fields, items or choices to show. The inspector has all its events.';

/** Changes only copies that it made itself, so earlier states stay as they are. */
export interface FoldBatch {
  /** Number of output characters that the batch has added. */
  output: number;
  /** Number of objects and lists that the batch has copied. */
  readonly copies: number;
  /** Returns a copy, or the list itself if it is such a copy. */
  editList<Item>(list: Item[]): Item[];
  /** Sets a field of a copy and returns the copy. */
  set(object: JsonObject, name: string, value: JsonValue): JsonObject;
  /** Returns false once the object has `MAX_FIELDS`. */
  hasRoom(object: JsonObject): boolean;
  /** Adds the item to a copy and returns the copy; returns the same list if it has the item. */
  addUnique(list: JsonValue[], item: JsonValue): JsonValue[];
}

export function createFoldBatch(): FoldBatch {
  const owned = new Set<object>();
  /** The number of fields of objects that may grow, because counting them takes as long as a copy. */
  const counts = new Map<object, number>();
  const keys = new Map<object, Set<string>>();

  /** Marks `copy` as owned, and copies the counts and keys recorded for `from`. */
  function own<Value extends object>(from: object, copy: Value): Value {
    owned.add(copy);
    const count = counts.get(from);
    if (count !== undefined) counts.set(copy, count);
    const known = keys.get(from);
    if (known !== undefined) keys.set(copy, known);
    return copy;
  }

  function editList<Item>(list: Item[]): Item[] {
    return owned.has(list) ? list : own(list, [...list]);
  }

  function countFields(object: JsonObject): number {
    const count = counts.get(object) ?? Object.keys(object).length;
    counts.set(object, count);
    return count;
  }

  function getKeys(list: JsonValue[]): Set<string> {
    const known = keys.get(list) ?? new Set(list.map(getJsonKey));
    keys.set(list, known);
    return known;
  }

  return {
    output: 0,
    get copies() {
      return owned.size;
    },
    editList,
    set(object, name, value) {
      const copy = owned.has(object) ? object : own(object, { ...object });
      const count = counts.get(copy);
      if (count !== undefined && !Object.hasOwn(copy, name)) counts.set(copy, count + 1);
      setField(copy, name, value);
      return copy;
    },
    hasRoom: (object) => countFields(object) < MAX_FIELDS,
    addUnique(list, item) {
      const key = getJsonKey(item);
      const known = getKeys(list);
      if (known.has(key)) return list;
      const copy = editList(list);
      copy.push(item);
      known.add(key);
      return copy;
    },
  };
}
