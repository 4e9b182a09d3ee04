/** Finds text in messages, including those that the log hasn't rendered. */

export interface SearchedText {
  messageId: string;
  /** The choice that has the text, if the message shows several; otherwise, the message. */
  choiceId: string;
  text: string;
}

export interface Match extends Omit<SearchedText, 'text'> {
  /** The match's index within the text. */
  position: number;
}

/** Ignores case. Matches don't overlap. */
export function findMatches(texts: readonly SearchedText[], query: string): Match[] {
  const wanted = fold(query);
  if (wanted === '') return [];
  return texts.flatMap(({ text, ...place }) =>
    findPositions(fold(text), wanted).map((_, position) => ({ ...place, position })),
  );
}

/** Returns the index of each match. */
export function findPositions(text: string, query: string): number[] {
  const positions: number[] = [];
  if (query === '') return positions;
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) {
    positions.push(at);
  }
  return positions;
}

/** Folds case without changing the length, so that positions fit the original. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text].map((letter) => foldLetter(letter)).join('');
}

function foldLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}

/** Removes the marks that rendered Markdown doesn't show. */
export function stripMarkdown(source: string): string {
  return source
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/^[ \t>]*#{1,6}[ \t]+/gm, '')
    .replace(MARKS, (_, escaped: string | undefined) => escaped ?? '');
}

const MARKS =
  /\\([!-/:-@[-`{-~])|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~|`+|(?<![\p{L}\p{N}_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu;
