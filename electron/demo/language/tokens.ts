/** A simple tokenizer: words, digits, punctuation and spaces, in pieces that join to the same text. */

const TOKEN = / ?[\p{L}\p{M}]{1,12}| ?\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]{1,4}|\n+|[^\S\n]+/gu;

export function splitTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function countTokens(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(TOKEN)) count += 1;
  return count;
}
