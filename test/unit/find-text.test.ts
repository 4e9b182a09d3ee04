import { describe, expect, it } from 'vitest';
import {
  findMatches,
  fold,
  stripMarkdown,
} from '../../renderer/features/chat/log/find/find-text.ts';

describe('findMatches', () => {
  const messages = [
    { messageId: 'a', choiceId: 'a', text: 'Rain and rain' },
    { messageId: 'b', choiceId: 'b', text: 'Sun' },
    { messageId: 'c', choiceId: 'c', text: 'It RAINS' },
  ];

  it('finds every match in any case, in message order', () => {
    expect(findMatches(messages, 'rAin')).toEqual([
      { messageId: 'a', choiceId: 'a', position: 0 },
      { messageId: 'a', choiceId: 'a', position: 1 },
      { messageId: 'c', choiceId: 'c', position: 0 },
    ]);
  });

  it.each(['', 'snow'])('finds nothing for %j', (query) => {
    expect(findMatches(messages, query)).toEqual([]);
  });

  it('searches other scripts and counts non-overlapping matches', () => {
    const texts = [{ messageId: 'a', choiceId: 'a', text: '中中中中 ПРИВЕТ' }];
    expect(findMatches(texts, '中中')).toHaveLength(2);
    expect(findMatches(texts, 'привет')).toHaveLength(1);
  });

  it('keeps positions in text that is longer in lowercase', () => {
    expect(fold('İstanbul A')).toBe('İstanbul a');
  });
});

describe('stripMarkdown', () => {
  it.each([
    ['**bold** and *it*, ~~gone~~', 'bold and it, gone'],
    ['a `snake_case` and _em_ 2 * 3', 'a snake_case and em 2 * 3'],
    ['[docs](https://e.c/x) ![cat](y)', 'docs cat'],
    ['## Title\n\n> ### Other', 'Title\n\nOther'],
    ['```js\nlet a_b;\n```', '\nlet a_b;\n'],
    ['\\*literal\\*', '*literal*'],
    ['**注意：**正文', '注意：正文'],
  ])('turns %j into %j', (source, text) => {
    expect(stripMarkdown(source)).toBe(text);
  });
});
