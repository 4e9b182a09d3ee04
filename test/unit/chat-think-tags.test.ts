import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { REASONING_TAGS } from '../../shared/operations/chat/think-tags.ts';
import { createRandom } from '../fixtures/random.ts';
import { delta, done, fold, last } from './support/chat-events.ts';
import { body, finish, splitAnyhow } from './support/fold-events.ts';

const texts = ({ choices: [choice] }: ReturnType<typeof fold>) => ({
  content: choice?.content,
  reasoning: choice?.reasoning,
});

const afterCode = 'As `` a ` b `` says:\n```js\n~~~\n```\nTwo.';
const inCode = 'End with `</think>`, or\n```\n</think>\n```\nso.';
const cases: [name: string, text: string, content: string, reasoning: string][] = [
  ['tags at the start', '<think>\nTwo and two.\n</think>\n\nFour.', 'Four.', 'Two and two.'],
  ['white space before them', '\n\n<think>a < b</think>b < c', 'b < c', 'a < b'],
  ['only the closing tag', 'Two.\n</think>\n\nFour.', 'Four.', 'Two.'],
  ['an empty thought', '<think>\n\n</think>\n\nHi', 'Hi', ''],
  ['an unclosed thought', '<think>\nOn and on</thi', '', '\nOn and on</thi'],
  ['a closing tag right after a sentence', 'Two.</think>Four.', 'Four.', 'Two.'],
  ['a closing tag right after a word', 'I think</think>Answer', 'Answer', 'I think'],
  ['a closing tag right after a formula', 'It is (2)</think>\n\nFour.', 'Four.', 'It is (2)'],
  ['a closing tag at the start', '</think>\n\nHi', 'Hi', ''],
  ['an empty thought on one line', '<think></think>\nHi', 'Hi', ''],
  ['a thought in lower case', '<think> two and two </think>\n\nFour.', 'Four.', 'two and two'],
  ['a closing tag after code', `${afterCode}\n</think>\n\nFour.`, 'Four.', afterCode],
  ['a second pair', '<think>a</think>Use <think>b</think>.', 'Use <think>b</think>.', 'a'],
  ['tags inside the text', 'Write <think>a</think> so.', 'Write <think>a</think> so.', ''],
  ['a closing tag in code', inCode, inCode, ''],
  ['two blocks in a row', '<think>a.</think>\n\n<think>b.</think>\nHi', 'Hi', 'a.\n\nb.'],
  ['blocks of two kinds', '<think>a.</think><thought>b</thought>', '<thought>b</thought>', 'a.'],
  ['a tag in indented code', '    <thinking>\n    a', '    <thinking>\n    a', ''],
  [
    'a tag in a code block',
    '```\n<thinking>a</thinking>\n```',
    '```\n<thinking>a</thinking>\n```',
    '',
  ],
  ['the beginning of a tag', '<th', '<th', ''],
  ['another tag', ' <thinner> a<', ' <thinner> a<', ''],
  ['white space alone', ' \n', ' \n', ''],
];

const harmony = '<|channel|>analysis<|message|>Two.<|end|><|start|>assistant';

/** Texts that mention the tags without using them. */
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
  it.each(words)('keeps tags in the answer: %s', (text) => {
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

  it('keeps text in the answer if the model stopped without closing the tag', () => {
    const pieces = [delta({ content: '<think>' }), delta({ content: 'Thoughts go here' })];
    const content = '<think>Thoughts go here';
    expect(texts(fold(...pieces, last('stop'), finish))).toEqual({ content, reasoning: '' });
    const thought = { content: '', reasoning: 'Thoughts go here' };
    expect(texts(fold(...pieces, last('length'), finish))).toEqual(thought);
    expect(texts(fold(...pieces, finish))).toEqual(thought);
  });
});

