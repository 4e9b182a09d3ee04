/**
 * Finds public list prices, used only if the user turns them on. Prices are in US dollars, for
 * standard processing and contexts without a surcharge.
 */
import type { calcPrice, ModelPrice } from '@pydantic/genai-prices';
import { type Rates, ratesSchema } from '../../shared/prices.ts';

/** When the pinned version of `@pydantic/genai-prices` was released. */
export const LIST_PRICES_DATE = '2026-09-23';

export interface ListPrices {
  /** Loads the price data, which takes about 100 ms; `find` returns null until then. */
  load(): Promise<void>;
  /**
   * Finds the price of a model under the names that gateways give it, such as `openai/gpt-4o` and
   * `claude-sonnet-4-5-20250929`. Returns null for variants such as `gpt-4o:free`, unknown names
   * and models that are also billed by something that Gatehouse doesn't count.
   */
  find(model: string): Rates | null;
}

export function createListPrices(now: () => number): ListPrices {
  let calculate: typeof calcPrice | null = null;
  let day = '';
  const ratesByModel = new Map<string, Rates | null>();
  return {
    async load() {
      calculate = (await import('@pydantic/genai-prices')).calcPrice;
    },
    find(model) {
      if (calculate === null) return null;
      const today = new Date(now()).toISOString().slice(0, 10);
      if (today !== day) ratesByModel.clear();
      day = today;
      let rates = ratesByModel.get(model);
      if (rates === undefined) {
        // Time-of-day surcharges and discounts don't apply at noon.
        rates = findRates(calculate, model, new Date(`${today}T12:00:00Z`));
        ratesByModel.set(model, rates);
      }
      return rates;
    },
  };
}

const VERSION = /-(?:20\d{6}|20\d{2}-\d{2}-\d{2}|latest)$/;
const VARIANT = /:\D/;
/** Most of their tokens are audio, which is billed at another rate than text. */
const AUDIO = /-(?:audio|transcribe)(?:-|$)/;

function findRates(calculate: typeof calcPrice, model: string, timestamp: Date): Rates | null {
  const name = model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/@(?=20\d{2})/, '-');
  if (Object.hasOwn(ratesByCharacter, name)) return ratesByCharacter[name] ?? null;
  if (VARIANT.test(name) || AUDIO.test(name)) return null;
  const candidates: [id: string, providerId?: string][] = [
    [name],
    [name.replace(VERSION, '')],
    [`${name}-latest`],
    // The data finds the provider of these names only if it is given.
    [name, 'openai'],
    [`amazon.${name}`, 'aws'],
  ];
  for (const [id, providerId] of candidates) {
    const found = calculate({}, id, { timestamp, ...(providerId && { providerId }) });
    if (found !== null) return toRates(found.model_price);
  }
  return null;
}

/** The data has no prices per character: https://platform.openai.com/docs/pricing */
const ratesByCharacter: Readonly<Record<string, Rates>> = {
  'tts-1': ratesSchema.parse({ perMillionCharacters: 15 }),
  'tts-1-hd': ratesSchema.parse({ perMillionCharacters: 30 }),
};

/** Prices of extras, without which the rest of the estimate still holds. */
const EXTRA =
  /^(?:cache_write_|input_audio_|cache_audio_read_mtok$|(?:web|storage)_searches_kcount$)/;

function toRates(price: ModelPrice): Rates | null {
  const { input_mtok, output_mtok, audio_hours, ...others } = price;
  const { cache_read_mtok, cache_write_mtok, cache_write_1h_mtok, ...extras } = others;
  if (Object.keys(extras).some((key) => !EXTRA.test(key))) return null;
  const perHour = getBase(audio_hours);
  const rates = {
    inputPerMillionTokens: getBase(input_mtok),
    cachedInputPerMillionTokens: getBase(cache_read_mtok),
    cacheWritePerMillionTokens: getBase(cache_write_mtok),
    hourCacheWritePerMillionTokens: getBase(cache_write_1h_mtok),
    outputPerMillionTokens: getBase(output_mtok),
    perSoundMinute: perHour === null ? null : perHour / 60,
  };
  const isPriced = Object.values(rates).some((rate) => rate !== null);
  return isPriced ? ratesSchema.parse(rates) : null;
}

/** Returns the price of a context without a surcharge. */
function getBase(price: ModelPrice[string]): number | null {
  return (typeof price === 'object' ? price.base : price) ?? null;
}
