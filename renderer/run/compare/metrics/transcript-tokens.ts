/** A text as the words that are shown and clicked on, each with its place: letters of scripts without spaces are words. */
import { splitSpaceless } from './transcript-units.ts';

export interface TranscriptToken {
  text: string;
  /** Characters of the text, before `to`. */
  from: number;
  to: number;
}

export function splitTokens(text: string): TranscriptToken[] {
  const tokens: TranscriptToken[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/gu)) {
    let from = index;
    for (const piece of splitSpaceless(word)) {
      tokens.push({ text: piece, from, to: from + piece.length });
      from += piece.length;
    }
  }
  return tokens;
}
