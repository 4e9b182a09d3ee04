/** Measures how much the data folder grows by the largest files that can be imported. */
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

const shapes: Record<string, () => JsonValue[]> = {
  'as many messages as a file may have': () => many(95, () => cutFrom(sampleText, 680)),
  'noise without repeated words': () => many(95, () => cutFrom(sampleNoise, 680)),
  'Chinese text': () => many(95, () => cutFrom(sampleHan, 228)),
  'long messages': () => many(1, () => cutFrom(sampleText, 99_000)),
  'few huge messages': () => many(1, () => cutFrom(sampleText, 3_900_000)),
  'small images': () => Array.from({ length: 95 }, image),
  'tool calls with deep results': turn,
};

function makeFile(makeMessages: () => JsonValue[]): Buffer {
  const lines: Buffer[] = [];
  for (let length = 0; ; ) {
    const line = Buffer.from(`${JSON.stringify({ messages: makeMessages() })}\n`);
    length += line.length;
    if (length > MAX_CONVERSATION_FILE_BYTES) return Buffer.concat(lines);
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

it.each(Object.entries(shapes))(
  'grows less than three times by 64 MiB of %s',
  {
    timeout: 1_800_000,
  },
  async (_name, makeMessages) => {
    const home = temporaryFolder();
    const services = await startTestServices({ home });
    const before = getFolderSize(home);
    const file = makeFile(makeMessages);
    await importText(services, file);
    const growth = (getFolderSize(home) - before) / file.length;
    expect(file.length).toBeGreaterThan(0.9 * MAX_CONVERSATION_FILE_BYTES);
    expect(growth).toBeLessThan(3);
  },
);
