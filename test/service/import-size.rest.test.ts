/** Measures how much the data folder grows by imported files, up to the largest. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAX_CONVERSATION_FILE_BYTES } from '../../shared/conversation.ts';
import type { JsonValue } from '../../shared/json.ts';
import { importText } from '../fixtures/conversation-files.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { createRandom } from '../fixtures/random.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const { next } = createRandom(1);
const pick = (from: number, count: number) =>
  String.fromCharCode(from + Math.floor(next() * count));
const build = (length: number, makePart: () => string) => {
  let text = '';
  while (text.length < length) text += makePart();
  return text;
};
const words = Array.from({ length: 3000 }, () =>
  build(2 + Math.floor(next() * 9), () => pick(97, 26)),
);
const sampleText = build(4_000_000, () => `${words[Math.floor(next() ** 2 * words.length)]} `);
const sampleNoise = build(1_000_000, () => (next() < 0.1 ? ' ' : pick(97, 26) + pick(48, 10)));
const sampleHan = build(1_000_000, () => pick(0x4e00, 0x5000));

/** Returns another part of the sample each time. */
function cutFrom(sample: string, length: number): string {
  const at = Math.floor(next() * (sample.length - length));
  return sample.slice(at, at + length);
}

const user = (content: JsonValue) => ({ role: 'user', content });
const many = (count: number, make: () => string) =>
  Array.from({ length: count }, () => user(make()));
const image = () => {
  const data = Buffer.from(
    build(2000, () => pick(0, 256)),
    'latin1',
  ).toString('base64');
  return user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }]);
};
const call = (text: string, at: number) => ({
  id: `call-${at}`,
  type: 'function',
  function: { name: 'find', arguments: JSON.stringify({ text }) },
});
const result = (text: string, at: number) => ({
  role: 'tool',
  tool_call_id: `call-${at}`,
  content: `${'['.repeat(500)}${JSON.stringify(text)}${']'.repeat(500)}`,
});
const turn = () => {
  const texts = Array.from({ length: 20 }, () => cutFrom(sampleText, 400));
  const calls = { role: 'assistant', content: null, tool_calls: texts.map(call) };
  return [user('Look'), calls, ...texts.map(result)];
};

const MIB = 2 ** 20;
const largest = MAX_CONVERSATION_FILE_BYTES / MIB;
const shapes: [mib: number, shape: string, makeMessages: () => JsonValue[]][] = [
  [largest, 'long messages', () => many(1, () => cutFrom(sampleText, 99_000))],
  [largest, 'few huge messages', () => many(1, () => cutFrom(sampleText, 3_900_000))],
  // Each further Chinese text adds less to the search index.
  [32, 'Chinese text', () => many(95, () => cutFrom(sampleHan, 228))],
  // Part of the largest file is enough, because these grow in proportion at any size.
  [8, 'short messages', () => many(95, () => cutFrom(sampleText, 680))],
  [8, 'noise without repeated words', () => many(95, () => cutFrom(sampleNoise, 680))],
  [8, 'tool calls with deep results', turn],
  // Images are written to disk one by one, which takes long on a slow disk.
  [2, 'small images', () => Array.from({ length: 95 }, image)],
];

function makeFile(maxBytes: number, makeMessages: () => JsonValue[]): Buffer {
  const lines: Buffer[] = [];
  for (let length = 0; ; ) {
    const line = Buffer.from(`${JSON.stringify({ messages: makeMessages() })}\n`);
    length += line.length;
    if (length > maxBytes) return Buffer.concat(lines);
    lines.push(line);
  }
}

function getFolderSize(folder: string): number {
  const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? getFolderSize(path) : statSync(path).size;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

it.each(shapes)('grows less than four times by %s MiB of %s', async (mib, _, makeMessages) => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const before = getFolderSize(home);
  const file = makeFile(mib * MIB, makeMessages);
  await importText(services, file);
  // Empties SQLite's log, whose size doesn't depend on the file.
  await services.close();
  const growth = (getFolderSize(home) - before) / file.length;
  expect(file.length).toBeGreaterThan(0.85 * mib * MIB);
  expect(growth).toBeLessThan(4);
});
