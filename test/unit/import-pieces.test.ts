import { expect, it } from 'vitest';
import {
  createFileConversation,
  createFileMessage,
  createForeignFile,
} from '../../electron/conversations/files/conversation-file.ts';
import { readPiece, writePieces } from '../../electron/conversations/files/import-pieces.ts';
import { ExactNumber } from '../../shared/exact-number.ts';
import { parseJson } from '../../shared/parse-json.ts';

function message(index: number, content: string) {
  const parentId = index === 0 ? null : String(index - 1);
  return createFileMessage({ id: String(index), parentId, role: 'user', content, createdAt: 1 });
}

function conversation(contents: readonly string[]) {
  const messages = contents.map((content, index) => message(index, content));
  const activeLeafId = messages.at(-1)?.id ?? null;
  return createFileConversation({ title: 'Talk', createdAt: 1, activeLeafId, messages });
}

const readAll = (...given: Parameters<typeof createForeignFile>) =>
  [...writePieces(createForeignFile(...given))].map(({ text, bytes }) => ({
    piece: readPiece(parseJson(text)),
    bytes,
  }));

const countMessages = (...given: Parameters<typeof createForeignFile>) =>
  readAll(...given).map(({ piece }) => (piece.kind === 'messages' ? piece.messages.length : 0));

it('writes the media, and each conversation before its messages', () => {
  const id = 'A'.repeat(22);
  const media = { id, name: 'a.txt', type: 'text/plain', role: 'upload' as const, data: 'SGk=' };
  const all = readAll([conversation(['Hi', 'Hello']), conversation([])], [media]);
  expect(all.map(({ piece }) => piece.kind)).toEqual([
    ...['head', 'media', 'conversation', 'messages', 'conversation'],
  ]);
  expect(Buffer.from(all[1]?.bytes ?? []).toString()).toBe('Hi');
  expect(all[3]?.piece).toMatchObject({ messages: [{ content: 'Hi' }, { content: 'Hello' }] });
});

it('splits many messages, and long ones', () => {
  const many = Array.from({ length: 250 }, () => 'Hi');
  expect(countMessages([conversation(many)])).toEqual([0, 0, 50, 50, 50, 50, 50]);
  const long = Array.from({ length: 3 }, () => 'x'.repeat(30_000));
  expect(countMessages([conversation(long)])).toEqual([0, 0, 1, 1, 1]);
});

it('rejects a message whose values would take long to read', () => {
  const parts = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'text' as const, text: '' }));
  const withParts = (count: number) => [
    ...writePieces(
      createForeignFile([
        createFileConversation({
          title: '',
          createdAt: 1,
          activeLeafId: null,
          messages: [{ ...message(0, ''), content: parts(count) }],
        }),
      ]),
    ),
  ];
  expect(withParts(20_000)).toHaveLength(3);
  expect(() => withParts(40_000)).toThrow('more than 100,000 values');
});

it('keeps numbers that JavaScript would round', () => {
  const exact = { ...message(0, 'Hi'), wire: { format: 'openai' as const, message: {} } };
  const id = new ExactNumber('12345678901234567890');
  const file = createForeignFile([{ ...conversation([]), messages: [exact] }]);
  Object.assign(exact.wire.message, { id });
  const texts = [...writePieces(file)].map(({ text }) => text).join();
  expect(texts).toContain('"id":12345678901234567890');
});
