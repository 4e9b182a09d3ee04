import { describe, expect, it } from 'vitest';
import { filterSuggestions, rankSuggestions } from '../../renderer/ui/suggestions.ts';

const suggestions = [
  { value: 'demo-tools', detail: 'calls every tool', group: 'Recent' },
  { value: 'demo-limit', detail: 'every other call returns 429', group: 'For chat' },
  { value: 'demo-story-fast', group: 'For chat' },
  { value: 'demo-story', group: 'For chat' },
];
const label = (text: string) => `Use “${text}”`;
const ranked = (text: string) => rankSuggestions(suggestions, text, label);

describe('suggestions for a text', () => {
  it.each([
    ['story', ['demo-story-fast', 'demo-story']],
    ['call', ['demo-tools', 'demo-limit']],
    ['fast story', ['demo-story-fast']],
    ['DEMO', ['demo-tools', 'demo-limit', 'demo-story-fast', 'demo-story']],
    ['think', []],
  ])('for “%s”, finds %j', (text, found) => {
    expect(filterSuggestions(suggestions, text).map(({ value }) => value)).toEqual(found);
  });

  it.each([
    // An exact match comes first. The typed text comes last unless it is a suggestion.
    ['demo-story', ['demo-story', 'demo-story-fast']],
    ['demo-stor', ['demo-story-fast', 'demo-story', 'demo-stor']],
    // A match in the value ranks above a match in the details.
    ['limit', ['demo-limit', 'limit']],
    ['tool', ['demo-tools', 'tool']],
  ])('ranks “%s” as %j', (text, values) => {
    expect(ranked(text).map(({ value }) => value)).toEqual(values);
  });

  it('offers the trimmed text itself', () => {
    expect(ranked(' fast ').at(-1)).toEqual({ value: 'fast', label: 'Use “fast”' });
  });

  it('ungroups ranked suggestions', () => {
    expect(ranked('demo').every((suggestion) => suggestion.group === undefined)).toBe(true);
  });
});
