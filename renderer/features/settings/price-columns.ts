import type { RateName, Rates } from '../../../shared/prices.ts';

interface PriceColumn {
  name: RateName;
  label: string;
  unit: string;
  group: PriceGroup;
}

export type PriceGroup = 'Tokens' | 'Media';

/** Listed in display order. Media prices share one column, because few models use several. */
export const priceColumns: readonly PriceColumn[] = [
  { name: 'inputPerMillionTokens', label: 'Input', unit: 'per 1M tokens', group: 'Tokens' },
  {
    name: 'cachedInputPerMillionTokens',
    label: 'Cached input',
    unit: 'per 1M tokens',
    group: 'Tokens',
  },
  {
    name: 'cacheWritePerMillionTokens',
    label: 'Cache write',
    unit: 'per 1M tokens',
    group: 'Tokens',
  },
  {
    name: 'hourCacheWritePerMillionTokens',
    label: '1-hour cache write',
    unit: 'per 1M tokens',
    group: 'Tokens',
  },
  { name: 'outputPerMillionTokens', label: 'Output', unit: 'per 1M tokens', group: 'Tokens' },
  { name: 'perImage', label: 'Image', unit: 'per image', group: 'Media' },
  { name: 'perVideoSecond', label: 'Video', unit: 'per second', group: 'Media' },
  { name: 'perMillionCharacters', label: 'Speech', unit: 'per 1M characters', group: 'Media' },
  { name: 'perSoundMinute', label: 'Audio', unit: 'per minute', group: 'Media' },
];

export const noRates: Rates = {
  inputPerMillionTokens: null,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  hourCacheWritePerMillionTokens: null,
  outputPerMillionTokens: null,
  perImage: null,
  perVideoSecond: null,
  perMillionCharacters: null,
  perSoundMinute: null,
};

export function hasGroup(rates: Rates, group: PriceGroup): boolean {
  return priceColumns.some((column) => column.group === group && rates[column.name] !== null);
}
