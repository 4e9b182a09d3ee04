/** Quantities that several operations consume, read from a reply's usage and its media. */
import type { Media, MediaKind } from '../../media.ts';
import type { Quantities } from '../../quantities.ts';
import type { Usage } from './usage-schema.ts';

/** Both are null if the gateway did not report them. */
export function tokensUsed(
  usage: Usage | null,
): Pick<Quantities, 'inputTokens' | 'cachedTokens' | 'outputTokens'> {
  const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
  const known = (tokens: number | null | undefined) => atLeastZero(tokens);
  const input = known(prompt_tokens);
  const total = known(total_tokens);
  const rest = total === null || input === null ? null : atLeastZero(total - input);
  const cached = known(usage?.prompt_tokens_details?.cached_tokens);
  return {
    inputTokens: input,
    ...(cached !== null && { cachedTokens: cached }),
    outputTokens: known(completion_tokens) ?? rest,
  };
}

/** How long the files of a kind are together; null if there is none, or the length of one is not known. */
export function getSeconds(media: readonly Media[], kind: MediaKind): number | null {
  const files = getComplete(media, kind);
  if (files.length === 0) return null;
  return files.reduce<number | null>(
    (sum, { durationSeconds }) =>
      sum === null || durationSeconds === null ? null : sum + durationSeconds,
    0,
  );
}

export function getCount(media: readonly Media[], kind: MediaKind): number {
  return getComplete(media, kind).length;
}

function getComplete(media: readonly Media[], kind: MediaKind): Media[] {
  return media.filter((file) => file.kind === kind && file.complete);
}

function atLeastZero(count: number | null | undefined): number | null {
  return typeof count === 'number' && count >= 0 ? count : null;
}
