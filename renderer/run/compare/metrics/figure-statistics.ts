/** What several repeats of one figure say together, and which of several figures are the best. */

export interface RepeatSummary {
  /** Repeats that have the figure. */
  count: number;
  median: number;
  /** First and third quartile: half of the repeats are between them. */
  lowerQuartile: number;
  upperQuartile: number;
  /** Interquartile range: how far the quartiles are apart. */
  spread: number;
  least: number;
  greatest: number;
}

/** Null if no repeat has the figure. What is null or no finite number is left out. */
export function summarizeRepeats(values: readonly (number | null)[]): RepeatSummary | null {
  const sorted = values.filter(isFigure).sort((one, other) => one - other);
  const [least] = sorted;
  const greatest = sorted.at(-1);
  if (least === undefined || greatest === undefined) return null;
  const lowerQuartile = quantile(sorted, 0.25);
  const upperQuartile = quantile(sorted, 0.75);
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    lowerQuartile,
    upperQuartile,
    spread: upperQuartile - lowerQuartile,
    least,
    greatest,
  };
}

/** Marks the best, all of them where several are equal; what is null or no finite number never is. */
export function markBest(
  values: readonly (number | null)[],
  best: 'least' | 'greatest',
): boolean[] {
  const figures = values.filter(isFigure);
  const pick = best === 'least' ? Math.min : Math.max;
  const value = figures.length === 0 ? null : figures.reduce((one, other) => pick(one, other));
  return values.map((one) => value !== null && one === value);
}

function isFigure(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}

/**
 * Linear between the two values around place (n - 1) p: type 7 of R. J. Hyndman and Y. Fan, “Sample quantiles in
 * statistical packages”, The American Statistician 50(4), 1996 (https://doi.org/10.2307/2684934), the default of R
 * and NumPy and QUARTILE.INC of spreadsheets.
 */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(place)] ?? 0;
  const upper = sorted[Math.ceil(place)] ?? 0;
  return lower + (upper - lower) * (place - Math.floor(place));
}
