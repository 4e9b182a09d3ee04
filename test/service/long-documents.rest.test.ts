/** Covers documents that are long enough to be read on a thread. */
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDocumentThread } from '../../electron/operations/document-thread.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { pixel } from '../fixtures/pixel.ts';
import { type Bench, benchOn, testKey } from '../fixtures/run-operation.ts';
import { shareServices } from '../fixtures/test-services.ts';
import { always, jsonReply, type Script, startWireServer } from '../fixtures/wire-server.ts';

const LONG = 1_500_000;
const messages = [{ role: 'user', content: 'Hi' }];
const words = 'The “gate” \n '.repeat(LONG / 12);
const vector = Array.from({ length: 1024 }, (_, at) => (at % 97) / 128 - 0.25);

interface Case {
  operation: OperationName;
  request: JsonObject;
  /** The status and the body of the response. */
  status?: string;
  body: unknown;
}

const cases: Record<string, Case> = {
  'an answer': {
    operation: 'chat',
    request: { model: 'm', messages },
    body: {
      choices: [
        { index: 0, message: { role: 'assistant', content: words }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    },
  },
  'an answer with the key in it, in one piece and in two': {
    operation: 'chat',
    request: { model: 'm', messages },
    body: {
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: `${testKey} ${words}`,
            tool_calls: [testKey.slice(0, 9), testKey.slice(9)].map((name) => ({
              type: 'function',
              function: { name },
            })),
          },
        },
      ],
    },
  },
  'numbers that a double would round': {
    operation: 'rerank',
    request: { model: 'm', query: 'q', documents: ['a', 'b'] },
    body: `{"results":[{"index":0,"relevance_score":0.5}],"id":12345678901234567890,"more":${JSON.stringify(words)}}`,
  },
  vectors: {
    operation: 'embeddings',
    request: { model: 'm', input: Array.from({ length: 300 }, (_, at) => `input ${at}`) },
    body: {
      data: Array.from({ length: 300 }, (_, index) => ({ index, embedding: vector })),
      usage: { prompt_tokens: 9, total_tokens: 9 },
    },
  },
  images: {
    operation: 'image',
    request: { model: 'm', contents: [{ parts: [{ text: 'A gate' }] }] },
    body: {
      candidates: [
        {
          content: {
            parts: [0, 1].map((at) => ({
              inlineData: {
                mimeType: 'image/png',
                data: Buffer.concat([pixel, Buffer.alloc(LONG + at)]).toString('base64'),
              },
            })),
          },
        },
      ],
    },
  },
  'JSON in the Console': {
    operation: 'console',
    request: { method: 'GET', path: '/v1/things', body: null },
    body: { things: Array.from({ length: 60_000 }, (_, id) => ({ id, name: `thing ${id}` })) },
  },
  'an error': {
    operation: 'chat',
    request: { model: 'm', messages },
    status: '429 Too Many Requests',
    body: { error: { message: 'Slow down.', detail: words } },
  },
  'an error with status 200': {
    operation: 'chat',
    request: { model: 'm', messages },
    body: { error: { message: 'No such model.', detail: words } },
  },
  'JSON that ends early': {
    operation: 'chat',
    request: { model: 'm', messages },
    body: `{"choices":[{"message":{"content":${JSON.stringify(words)}`,
  },
};

let script: Script = () => undefined;
const server = await startWireServer((exchange) => script(exchange));
afterAll(() => server.close());
const gateway = { baseUrl: server.url, key: testKey };
const onThreads = benchOn(server, await shareServices({ ...gateway, onThreads: true }));
const inline = benchOn(server, await shareServices(gateway));

function serve({ status, body }: Case): void {
  script = always(jsonReply(body, status));
}

/** Returns what the run left, without what differs between two runs. */
async function getResult(bench: Bench, each: Case) {
  serve(each);
  const { id, status, error, figures, state, ...run } = await bench.run(
    each.operation,
    each.request,
  );
  // Files of one response are written at once, and listed as they are done.
  const media = run.media.toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  const bodies = bench.events(id, 'body').map(({ text, truncated }) => ({ text, truncated }));
  const ids = new Map(media.map((item, at) => [item.id, `media ${at}`]));
  const normalize = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(/[\w-]{22}/g, (found) => ids.get(found) ?? found)
      .replaceAll(/"(name|createdAt)":(?:"[^"]*"|\d+)/g, '"$1":null');
  return {
    status,
    error,
    files: media.map(({ kind, sizeBytes }) => ({ kind, sizeBytes })),
    figures,
    // The order of a file's fields depends on when it is done.
    state: JSON.parse(normalize({ ...(state as object), media })) as unknown,
    bodies: normalize(bodies),
  };
}

/** Returns the length of the longest text that was parsed on this thread during the run. */
async function getLongestParse({ services, start }: Bench, each: Case): Promise<number> {
  serve(each);
  const parse = vi.spyOn(JSON, 'parse');
  const runId = await start(each.operation, each.request);
  for await (const _update of services.engine.watch(runId, null, undefined)) {
  }
  return Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
}

it('fails if its thread ends, and the next one gets another thread', async () => {
  const thread = createDocumentThread();
  onTestFinished(() => thread.close());
  const open = () => thread.open({ contentType: null, secrets: [] });
  const document = open();
  document.write(Buffer.from('{"a":'));
  const reading = document.read(LONG);
  await Promise.all([expect(reading).rejects.toThrow('ended'), thread.close()]);
  await expect(document.text()).rejects.toThrow('ended');
  document.close();
  const next = open();
  next.write(Buffer.from('{"b":'));
  next.write(Buffer.from('1}'));
  await next.read(LONG);
  expect([next.length, await next.text()]).toEqual([7, '{"b":1}']);
  next.close();
});

describe.each(Object.entries(cases))('a long document: %s', (_name, each) => {
  it('is read on a thread as on the main thread', async () => {
    const expected = await getResult(inline, each);
    expect(expected.bodies).not.toContain(testKey);
    expect(await getResult(onThreads, each)).toEqual(expected);
  });

  it('isn’t parsed on the main thread', async () => {
    expect(await getLongestParse(onThreads, each)).toBeLessThan(100_000);
    expect(await getLongestParse(inline, each)).toBeGreaterThan(LONG);
  });
});
