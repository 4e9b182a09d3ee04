import { expect, it } from 'vitest';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { createRandom } from '../fixtures/random.ts';

const count = (length: number) => Array.from({ length }, (_, at) => at);

/** Reads a ChatGPT export with these nodes, each `[id, parent, content]`. */
function measureCpuMs(nodes: (readonly [string, string | null, JsonObject])[]): number {
  const mapping = Object.fromEntries(
    nodes.map(([id, parent, content]): [string, JsonValue] => [
      id,
      { parent, message: { author: { role: 'assistant' }, create_time: 1, content, metadata: {} } },
    ]),
  );
  const bytes = new TextEncoder().encode(JSON.stringify([{ create_time: 1, mapping }]));
  const start = process.cpuUsage();
  const [conversation] = readConversationFile(bytes).conversations;
  const { user, system } = process.cpuUsage(start);
  expect(conversation?.messages.length).toBeGreaterThan(0);
  return (user + system) / 1000;
}

const text = { content_type: 'text', parts: ['Hi'] };
const hidden = { content_type: 'thoughts', thoughts: [] };

it('reads 60,000 siblings before their parent in less than five seconds', () => {
  const siblings = count(60_000).map((at) => [`m${at}`, 'root', text] as const);
  expect(measureCpuMs([...siblings, ['root', null, text]])).toBeLessThan(5000);
});

it('reads a chain of 60,000 messages in reverse order in less than five seconds', () => {
  const chain = count(60_000).map(
    (at) => [`m${at}`, at === 0 ? null : `m${at - 1}`, text] as const,
  );
  expect(measureCpuMs(chain.toReversed())).toBeLessThan(5000);
});

it('reads a chain of 60,000 messages in any order in less than five seconds', () => {
  const chain = count(60_000).map(
    (at) => [`m${at}`, at === 0 ? null : `m${at - 1}`, text] as const,
  );
  const { next } = createRandom(1);
  const shuffled = chain.map((one) => ({ one, key: next() })).sort((a, b) => a.key - b.key);
  expect(measureCpuMs(shuffled.map(({ one }) => one))).toBeLessThan(5000);
});

it('passes 15,000 hidden messages once for 15,000 answers, in less than three seconds', () => {
  const chain = count(15_000).map(
    (at) => [`h${at}`, at === 0 ? null : `h${at - 1}`, hidden] as const,
  );
  const answers = count(15_000).map((at) => [`m${at}`, 'h14999', text] as const);
  expect(measureCpuMs([...answers, ...chain])).toBeLessThan(3000);
});
