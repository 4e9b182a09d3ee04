/** Measured rounds after the warm-up. Use fewer only while writing a benchmark. */
export const rounds = Number(process.env.GATEHOUSE_BENCH_ROUNDS ?? 7);
/** The fewest rounds that may update the table in README.md. */
export const MIN_ROUNDS = 7;

const WARMUPS = 1;

/**
 * Runs each contender once per round in random order, so that other load affects all of them
 * equally. Drops warm-up rounds. A contender that is null has no samples.
 */
export async function interleave<Name extends string, Sample>(
  contenders: Record<Name, (() => Promise<Sample>) | null>,
  count = rounds,
): Promise<Record<Name, Sample[]>> {
  const samples: Partial<Record<Name, Sample[]>> = {};
  for (const name of namesOf(contenders)) samples[name] = [];
  for (let round = -WARMUPS; round < count; round += 1) {
    for (const name of shuffle(namesOf(contenders))) {
      const sample = await contenders[name]?.();
      if (round >= 0 && sample !== undefined) samples[name]?.push(sample);
    }
  }
  return samples as Record<Name, Sample[]>;
}

/** Divides each value by the value of `beside` in the same round. */
export function ratios(values: readonly number[], beside: readonly number[]): number[] {
  return values.map((value, round) => value / (beside[round] ?? Number.NaN));
}

/** Returns the work's duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Returns a percentile of one or more values; `percent` is from 0 to 100. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100));
  return sorted[at] ?? Number.NaN;
}

function namesOf<Name extends string>(record: Record<Name, unknown>): Name[] {
  const names: Name[] = [];
  for (const name in record) names.push(name);
  return names;
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
