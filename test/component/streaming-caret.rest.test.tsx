import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import type { Answer } from '../../renderer/features/chat/log/answer/answer.ts';
import { AnswerText } from '../../renderer/features/chat/log/answer/answer-body.tsx';
import { ToolCalls } from '../../renderer/features/chat/log/answer/tool-calls.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { AnswerContent } from '../../renderer/run/body/answer-content.tsx';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

/** Returns the texts of the elements that end with a caret. */
function carets(container: Element): string[] {
  return [...container.querySelectorAll('*')]
    .filter((element) => getComputedStyle(element, '::after').width === '7px')
    .map(({ textContent }) => textContent.trim());
}

const markdown = (streaming: boolean) => (text: string) => (
  <Markdown text={text} streaming={streaming} />
);
const answer = (running: boolean) => (text: string) => (
  <AnswerContent text={text} running={running} />
);
const toolCall = (streaming: boolean) => (text: string) => (
  <QueryClientProvider client={queryClient}>
    <ToolCalls calls={[{ id: 'call-1', name: 'search', arguments: text }]} streaming={streaming} />
  </QueryClientProvider>
);
const wholeAnswer = (said: Partial<Answer>) => (running: boolean) => (text: string) => (
  <QueryClientProvider client={queryClient}>
    <AnswerText
      answer={{
        reasoning: 'Hm.',
        commentaryLength: 0,
        isTagged: false,
        isEncrypted: false,
        sources: [],
        refusal: '',
        toolCalls: [],
        audio: null,
        ...said,
        content: text,
        body: text,
      }}
      running={running}
    />
  </QueryClientProvider>
);
const spoken = { id: null, media: null, transcript: '', expiresAt: null };
const search = { id: 'call-1', name: 'search', arguments: '{"query": "a"}' };

it.each<[string, (running: boolean) => (text: string) => ReactNode, string, string]>([
  ['a paragraph', markdown, 'First.\n\nThe last words', 'The last words'],
  ['a heading', markdown, 'First.\n\n# The end', 'The end'],
  ['a deep list', markdown, '- a\n  - b\n    - c\n      - the leaf', 'the leaf'],
  ['a quote', markdown, 'First.\n\n> Quoted\n> words', 'Quoted\nwords'],
  ['a list in a quote', markdown, '> Quoted\n>\n> - one\n> - two', 'two'],
  ['a table', markdown, '| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |', '4'],
  ['a code block', markdown, 'First.\n\n```js\nconst a = 1;\nconst b', 'const a = 1;\nconst b'],
  ['the text after a closed code block', markdown, '```js\nconst a = 1;\n```\n', ''],
  ['the text after a rule', markdown, 'First.\n\n---\n', ''],
  ['the text after a code block in a list', markdown, '- a\n\n  ```\n  b\n  ```\n', ''],
  ['a table that may be closed', markdown, '| A |\n|---|\n| 1 |\n\n', '1'],
  ['a JSON answer', answer, '{ "a": [1,', '{ "a": [1,'],
  ['a JSON answer that may be closed', answer, '{ "a": [1] }', '{ "a": [1] }'],
  ['tool arguments', toolCall, '{"query": "b', '{"query": "b'],
  [
    'the last of several tool calls behind words',
    wholeAnswer({ toolCalls: [search, { ...search, arguments: '{"query": "b' }] }),
    'Let me look.',
    '{"query": "b',
  ],
  [
    'the transcript of an audio answer behind words',
    wholeAnswer({ audio: { ...spoken, transcript: 'Spoken words' } }),
    'Let me say it.',
    'Spoken words',
  ],
  [
    'the words of an audio answer without a transcript',
    wholeAnswer({ audio: spoken }),
    'Let me say it.',
    'Let me say it.',
  ],
  ['a refusal', wholeAnswer({ refusal: 'Not that' }), 'Well.', 'The model refused: Not that'],
])(
  'shows one caret while an answer streams, at the end of %s',
  async (_where, show, text, last) => {
    const screen = await render(show(true)(text));
    expect(carets(screen.container)).toEqual([last]);
    await screen.rerender(show(false)(text));
    expect(carets(screen.container)).toEqual([]);
  },
);
