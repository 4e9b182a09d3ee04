export interface Suggestion {
  value: string;
  /** Distinguishes suggestions that have the same value. */
  key?: string | undefined;
  /** The visible text; defaults to the value. */
  label?: string | undefined;
  detail?: string | undefined;
  /** The heading shown above the group's first suggestion. */
  group?: string | undefined;
}

export function getSuggestionKey({ key, value }: Suggestion): string {
  return key ?? value;
}

/** Keeps suggestions whose value or detail contains every word of the text. */
export function filterSuggestions(suggestions: readonly Suggestion[], text: string): Suggestion[] {
  const words = splitWords(text);
  return suggestions.filter(({ value, detail = '' }) =>
    hasWords(`${value} ${detail}`.toLowerCase(), words),
  );
}

/**
 * Ranks exact matches first, then value matches, then detail matches. Appends new text as a choice.
 */
export function rankSuggestions(
  suggestions: readonly Suggestion[],
  text: string,
  typedLabel: (text: string) => string,
): Suggestion[] {
  const typed = text.trim();
  const words = splitWords(typed);
  const rank = ({ value }: Suggestion) => {
    if (value.toLowerCase() === typed.toLowerCase()) return value === typed ? 0 : 1;
    return hasWords(value.toLowerCase(), words) ? 2 : 3;
  };
  const matches = filterSuggestions(suggestions, typed)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ group: _, ...suggestion }): Suggestion => suggestion);
  const isSuggested = suggestions.some(({ value }) => value === typed);
  return isSuggested ? matches : [...matches, { value: typed, label: typedLabel(typed) }];
}

function splitWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
