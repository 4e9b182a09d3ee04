import type { TranscriptWord } from '../../../shared/operations/transcription/state.ts';

/** Whether the timed words say all of the text. Punctuation and case may differ; words must not be missing. */
export function wordsCoverText(words: readonly TranscriptWord[], text: string): boolean {
  if (words.length === 0) return false;
  return lettersOf(text).length <= lettersOf(words.map(({ word }) => word).join('')).length;
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{M}]/gu, '');
}
