/** Adds the sources, log probabilities and other extras that search models send. */
import type { JsonObject, JsonValue } from '../../../shared/json.ts';

const sources = [
  { title: 'Gatehouse', url: 'https://en.wikipedia.org/wiki/Gatehouse', date: '2025-03-01' },
  { title: 'Portcullis', url: 'https://en.wikipedia.org/wiki/Portcullis', date: '2024-11-12' },
];

/** Source marks such as [1] and [2] count from 1. */
export const citedText =
  'A gatehouse guards the entrance to a castle or town [1]. Many had a portcullis, a heavy grating that drops in grooves [2]. The larger ones became homes of their own [1]. (Simulated model; nothing was searched.)';

/** Returns message fields with an annotation for the sentence before each mark. */
export function annotate(text: string): JsonObject {
  const annotations = [...text.matchAll(/[^.]*\[(\d)\]/g)].flatMap(
    ({ 0: cited, 1: mark, index }) => {
      const source = sources[Number(mark) - 1];
      if (source === undefined) return [];
      const { title, url } = source;
      const place = { start_index: index, end_index: index + cited.length };
      return [{ type: 'url_citation', url_citation: { url, title, ...place } }];
    },
  );
  return { annotations };
}

/** Response fields in Perplexity's format; the last one is a made-up field that no client knows. */
export const citedFields: JsonObject = {
  citations: sources.map(({ url }) => url),
  search_results: sources,
  demo_search: { queries: ['gatehouse', 'portcullis'], simulated: true },
};

/** Returns log probabilities, which are always the same for a given token. */
export function getLogprobs(tokens: readonly string[], alternatives: number): JsonObject {
  return { content: tokens.map((token) => getLogprob(token, alternatives)), refusal: null };
}

function getLogprob(token: string, alternatives: number): JsonValue {
  const entries = getChances(token).map((chance) => ({
    ...chance,
    bytes: [...Buffer.from(chance.token)],
  }));
  const [chosen = {}] = entries;
  return { ...chosen, top_logprobs: entries.slice(0, alternatives) };
}

/** Returns the log probabilities as the parallel arrays that `/v1/completions` uses. */
export function getLogprobColumns(tokens: readonly string[], alternatives: number): JsonObject {
  const chances = tokens.map(getChances);
  return {
    tokens: [...tokens],
    token_logprobs: chances.map(([chosen]) => chosen?.logprob ?? null),
    top_logprobs: chances.map((of) =>
      Object.fromEntries(of.slice(0, alternatives).map(({ token, logprob }) => [token, logprob])),
    ),
  };
}

interface Chance {
  token: string;
  logprob: number;
}

/** Returns alternatives for the token, starting with the token itself. */
function getChances(token: string): Chance[] {
  const probability = 0.35 + (hash(token) % 65) / 100;
  return [token, ' the', ' a', ' one', ' gate', ' wall']
    .filter((other, at, all) => all.indexOf(other) === at)
    .map((other, at) => getChance(other, at === 0 ? probability : (1 - probability) / 2 ** at));
}

function getChance(token: string, probability: number): Chance {
  return { token, logprob: Number(Math.log(Math.max(probability, 1e-6)).toFixed(4)) };
}

function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum;
}