describe('reasoning in <think> tags', () => {
  it('recognizes reasoning as the only text before a tool call', () => {
    const state = fold(delta({ content: 'Look it up.\n</think>\n\n' }), last('tool_calls'), finish);
    expect(texts(state)).toEqual({ content: '', reasoning: 'Look it up.' });
  });

  it.each(['null', 'stop'])(
    'finds reasoning if each chunk has the finish reason "%s"',
    (reason) => {
      const piece = (content: string) => delta({ content }, { finish_reason: reason });
      const pieces = ['<thi', 'nk>a', '. b</think>', 'Hi'].map(piece);
      const state = fold(...pieces, last('stop'), finish);
      expect(texts(state)).toEqual({ content: 'Hi', reasoning: 'a. b' });
    },
  );

  it.each(cases)(
    'separates reasoning from the answer, whole or in any chunks: %s',
    (_name, text, ...parts) => {
      const [content, reasoning] = parts;
      const expected = { content, reasoning };
      expect(texts(fold(body({ choices: [{ message: { content: text } }] })))).toEqual(expected);
      const random = createRandom(text.length).next;
      const letters = [...text].map((content) => delta({ content }));
      expect(texts(fold(...letters, last('stop'), done, finish))).toEqual(expected);
      for (let round = 0; round < 40; round += 1) {
        const pieces = splitAnyhow(text, random, 6).map((content) => delta({ content }));
        expect(texts(fold(...pieces, last('stop'), finish))).toEqual(expected);
        // Without a finish reason, the text is complete when the run ends.
        expect(texts(fold(...pieces, finish))).toEqual(expected);
      }
    },
  );

  it.each(REASONING_TAGS)('recognizes $open, cut anywhere', ({ open, close }) => {
    const text = `\n${open}\nTwo < three [so].\n${close}\n\nFour.`;
    const letters = [...text].map((content) => delta({ content }));
    const expected = { content: 'Four.', reasoning: 'Two < three [so].' };
    expect(texts(fold(...letters, last('stop'), finish))).toEqual(expected);
    expect(texts(fold(delta({ content: text }), last('stop'), finish))).toEqual(expected);
  });

  it('omits the markers between two channels', () => {
    const content = `${harmony}<|channel|>final<|message|>Four.`;
    const expected = { content: 'Four.', reasoning: 'Two.' };
    expect(texts(fold(delta({ content }), last('stop'), finish))).toEqual(expected);
  });

  it('buffers nothing once the run has ended, however it ends', () => {
    const state = fold(delta({ content: 'a <' }), finish, finish);
    expect(texts(state)).toEqual({ content: 'a <', reasoning: '' });
    expect(state.choices[0]).not.toHaveProperty('think');
  });

  it('shows reasoning while it streams, without a partial tag', () => {
    const state = fold(delta({ content: '<thi' }), delta({ content: 'nk>Two</th' }));
    expect(texts(state)).toEqual({ content: '', reasoning: 'Two' });
  });

  it.each(['</think>', ' <', ' </thi'])(
    'buffers nothing after a tag that is part of the answer: %s',
    (end) => {
      const parted = fold(delta({ content: 'The </think> tag,' }), delta({ content: end }));
      const whole = fold(delta({ content: `The </think> tag,${end}` }));
      expect(texts(parted)).toEqual({ content: `The </think> tag,${end}`, reasoning: '' });
      expect(texts(parted)).toEqual(texts(whole));
    },
  );

  it('labels reasoning in the response view', () => {
    const tagged = fold(delta({ content: '<think>Two</think>Four' }), last('stop'));
    expect(chatOperation.response(tagged).sections.map(({ title }) => title)).toEqual([
      'Reasoning (from <think> tags)',
      'Text',
    ]);
    const plain = fold(delta({ reasoning_content: 'Two' }), delta({ content: 'Four' }));
    expect(plain.choices[0]).not.toHaveProperty('think');
  });

  it('ignores the closing tag if the gateway sends reasoning separately', () => {
    const state = fold(delta({ reasoning_content: 'Two' }), delta({ content: 'a</think>b' }));
    expect(texts(state)).toEqual({ content: 'a</think>b', reasoning: 'Two' });
  });
});
