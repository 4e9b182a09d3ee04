/** Returns null for an empty list, and the lower of the two middle values of an even count. */
export function getMedian(values: readonly number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null;
}
