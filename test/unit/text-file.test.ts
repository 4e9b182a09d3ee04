import { describe, expect, it } from 'vitest';
import {
  getAttachments,
  getTextParts,
  isSentAsText,
  isTextMedia,
  toWrittenContent,
} from '../../renderer/features/chat/conversation/written-message.ts';
import { buildChatMessages } from '../../shared/operations/chat/history.ts';
import type { Content } from '../../shared/operations/chat/message.ts';
import { readTextFile, writeTextFile } from '../../shared/operations/chat/text-file.ts';

const text = (words: string) => ({ type: 'text' as const, text: words });
const csv = text('data.csv\n```csv\na,b\n1,2\n```');

describe('a text file in a message', () => {
  it.each([
    ['data.csv', 'a,b\n1,2\n', csv.text],
    ['Dockerfile', 'FROM x\n', 'Dockerfile\n```\nFROM x\n```'],
    ['README.md', '```js\n1\n```\n', 'README.md\n````md\n```js\n1\n```\n````'],
    ['empty.json', '', 'empty.json\n```json\n```'],
    ['a\nb.py', 'x', 'a b.py\n```py\nx\n```'],
  ])('names and fences the file: %s', (name, content, expected) => {
    expect(writeTextFile({ name, text: content })).toBe(expected);
  });

  it('reads the file back with its name', () => {
    const file = { name: 'my notes.md', text: '````\nA\n````\n\nB `c`\n' };
    expect(readTextFile(text(writeTextFile(file)))).toEqual(file);
  });

  it.each(['Hello', '```js\n1\n```', 'See data.csv\n```csv\na\n```\nThanks'])(
    'finds no attached file in other text: %j',
    (words) => expect(readTextFile(text(words))).toBeNull(),
  );

  it('keeps files separate from the text of an edited message', () => {
    const content = toWrittenContent('Sum it', [csv]);
    expect(getTextParts(content)).toBe('Sum it');
    expect(getAttachments(content)).toEqual([csv]);
  });
});

describe('a message with text files', () => {
  function send(content: Content) {
    const message = {
      role: 'user' as const,
      content,
      name: null,
      reasoning: null,
      toolCalls: [],
      toolCallId: null,
      callRecord: null,
      audio: null,
      wire: null,
    };
    return buildChatMessages('', [message], { providerFields: 'automatic', now: 0 })[0]?.content;
  }

  it('sends one string', () => {
    expect(send([text('Sum it'), csv, csv])).toBe(`Sum it\n\n${csv.text}\n\n${csv.text}`);
  });

  it('sends parts if the message also has an image or a part with other fields', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'https://a.example/b.png' } };
    const marked = { ...text('Long'), cache_control: { type: 'ephemeral' } };
    expect(send([csv, image])).toEqual([csv, image]);
    expect(send([marked, csv])).toEqual([marked, csv]);
  });

  it('leaves messages without text files unchanged', () => {
    expect(send([text('a'), text('b')])).toEqual([text('a'), text('b')]);
  });
});

describe('an attached file', () => {
  it.each([
    ['file', 'text/plain', true],
    ['file', 'application/json', true],
    ['file', 'image/svg+xml', true],
    ['file', 'application/pdf', false],
    ['image', 'image/png', false],
  ] as const)('recognizes text by its type: %s %s', (kind, type, expected) => {
    expect(isTextMedia({ kind, type })).toBe(expected);
  });

  it('attaches text as a file if it is too long for most models', () => {
    const media = { kind: 'file', type: 'text/plain' } as const;
    expect(isSentAsText({ ...media, sizeBytes: 1_000_000 })).toBe(true);
    expect(isSentAsText({ ...media, sizeBytes: 1_000_001 })).toBe(false);
  });
});
