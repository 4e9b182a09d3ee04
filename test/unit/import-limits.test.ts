import { expect, it } from 'vitest';
import {
  type ImportLimits,
  importLimits,
} from '../../electron/conversations/files/import-limits.ts';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';
import type { JsonValue } from '../../shared/json.ts';

const count = (length: number) => Array.from({ length }, (_, at) => at);

function read(file: JsonValue, limits: Partial<ImportLimits> = {}) {
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  return readConversationFile(bytes, { ...importLimits, ...limits }).conversations;
}

interface NodeFields {
  text?: string;
  hidden?: boolean;
  thoughts?: string;
  time?: number;
  metadata?: { [name: string]: JsonValue };
}

/** Makes a node of a ChatGPT export. */
function node(
  parent: string | null,
  { text = 'Hi', hidden = false, thoughts, time = 1, metadata = {} }: NodeFields = {},
): JsonValue {
  const content =
    thoughts === undefined
      ? { content_type: 'text', parts: [text] }
      : { content_type: 'thoughts', thoughts: [{ summary: thoughts, content: '' }] };
  const author = { role: thoughts === undefined && !hidden ? 'user' : 'assistant' };
  const marked = { ...metadata, is_visually_hidden_from_conversation: hidden };
  return { parent, message: { author, create_time: time, content, metadata: marked } };
}

const chat = (mapping: { [id: string]: JsonValue }): JsonValue => [
  { title: 'Talk', create_time: 1, mapping },
];

it('replaces each reference once, even if its text contains the mark', () => {
  const references = Array.from({ length: 40 }, () => ({ matched_text: 'a', alt: 'aa' }));
  const [conversation] = read(
    chat({ m: node(null, { text: 'bab', metadata: { content_references: references } }) }),
  );
  expect(conversation?.messages[0]?.content).toBe('baab');
});

it('replaces the longest of the marks at one position', () => {
  const content_references = [
    { matched_text: '[1]', alt: 'one' },
    { matched_text: '[1][2]', alt: 'both' },
    { matched_text: '[2]', alt: 'two' },
  ];
  const text = 'See [1][2], [2] and [1].';
  const [conversation] = read(chat({ m: node(null, { text, metadata: { content_references } }) }));
  expect(conversation?.messages[0]?.content).toBe('See both, two and one.');
});

it('rejects references that make a text larger than the file', () => {
  const metadata = { content_references: [{ matched_text: 'a', alt: 'b'.repeat(1000) }] };
  const file = chat({ m: node(null, { text: 'a'.repeat(1000), metadata }) });
  expect(() => read(file, { textBytes: 1000 })).toThrow('The file repeats its texts too often.');
});

it('rejects too many references in long texts', () => {
  const content_references = count(100).map((at) => ({ matched_text: `<${at}>`, alt: '' }));
  const metadata = { content_references };
  const file = chat({ m: node(null, { text: 'a'.repeat(1000), metadata }) });
  expect(() => read(file, { searchedLength: 99_000 })).toThrow('too many references');
});

it('rejects a file whose answers repeat long thoughts', () => {
  const thoughts = Object.fromEntries(
    count(100).map((at) => [
      `t${at}`,
      node(at === 0 ? null : `t${at - 1}`, { thoughts: 'Let me think.'.repeat(5) }),
    ]),
  );
  const answer = { author: { role: 'assistant' }, create_time: 1 };
  const content = { content_type: 'text', parts: ['Yes'] };
  const metadata = { model_slug: 'o3' };
  const answers = Object.fromEntries(
    count(100).map((at) => [
      `a${at}`,
      { parent: 't99', message: { ...answer, content, metadata } },
    ]),
  );
  const limits = { textBytes: 1000 };
  const [one] = read(chat({ ...thoughts, a0: answers.a0 ?? null }), limits);
  expect(one?.messages[0]?.reasoning?.split('\n\n')).toHaveLength(100);
  expect(() => read(chat({ ...thoughts, ...answers }), limits)).toThrow('repeats its texts');
});

it('rejects a block that messages repeat until it is larger than the file', () => {
  const messages = count(50).map((at) => ({ id: `m${at}`, role: 'user', blocks: ['b'] }));
  const file: JsonValue = {
    localStorage: {},
    indexedDB: {
      topics: [{ id: 't', messages }],
      message_blocks: [{ id: 'b', type: 'main_text', content: 'x'.repeat(2000) }],
    },
  };
  expect(read(file)[0]?.messages).toHaveLength(50);
  expect(() => read(file, { textBytes: 1000 })).toThrow('The file repeats its texts too often.');
});

it('rejects more conversations and messages than the limit', () => {
  const file = chat(Object.fromEntries(count(10).map((at) => [`m${at}`, node(null)])));
  expect(read(file, { nodes: 11 })[0]?.messages).toHaveLength(10);
  expect(() => read(file, { nodes: 10 })).toThrow('more than 10 conversations and messages');
});

it('rejects more JSON values than the limit, but ignores those in texts', () => {
  const file = chat({ m: node(null, { text: `${'[{,'.repeat(50)}\\"[[` }) });
  expect(read(file, { values: 30 })).toHaveLength(1);
  const longer = chat({ m: node(null, { metadata: { list: count(30) } }) });
  expect(() => read(longer, { values: 30 })).toThrow('million values');
});

it('reads times outside the calendar as missing', () => {
  const [conversation] = read(
    chat({ m: node(null, { time: 1e306 }), n: node('m', { time: -1e308 }), o: node('n') }),
  );
  expect(conversation?.messages.map(({ createdAt }) => createdAt)).toEqual([1000, 1000, 1000]);
});

it('keeps siblings in order behind their parent, wherever it is', () => {
  const [conversation] = read(
    chat({ c: node('b'), b2: node('a'), b: node('a'), d: node('c'), a: node(null), e: node('d') }),
  );
  expect(conversation?.messages.map(({ id }) => id)).toEqual(['a', 'b2', 'b', 'c', 'd', 'e']);
});

it('rejects hidden messages whose parents form a loop', () => {
  const file = chat({
    a: node('b', { hidden: true }),
    b: node('a', { hidden: true }),
    c: node('a'),
  });
  expect(() => read(file)).toThrow('form a loop');
});
