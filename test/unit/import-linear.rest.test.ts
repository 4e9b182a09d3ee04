import { expect, it } from 'vitest';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';
import { createRandom } from '../fixtures/random.ts';

type Node = readonly [id: string, parent: string | null, content: JsonObject];

const count = (length: number) => Array.from({ length }, (_, at) => at);
const text = { content_type: 'text', parts: ['Hi'] };
const hidden = { content_type: 'thoughts', thoughts: [] };

function chain(size: number, letter: string, content: JsonObject): Node[] {
  return count(size).map((at) => [
    `${letter}${at}`,
    at === 0 ? null : `${letter}${at - 1}`,
    content,
  ]);
}

function shuffle(nodes: Node[]): Node[] {
  const { next } = createRandom(1);
  const keyed = nodes.map((node) => ({ node, key: next() })).sort((a, b) => a.key - b.key);
  return keyed.map(({ node }) => node);
}

/** Writes a ChatGPT export with these nodes. */
function writeExport(nodes: Node[]): Uint8Array {
  const mapping = Object.fromEntries(
    nodes.map(([id, parent, content]): [string, JsonValue] => [
      id,
      { parent, message: { author: { role: 'assistant' }, create_time: 1, content, metadata: {} } },
    ]),
  );
  return new TextEncoder().encode(JSON.stringify([{ create_time: 1, mapping }]));
}

it.each<[string, number, (size: number) => Node[]]>([
  [
    'siblings before their parent',
    60_000,
    (size) => [...count(size).map((at): Node => [`m${at}`, 'root', text]), ['root', null, text]],
  ],
  ['a chain in reverse order', 60_000, (size) => chain(size, 'm', text).toReversed()],
  ['a chain in any order', 60_000, (size) => shuffle(chain(size, 'm', text))],
  [
    'answers after hidden messages, which it passes once',
    15_000,
    (size) => [
      ...count(size).map((at): Node => [`m${at}`, `h${size - 1}`, text]),
      ...chain(size, 'h', hidden),
    ],
  ],
])('reads %s in linear time', (_name, size, toNodes) =>
  expectLinear(
    size,
    (items) => writeExport(toNodes(items)),
    (bytes) => {
      const [conversation] = readConversationFile(bytes).conversations;
      expect(conversation?.messages.length).toBeGreaterThan(0);
    },
  ),
);
