/** Reads a model's facts from its row in a gateway's model list, under any known field name. */
import { getNumber } from '../../shared/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { hasFacts, type Modality, type ModelFacts, toRates } from '../../shared/model-facts.ts';
import { cacheRates, type RateName, type Rates } from '../../shared/prices.ts';
import {
  completeLists,
  contextPaths,
  type FieldPath,
  type Flag,
  flagByWord,
  flagPaths,
  freePath,
  generatedPaths,
  inputPaths,
  mediaRatePaths,
  modalityPaths,
  outputPaths,
  tokenRatePaths,
  type Unit,
  wordListPaths,
} from './model-field-paths.ts';

/** Values beyond these limits are mistakes or placeholders, such as -1 or 2^63. */
const MAX_TOKENS = 100_000_000;
const MAX_DOLLARS_PER_MILLION = 10_000;
const MAX_DOLLARS_PER_UNIT = 1000;

/** $1,000 per million tokens; a larger number must be a price per million tokens. */
const MAX_DOLLARS_PER_TOKEN = 0.001;

/** Ignores missing, negative, absurd and mistyped values; returns null if none remain. */
export function readModelFacts(row: JsonObject): ModelFacts | null {
  const flags = readFlags(row);
  const contextTokens = findTokens(row, contextPaths);
  const outputTokens = findTokens(row, outputPaths);
  const [inputs, outputs] = readModalities(row, flags);
  const isOutputPossible = (outputTokens ?? 0) <= (contextTokens ?? MAX_TOKENS);
  const facts: ModelFacts = {
    contextTokens,
    outputTokens: isOutputPossible ? outputTokens : null,
    inputs,
    outputs,
    tools: flags.get('tools') ?? null,
    reasoning: flags.get('reasoning') ?? null,
    rates: readRates(row),
  };
  return hasFacts(facts) ? facts : null;
}

const splitPaths = new Map<string, readonly string[]>();

/** Reads a dotted path, such as `top_provider.context_length`. */
export function readPath(row: JsonObject, path: string): JsonValue | undefined {
  // A list may have thousands of rows, and a hundred paths are read from each.
  const names = splitPaths.get(path) ?? path.split('.');
  splitPaths.set(path, names);
  let value: JsonValue | undefined = row;
  for (const name of names) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Returns the words of a string or a list, in lower case. */
export function readWords(value: JsonValue | undefined): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => (typeof item === 'string' ? item.trim().toLowerCase() : []));
}

function toNumber(value: JsonValue | undefined): number | null {
  const isText = typeof value === 'string' && value.trim() !== '';
  const number = isText ? Number(value) : getNumber(value);
  return number !== null && Number.isFinite(number) ? number : null;
}

function findTokens(row: JsonObject, paths: readonly FieldPath[]): number | null {
  for (const [path] of paths) {
    const tokens = Math.floor(toNumber(readPath(row, path)) ?? 0);
    if (tokens > 0 && tokens <= MAX_TOKENS) return tokens;
  }
  return null;
}

function readFlags(row: JsonObject): Map<Flag, boolean> {
  const flags = new Map<Flag, boolean>();
  for (const [path, , flag] of flagPaths) {
    const value = readPath(row, path);
    if (typeof value === 'boolean' && !flags.has(flag)) flags.set(flag, value);
  }
  for (const [path] of wordListPaths) {
    const value = readPath(row, path);
    const words = readWords(value);
    for (const word of words) {
      const flag = Object.hasOwn(flagByWord, word) ? flagByWord[word] : undefined;
      if (flag !== undefined) flags.set(flag, true);
    }
    if (completeLists.has(path) && words.length > 0 && !flags.has('tools')) {
      flags.set('tools', false);
    }
  }
  return flags;
}

const modalityByWord: Readonly<Record<string, Modality>> = {
  text: 'text',
  image: 'image',
  images: 'image',
  audio: 'audio',
  speech: 'audio',
  video: 'video',
  file: 'file',
  pdf: 'file',
  document: 'file',
};
const modalities: readonly Modality[] = ['text', 'image', 'audio', 'video', 'file'];

