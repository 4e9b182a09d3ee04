import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { createRandom } from '../fixtures/random.ts';
import { delta, done, fold, last } from './support/chat-events.ts';
import { body, finish, splitAnyhow } from './support/fold-events.ts';

const texts = ({ choices: [choice] }: ReturnType<typeof fold>) => ({
  content: choice?.content,
  reasoning: choice?.reasoning,
});

const cases: [string, string, { content: string; reasoning: string }][] = [
  [
    'tags at the start',
    '<think>\nTwo and two.\n</think>\n\nFour.',
    { content: 'Four.', reasoning: 'Two and two.' },
  ],
  [
    'white space before them',
    '\n\n<think>a < b</think>b < c',
    { content: 'b < c', reasoning: 'a < b' },
  ],
  ['only the closing tag', 'Two.\n</think>\n\nFour.', { content: 'Four.', reasoning: 'Two.' }],
  ['an empty thought', '<think>\n\n</think>\n\nHi', { content: 'Hi', reasoning: '' }],
  [
    'a thought without end',
    '<think>\nOn and on</thi',
    { content: '', reasoning: '\nOn and on</thi' },
  ],
  [
    'a closing tag right after a sentence',
    'Two.</think>Four.',
    { content: 'Four.', reasoning: 'Two.' },
  ],
  [
    'a closing tag right after a word',
    'I am thinking</think>Answer only close',
    { content: 'Answer only close', reasoning: 'I am thinking' },
  ],
  [
    'a closing tag right after a formula',
    'So it is (2 + 2)</think>\n\nFour.',
    { content: 'Four.', reasoning: 'So it is (2 + 2)' },
  ],
  ['a closing tag and nothing before it', '</think>\n\nHi', { content: 'Hi', reasoning: '' }],
  ['an empty thought on one line', '<think></think>\nHi', { content: 'Hi', reasoning: '' }],
  [
    'a thought in lower case',
    '<think> two and two </think>\n\nFour.',
    { content: 'Four.', reasoning: 'two and two' },
  ],
  [
    'a closing tag after code',
    'As `` a ` b `` says:\n```js\n~~~\n```\nTwo.\n</think>\n\nFour.',
    { content: 'Four.', reasoning: 'As `` a ` b `` says:\n```js\n~~~\n```\nTwo.' },
  ],
  [
    'a second pair in the answer',
    '<think>a</think>Use <think>b</think>.',
    { content: 'Use <think>b</think>.', reasoning: 'a' },
  ],
  [
    'tags in the middle of the text',
    'Write <think>a</think> so.',
    { content: 'Write <think>a</think> so.', reasoning: '' },
  ],
  [
    'a closing tag in code',
    'End with `</think>`, or\n```\n</think>\n```\nso.',
    { content: 'End with `</think>`, or\n```\n</think>\n```\nso.', reasoning: '' },
  ],
  ['what only begins like a tag', '<th', { content: '<th', reasoning: '' }],
  ['another tag', ' <thinner> a<', { content: ' <thinner> a<', reasoning: '' }],
  ['white space alone', ' \n', { content: ' \n', reasoning: '' }],
];

/** Text about the tags. */
const words = [
  'Tags such as <b> and </think> are stripped.',
  'Close it (</think>) then',
  'Use ``</think>`` here',
  'Use ```</think>\nor``` here',
  'The last one is </think>',
  'The last one is </think>\nand so on',
  'Ends like this</think>, then',
  '用</think>结束',
  'Split "reasoning</think>answer" at the tag.',
  'Split "reasoning</think>Answer" at the tag.',
  "Split 'Reasoning.</think>Answer.' at the tag.",
  'Split “reasoning</think>Answer” at the tag.',
  'The model writes its thoughts</think>answer, without an opening tag.',
  '{"text":"a</think>b"}',
  '[{"text":"A.</think>B."}]',
  '<answer>A</think>B</answer>',
  'It goes on a line of its own:\n</think>',
  '  \n    </think>\nin code',
  '````\n```\nTwo.\n</think>\n\n````\nis code',
  '<think> and </think> are the tags.',
  '<think> is the opening tag, </think> the closing one.',
  '<think>…</think> wraps the reasoning.',
  '<think>reasoning</think> is how models mark it.\n\nSo they do.',
  '<think></think>, when empty, is left out.',
  '<think> is the tag reasoning models use.',
];

