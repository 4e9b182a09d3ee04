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
  ])('“%s” finds %j', (text, found) => {
    expect(filterSuggestions(suggestions, text).map(({ value }) => value)).toEqual(found);
  });

  it('puts an exact match first, and the text last unless it is a suggestion', () => {
    expect(ranked('demo-story').map(({ value }) => value)).toEqual([
      'demo-story',
      'demo-story-fast',
    ]);
    expect(ranked(' fast ').at(-1)).toEqual({ value: 'fast', label: 'Use “fast”' });
  });

  it('keeps the text last if it is only part of others', () => {
    expect(ranked('demo-stor').map(({ value }) => value)).toEqual([
      'demo-story-fast',
      'demo-story',
      'demo-stor',
    ]);
  });

  it('ranks matches in values above matches in details', () => {
    expect(ranked('limit').map(({ value }) => value)).toEqual(['demo-limit', 'limit']);
    expect(ranked('tool')[0]?.value).toBe('demo-tools');
  });

  it('drops the groups of ranked suggestions', () => {
    expect(ranked('demo').every((suggestion) => suggestion.group === undefined)).toBe(true);
  });
});
