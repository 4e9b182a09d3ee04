/** Estimates the cost of a run. */
import type { Rates } from './prices.ts';
import type { Quantities } from './quantities.ts';

const MILLION = 1_000_000;

const estimatedTooltip =
  'Estimated from usage and the prices in Settings. Your gateway may bill differently.';

/** Explains the total cost of several runs. */
export const costTooltip = `${estimatedTooltip} Costs that the gateway reports replace estimates.`;

/** `chargedDollars` is undefined if the cost is only an estimate. */
export function describeCost(chargedDollars: number | undefined): { label: string; help: string } {
  return chargedDollars === undefined
    ? { label: 'Est. cost', help: estimatedTooltip }
    : { label: 'Cost', help: 'Charged by the gateway.' };
}

/**
 * Returns the cost that the gateway reports, or else an estimate, in US dollars; null if unknown.
 */
export function getCost(rates: Rates | null, quantities: Quantities): number | null {
  return quantities.chargedDollars ?? (rates && estimate(rates, quantities));
}

/** Returns US dollars; null if no price applies or a priced quantity is unknown. */
export function estimate(rates: Rates, quantities: Quantities): number | null {
  let dollars: number | null = null;
  for (const { rate, quantity, per } of listPricedLines(rates, quantities)) {
    // A partial sum would look like the total.
    if (quantity === null) return null;
    dollars = (dollars ?? 0) + (rate * quantity) / per;
  }
  return dollars;
}

export interface ExpectedCost {
  dollars: number;
  /** True if the answer will add a cost that isn't known yet. */
  isLeast: boolean;
}

/** Quantities that only the response reveals are null; returns null if no price applies. */
export function estimateCost(rates: Rates, quantities: Quantities): ExpectedCost | null {
  const lines = listPricedLines(rates, quantities);
  if (lines.length === 0) return null;
  return {
    dollars: lines.reduce(
      (sum, { rate, quantity, per }) => sum + (rate * (quantity ?? 0)) / per,
      0,
    ),
    isLeast: lines.some(({ rate, quantity }) => quantity === null && rate > 0),
  };
}

interface PricedLine {
  rate: number;
  quantity: number | null;
  per: number;
}

function listPricedLines(rates: Rates, quantities: Quantities): PricedLine[] {
  const { inputTokens, outputTokens, images, videoSeconds, characters, soundSeconds } = quantities;
  const { inputPerMillionTokens } = rates;
  const writeRate = rates.cacheWritePerMillionTokens ?? inputPerMillionTokens;
  const cached = Math.min(quantities.cachedTokens ?? 0, inputTokens ?? 0);
  const written = Math.min(quantities.cacheWriteTokens ?? 0, (inputTokens ?? 0) - cached);
  const forHour = Math.min(quantities.hourCacheWriteTokens ?? 0, written);
  const lines: [rate: number | null, quantity: number | null | undefined, per: number][] = [
    [inputPerMillionTokens, inputTokens && inputTokens - cached - written, MILLION],
    [rates.cachedInputPerMillionTokens ?? inputPerMillionTokens, inputTokens && cached, MILLION],
    [writeRate, inputTokens && written - forHour, MILLION],
    [rates.hourCacheWritePerMillionTokens ?? writeRate, inputTokens && forHour, MILLION],
    [rates.outputPerMillionTokens, outputTokens, MILLION],
    [rates.perImage, images, 1],
    [rates.perVideoSecond, videoSeconds, 1],
    [rates.perMillionCharacters, characters, MILLION],
    [rates.perSoundMinute, soundSeconds, 60],
  ];
  return lines.flatMap(([rate, quantity, per]) =>
    rate === null || quantity === undefined ? [] : [{ rate, quantity, per }],
  );
}

export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0';
  const maximumFractionDigits = Math.min(10, Math.max(2, Math.ceil(-Math.log10(dollars)) + 1));
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits })}`;
}
