/** Estimates what a run costs. */
import type { Rates } from './prices.ts';
import type { Quantities } from './quantities.ts';

const MILLION = 1_000_000;

/** The definition in words, for tooltips. */
export const costTooltip =
  'Estimated from usage and your prices in Settings. Your gateway may bill differently.';

/** US dollars; null if no price applies, or something that has a price is not known. */
export function estimate(rates: Rates, quantities: Quantities): number | null {
  let dollars: number | null = null;
  for (const { rate, quantity, per } of pricedLines(rates, quantities)) {
    // A sum without it would look like the whole.
    if (quantity === null) return null;
    dollars = (dollars ?? 0) + (rate * quantity) / per;
  }
  return dollars;
}

/** Estimates the cost of a request before it is sent, in US dollars. */
export interface ExpectedCost {
  dollars: number;
  /** The answer costs more, and how much is not known. */
  isLeast: boolean;
}

/** `quantities`: null for what only the answer will say. Null if no price applies. */
export function expectedCost(rates: Rates, quantities: Quantities): ExpectedCost | null {
  const lines = pricedLines(rates, quantities);
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

/** Returns the quantities that have a price. */
function pricedLines(rates: Rates, quantities: Quantities): PricedLine[] {
  const { inputTokens, outputTokens, images, videoSeconds, characters, soundSeconds } = quantities;
  const { inputPerMillionTokens } = rates;
  const cached = Math.min(quantities.cachedTokens ?? 0, inputTokens ?? 0);
  const lines: [rate: number | null, quantity: number | null | undefined, per: number][] = [
    [inputPerMillionTokens, inputTokens && inputTokens - cached, MILLION],
    [rates.cachedInputPerMillionTokens ?? inputPerMillionTokens, inputTokens && cached, MILLION],
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
