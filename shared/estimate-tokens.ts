/** Estimates tokens without a tokenizer: about 4 characters each, or one CJK character. */

const CHARACTERS_PER_TOKEN = 4;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** A rough average across languages and models, not rounded. */
export function estimateTokens(text: string): number {
  const cjk = text.match(CJK)?.length ?? 0;
  return cjk + (text.length - cjk) / CHARACTERS_PER_TOKEN;
}