function toModalities(words: readonly string[]): Modality[] {
  return words.flatMap((word) =>
    Object.hasOwn(modalityByWord, word) ? (modalityByWord[word] ?? []) : [],
  );
}

function readModalities(
  row: JsonObject,
  flags: ReadonlyMap<Flag, boolean>,
): [inputs: Modality[] | null, outputs: Modality[] | null] {
  const find = (paths: readonly FieldPath[]) =>
    paths.map(([path]) => toModalities(readWords(readPath(row, path)))).find(hasSome) ?? [];
  // A compact form, such as `text+image->text`.
  const compact = modalityPaths
    .flatMap(([path]) => readWords(readPath(row, path)))
    .find((word) => word.includes('->'));
  const [from = [], to = []] = (compact ?? '')
    .split('->')
    .map((side) => toModalities(side.split('+').map((word) => word.trim())));
  const listed = { in: find(inputPaths), out: find(generatedPaths) };
  const known = {
    in: hasSome(listed.in) ? listed.in : from,
    out: hasSome(listed.out) ? listed.out : to,
  };
  const listFlagged = (side: 'in' | 'out') =>
    modalities.filter((one) => flags.get(`${side}:${one}`));
  const join = (side: 'in' | 'out') => {
    const set = new Set([...known[side], ...listFlagged(side)]);
    // Models with other modalities support text too, unless a list says otherwise.
    if (!hasSome(known[side])) set.add('text');
    return modalities.filter((one) => set.has(one));
  };
  // Only the gateway can say that a model doesn't support images.
  const hasInputs = hasSome(known.in) || hasSome(listFlagged('in')) || flags.has('in:image');
  const hasOutputs = hasSome(known.out) || hasSome(listFlagged('out'));
  return [hasInputs ? join('in') : null, hasOutputs ? join('out') : null];
}

function hasSome(list: readonly unknown[]): boolean {
  return list.length > 0;
}

interface Given {
  path: string;
  name: RateName;
  unit: Unit;
  value: number;
}

/** Returns null if any rate is negative or absurd, because the others alone would mislead. */
function readRates(row: JsonObject): Rates | null {
  const given = tokenRatePaths.flatMap(([path, , name, unit]): Given[] => {
    const value = toNumber(readPath(row, path));
    return value === null ? [] : [{ path, name, unit, value }];
  });
  const perToken = given.filter(({ unit }) => unit === 'token').map(({ value }) => value);
  const isPerMillion = Math.max(0, ...perToken) > MAX_DOLLARS_PER_TOKEN;
  const rates: Partial<Rates> = {};
  for (const { name, unit, value } of given) {
    const rate = roundRate(value * getFactor(unit, isPerMillion));
    if (rate < 0 || rate > MAX_DOLLARS_PER_MILLION) return null;
    rates[name] ??= rate;
  }
  const [mode] = readWords(row.mode);
  for (const [path, , name, itsMode, factor] of mediaRatePaths) {
    const value = mode === itsMode ? toNumber(readPath(row, path)) : null;
    if (value === null) continue;
    const rate = roundRate(value * factor);
    if (rate < 0 || rate > MAX_DOLLARS_PER_UNIT) return null;
    rates[name] ??= rate;
  }
  const isFree = given.some(({ path }) => path === freePath);
  const isUnpriced = Object.values(rates).every((rate) => rate === 0);
  if (isUnpriced && !isFree) return null;
  if (rates.inputPerMillionTokens === undefined) {
    for (const name of cacheRates) delete rates[name];
  }
  return toRates(rates);
}

function getFactor(unit: Unit, isPerMillion: boolean): number {
  switch (unit) {
    case 'token':
      return isPerMillion ? 1 : 1_000_000;
    case 'character':
      return 1_000_000;
    case 'ten-thousandth per million':
      return 1 / 10_000;
    case 'million tokens':
      return 1;
  }
}

/** Removes the digits that multiplying binary fractions adds. */
export function roundRate(value: number): number {
  return Number(value.toPrecision(12));
}