describe('text about <think> tags', () => {
  it.each(words)('stays text: %s', (text) => {
    const random = createRandom(text.length).next;
    const message = { choices: [{ message: { content: text }, finish_reason: 'stop' }] };
    expect(texts(fold(body(message)))).toEqual({ content: text, reasoning: '' });
    for (let round = 0; round < 40; round += 1) {
      const pieces = splitAnyhow(text, random, 6).map((content) => delta({ content }));
      const state = fold(...pieces, last('stop'), done, finish);
      expect(texts(state)).toEqual({ content: text, reasoning: '' });
      expect(state.choices[0]).not.toHaveProperty('think');
    }
  });

  it('stays text where the model ended by itself without closing the tag', () => {
    const pieces = [delta({ content: '<think>' }), delta({ content: 'Thoughts go here' })];
    const content = '<think>Thoughts go here';
    expect(texts(fold(...pieces, last('stop'), finish))).toEqual({ content, reasoning: '' });
    // Cut off, it is a thought that has no end.
    const thought = { content: '', reasoning: 'Thoughts go here' };
    expect(texts(fold(...pieces, last('length'), finish))).toEqual(thought);
    expect(texts(fold(...pieces, finish))).toEqual(thought);
  });
});

describe('reasoning in <think> tags', () => {
  it('may be all there is before a tool call', () => {
    const state = fold(delta({ content: 'Look it up.\n</think>\n\n' }), last('tool_calls'), finish);
    expect(texts(state)).toEqual({ content: '', reasoning: 'Look it up.' });
  });

  it.each(['null', 'stop'])('is found where each piece has the finish reason "%s"', (reason) => {
    const piece = (content: string) => delta({ content }, { finish_reason: reason });
    const pieces = ['<thi', 'nk>a', '. b</think>', 'Hi'].map(piece);
    expect(texts(fold(...pieces, last('stop'), finish))).toEqual({
      content: 'Hi',
      reasoning: 'a. b',
    });
  });

  it.each(cases)('is told from the answer: %s', (_name, text, expected) => {
    expect(texts(fold(body({ choices: [{ message: { content: text } }] })))).toEqual(expected);
  });

  it.each(cases)('is the same in any pieces: %s', (_name, text, expected) => {
    const random = createRandom(text.length).next;
    const letters = [...text].map((content) => delta({ content }));
    expect(texts(fold(...letters, last('stop'), done, finish))).toEqual(expected);
    for (let round = 0; round < 40; round += 1) {
      const pieces = splitAnyhow(text, random, 6).map((content) => delta({ content }));
      expect(texts(fold(...pieces, last('stop'), finish))).toEqual(expected);
      // Without a finish reason, the end of the run says that nothing follows.
      expect(texts(fold(...pieces, finish))).toEqual(expected);
    }
  });

  it('keeps nothing back once the run has ended, however it ends', () => {
    const state = fold(delta({ content: 'a <' }), finish, finish);
    expect(texts(state)).toEqual({ content: 'a <', reasoning: '' });
    expect(state.choices[0]).not.toHaveProperty('think');
  });

  it('is shown while it arrives, without the beginning of a tag', () => {
    const state = fold(delta({ content: '<thi' }), delta({ content: 'nk>Two</th' }));
    expect(texts(state)).toEqual({ content: '', reasoning: 'Two' });
  });

  it.each(['</think>', ' <', ' </thi'])(
    'holds nothing back behind a tag that is part of the answer: %s',
    (end) => {
      const parted = fold(delta({ content: 'The </think> tag,' }), delta({ content: end }));
      const whole = fold(delta({ content: `The </think> tag,${end}` }));
      expect(texts(parted)).toEqual({ content: `The </think> tag,${end}`, reasoning: '' });
      expect(parted.choices).toEqual(whole.choices);
    },
  );

  it('is marked where the reply is shown, and leaves answers without tags unmarked', () => {
    const tagged = fold(delta({ content: '<think>Two</think>Four' }), last('stop'));
    expect(chatOperation.reply(tagged).sections.map(({ title }) => title)).toEqual([
      'Reasoning (from <think> tags)',
      'Text',
    ]);
    const plain = fold(delta({ reasoning_content: 'Two' }), delta({ content: 'Four' }));
    expect(plain.choices[0]).not.toHaveProperty('think');
  });

  it('leaves the closing tag alone where the gateway sends reasoning by itself', () => {
    const state = fold(delta({ reasoning_content: 'Two' }), delta({ content: 'a</think>b' }));
    expect(texts(state)).toEqual({ content: 'a</think>b', reasoning: 'Two' });
  });
});
