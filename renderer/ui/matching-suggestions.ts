/** Which suggestions a combobox shows for what is typed: pure. */
import type { Suggestion } from './suggestion-list.tsx';

/** Every word is in the value or in its detail. */
export function filterSuggestions(suggestions: readonly Suggestion[], text: string): Suggestion[] {
  const words = getWords(text);
  return suggestions.filter(({ value, detail = '' }) =>
    contains(`${value} ${detail}`.toLowerCase(), words),
  );
}

/**
 * The same, best first: what is exactly the text, then what the value alone contains, each in the
 * given order. At the end, without headings, the text itself, unless it is one of the suggestions.
 */
export function rankedSuggestions(
  suggestions: readonly Suggestion[],
  text: string,
  typedLabel: (text: string) => string,
): Suggestion[] {
  const typed = text.trim();
  const words = getWords(typed);
  const rank = ({ value }: Suggestion) => {
    if (value.toLowerCase() === typed.toLowerCase()) return value === typed ? 0 : 1;
    return contains(value.toLowerCase(), words) ? 2 : 3;
  };
  const matches = filterSuggestions(suggestions, typed)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ group: _, ...suggestion }): Suggestion => suggestion);
  const isSuggested = suggestions.some(({ value }) => value === typed);
  return isSuggested ? matches : [...matches, { value: typed, label: typedLabel(typed) }];
}

function getWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function contains(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
