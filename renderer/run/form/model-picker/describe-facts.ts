import type { ModelFacts } from '../../../../shared/model-facts.ts';
import type { KnownPrice, Rates } from '../../../../shared/prices.ts';
import { formatPrice } from '../../../lib/format-quantity.ts';

/** Formats a token count, such as `128K` or `1.05M`. */
export function formatTokenLimit(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}K`;
  return `${Number((tokens / 1_000_000).toPrecision(3))}M`;
}

/** Returns a short price such as `$0.15 / $0.60`, for input and output per million tokens. */
export function describeRates(rates: Rates): string {
  const { inputPerMillionTokens: input, outputPerMillionTokens: output } = rates;
  if (Object.values(rates).every((rate) => rate === null || rate === 0)) return 'Free';
  if (input !== null && output !== null) return `${formatPrice(input)} / ${formatPrice(output)}`;
  const [only] = describeEach(rates);
  return only ?? '';
}

const units: readonly (readonly [name: keyof Rates, unit: string])[] = [
  ['inputPerMillionTokens', '1M in'],
  ['cachedInputPerMillionTokens', '1M cached in'],
  ['cacheWritePerMillionTokens', '1M cache write'],
  ['hourCacheWritePerMillionTokens', '1M 1-hour cache write'],
  ['outputPerMillionTokens', '1M out'],
  ['perImage', 'image'],
  ['perVideoSecond', 's'],
  ['perMillionCharacters', '1M chars'],
  ['perSoundMinute', 'min'],
];

function describeEach(rates: Rates): string[] {
  return units.flatMap(([name, unit]) => {
    const rate = rates[name];
    return rate === null ? [] : `${formatPrice(rate)}/${unit}`;
  });
}

/** Returns the source of a price, such as `list price of 2026-08-05`. */
export function describePriceSource({ source }: KnownPrice): string {
  switch (source.kind) {
    case 'own':
      return 'your price';
    case 'gateway':
      return 'from the gateway';
    case 'list':
      return `list price of ${source.date}`;
  }
}

/** Describes everything that is known, a line each, for a tooltip and screen readers. */
export function describeFacts(facts: ModelFacts | null, price: KnownPrice | null): string[] {
  const lines: string[] = [];
  if (facts?.contextTokens != null) {
    lines.push(`Context: ${facts.contextTokens.toLocaleString('en-US')} tokens`);
  }
  if (facts?.outputTokens != null) {
    lines.push(`Output limit: ${facts.outputTokens.toLocaleString('en-US')} tokens`);
  }
  if (facts?.inputs != null) lines.push(`Input: ${facts.inputs.join(', ')}`);
  if (facts?.outputs != null) lines.push(`Output: ${facts.outputs.join(', ')}`);
  if (facts?.tools != null) lines.push(facts.tools ? 'Takes tools' : 'Takes no tools');
  if (facts?.reasoning) lines.push('Reasons before it answers');
  if (price !== null) {
    const isFree = describeRates(price.rates) === 'Free';
    const text = isFree ? 'Free' : describeEach(price.rates).join(', ');
    lines.push(`Price: ${text} (${describePriceSource(price)})`);
  }
  return lines;
}
