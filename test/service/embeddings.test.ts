import { expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { readNpy } from '../../shared/operations/embeddings/npy.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { RunView } from '../../shared/run-view.ts';
import { type Bench, shareBench, startBench } from '../fixtures/run-operation.ts';
import { always, jsonReply, type Script } from '../fixtures/wire-server.ts';

const request = { model: 'embed-1', input: ['a', 'b', 'c'] };

const serveWith = await shareBench();
const answers = (body: JsonValue) => serveWith(always(jsonReply(JSON.stringify(body))));

/** Returns the rows of the run's file, with null for an input without a vector. */
async function readVectors({ services }: Bench, { media }: RunView): Promise<(number[] | null)[]> {
  const { buffer, byteOffset, byteLength } = await services.media.readBytes(media[0]?.id ?? '');
  const file = readNpy(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  if (file === null) throw new TypeError('Not a file of vectors.');
  const { values, dimensions } = file;
  return Array.from({ length: values.length / dimensions }, (_, row) => {
    const vector = Array.from(values.subarray(row * dimensions, (row + 1) * dimensions));
    return Number.isNaN(vector[0]) ? null : vector;
  });
}

const item = (index: number, embedding: JsonValue) => ({ object: 'embedding', index, embedding });
const base64 = (values: number[]) =>
  Buffer.from(Float32Array.from(values).buffer).toString('base64');

it('sends the fields unchanged, except those that only Gatehouse uses', async () => {
  const bench = answers({ data: [item(0, [1, 0]), item(1, [0, 1]), item(2, [1, 1])] });
  const view = await bench.run(
    'embeddings',
    { ...request, dimensions: 2, encoding_format: 'float', user: 'u-1', batch_size: 10 },
    { input_type: 'query' },
  );
  const [sent = ''] = bench.server.requests;
  expect(sent.split('\r\n')[0]).toBe('POST /v1/embeddings HTTP/1.1');
  expect(JSON.parse(sent.slice(sent.indexOf('\r\n\r\n')))).toEqual({
    ...request,
    dimensions: 2,
    encoding_format: 'float',
    user: 'u-1',
    input_type: 'query',
  });
  expect(view).toMatchObject({ status: 'succeeded', preview: 'a' });
});

it.each<[string, JsonValue]>([
  ['floats', { data: [item(0, [0.5, 1]), item(1, [2, 3]), item(2, [4, 5])] }],
  [
    'base64',
    { data: [item(0, base64([0.5, 1])), item(1, base64([2, 3])), item(2, base64([4, 5]))] },
  ],
  ['indexes out of order', { data: [item(2, [4, 5]), item(0, [0.5, 1]), item(1, [2, 3])] }],
  [
    'indexes as text',
    {
      data: [
        item(0, [0.5, 1]),
        { index: '2', embedding: [4, 5] },
        { index: '1', embedding: [2, 3] },
      ],
    },
  ],
  [
    'items without an index',
    { data: [{ embedding: [0.5, 1] }, { embedding: [2, 3] }, { embedding: [4, 5] }] },
  ],
  ['a nested list', { data: [item(0, [[0.5, 1]]), item(1, [[2, 3]]), item(2, [[4, 5]])] }],
  ['a bare list of items', [item(0, [0.5, 1]), item(1, [2, 3]), item(2, [4, 5])]],
  [
    'Ollama’s embeddings',
    {
      embeddings: [
        [0.5, 1],
        [2, 3],
        [4, 5],
      ],
    },
  ],
  [
    'Cohere’s types',
    {
      embeddings: {
        float: [
          [0.5, 1],
          [2, 3],
          [4, 5],
        ],
      },
    },
  ],
  [
    'Gemini’s values',
    { embeddings: [{ values: [0.5, 1] }, { values: [2, 3] }, { values: [4, 5] }] },
  ],
  [
    'DashScope’s output',
    {
      output: {
        embeddings: [
          { text_index: 0, embedding: [0.5, 1] },
          { text_index: 1, embedding: [2, 3] },
          { text_index: 2, embedding: [4, 5] },
        ],
      },
    },
  ],
])('reads %s', async (_name, body) => {
  const bench = answers(body);
  const view = await bench.run('embeddings', request);
  expect(view.error).toBeNull();
  expect(view).toMatchObject({ status: 'succeeded', figures: { noResult: null } });
  expect(view.state).toMatchObject({ dimensions: 2, doneCount: 3, vectorCount: 3, missing: [] });
  expect(view.state.warnings).toEqual([]);
  expect(await readVectors(bench, view)).toEqual([
    [0.5, 1],
    [2, 3],
    [4, 5],
  ]);
});

it.each<[string, string, string, number[]]>([
  ['int8', 'base64_int8', Buffer.from([255, 2]).toString('base64'), [-1, 2]],
  ['uint8', 'base64_uint8', Buffer.from([255, 2]).toString('base64'), [255, 2]],
  [
    'bits',
    'base64_binary',
    Buffer.from([0b10100000]).toString('base64'),
    [-1, -1, -1, -1, -1, 1, -1, 1],
  ],
])('decodes base64 of %s', async (_name, format, text, vector) => {
  const bench = answers({ data: [item(0, text)] });
  const view = await bench.run('embeddings', { ...request, input: ['a'], encoding_format: format });
  expect(await readVectors(bench, view)).toEqual([vector]);
});

it('keeps vectors out of the recorded response', async () => {
  const bench = answers({
    data: [item(0, [1, 0.25])],
    model: 'm',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  });
  const view = await bench.run('embeddings', { ...request, input: ['a'] });
  const [body] = bench.events(view.id, 'body');
  expect(parseJson(body?.text ?? '')).toEqual({
    data: [
      item(0, { media: `media:${view.media[0]?.id}`, row: 0, dimensions: 2, encoding: 'float' }),
    ],
    model: 'm',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  });
  expect(view.figures).toMatchObject({ model: 'm', usage: { prompt_tokens: 4 } });
});

it.each<[string, JsonValue[], (number[] | null)[]]>([
  ['too few vectors', [item(0, [1, 2]), item(2, [3, 4])], [[1, 2], null, [3, 4]]],
  ['another length', [item(0, [1, 2]), item(1, [3]), item(2, [5, 6])], [[1, 2], null, [5, 6]]],
  [
    'a vector per token',
    [
      item(0, [1, 2]),
      item(1, [
        [1, 2],
        [3, 4],
      ]),
      item(2, [5, 6]),
    ],
    [[1, 2], null, [5, 6]],
  ],
  [
    'text instead of numbers',
    [item(0, [1, 2]), item(1, ['x', 'y']), item(2, null)],
    [[1, 2], null, null],
  ],
  [
    'base64 of another size',
    [item(0, [1, 2]), item(1, 'AAAAAA=='), item(2, '!')],
    [[1, 2], null, null],
  ],
])('marks inputs without a vector: %s', async (_name, data, rows) => {
  const bench = answers({ data });
  const view = await bench.run('embeddings', request);
  expect(await readVectors(bench, view)).toEqual(rows);
  expect(view.state.missing).toEqual([0, 1, 2].filter((row) => rows[row] === null));
  expect(view.state.warnings).toContain('Some inputs have no vector.');
});

it('warns about repeated and unknown indexes', async () => {
  const bench = answers({
    data: [item(0, [1, 2]), item(0, [9, 9]), item(7, [9, 9]), item(1, [3, 4]), item(2, [5, 6])],
  });
  const view = await bench.run('embeddings', request);
  expect(await readVectors(bench, view)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  expect(view.state.warnings).toEqual([
    'Some vectors couldn’t be used: wrong length, wrong index or not numbers.',
  ]);
});

it.each<[string, JsonValue, string]>([
  ['an empty list', { data: [] }, 'The response contains no vectors.'],
  ['no list', { id: 'x' }, 'The response has no list of vectors.'],
  ['no numbers', { data: [item(0, 'not base64!')] }, 'None of the vectors could be read.'],
])('explains why a response with %s has no vectors', async (_name, body, reason) => {
  const view = await answers(body).run('embeddings', { ...request, input: 'a' });
  expect(view).toMatchObject({ status: 'succeeded', figures: { noResult: reason }, media: [] });
});

it('doesn’t send a request without an input', async () => {
  const bench = answers({});
  await expect(bench.start('embeddings', { ...request, input: [] })).rejects.toMatchObject({
    error: { fields: [{ path: ['input'], message: 'Add at least one input.' }] },
  });
  expect(bench.server.requests).toEqual([]);
});

const inputs = Array.from({ length: 5 }, (_, at) => `${at}`);

function readInput(text: string): string[] {
  const body = parseJson(text.slice(text.indexOf('\r\n\r\n')));
  return isJsonObject(body) && Array.isArray(body.input) ? body.input.map(String) : [];
}

/** Answers with the number in each text. Fails the request that contains `failAt`. */
function countingGateway(failAt: string | null = null): Script {
  return async ({ request: sent, send, end }) => {
    const texts = readInput(sent);
    const isBad = failAt !== null && texts.includes(failAt);
    const data = texts.map((text, index) => item(index, [Number(text), 1]));
    const body: JsonObject = isBad
      ? { error: { message: 'Too long' } }
      : { data, usage: { prompt_tokens: texts.length, total_tokens: texts.length } };
    await send(jsonReply(JSON.stringify(body), isBad ? '400 Bad Request' : '200 OK'));
    end();
  };
}

it('sends inputs in batches of one run, and adds up their usage', async () => {
  const bench = await startBench(countingGateway());
  const view = await bench.run('embeddings', { model: 'm', input: inputs, batch_size: 2 });
  expect(bench.server.requests.map(readInput)).toEqual([['0', '1'], ['2', '3'], ['4']]);
  expect(await readVectors(bench, view)).toEqual(inputs.map((text) => [Number(text), 1]));
  expect(view.state).toMatchObject({ doneCount: 5, vectorCount: 5, usage: { prompt_tokens: 5 } });
  expect(view.media).toMatchObject([{ complete: true, declaredType: 'application/x-npy' }]);
});

it('keeps the vectors from before a failed batch, and resumes after them', async () => {
  const bench = await startBench(countingGateway('3'));
  const failed = await bench.run('embeddings', { model: 'm', input: inputs, batch_size: 2 });
  expect(failed).toMatchObject({ status: 'failed', state: { doneCount: 2, vectorCount: 2 } });
  expect(await readVectors(bench, failed)).toEqual([[0, 1], [1, 1], null, null, null]);
  const again = await startBench(countingGateway());
  const [media] = failed.media;
  const bytes = await bench.services.media.readBytes(media?.id ?? '');
  const id = await again.store('vectors.npy', 'application/x-npy', bytes);
  const resume = { media: `media:${id}`, count: 2, dimensions: 2 };
  const view = await again.run('embeddings', { model: 'm', input: inputs, batch_size: 2, resume });
  expect(again.server.requests.map(readInput)).toEqual([['2', '3'], ['4']]);
  expect(await readVectors(again, view)).toEqual(inputs.map((text) => [Number(text), 1]));
  expect(view.state).toMatchObject({ doneCount: 5, vectorCount: 5 });
});

it('keeps the vectors that arrived before the user stopped', async () => {
  let answered = 0;
  const gateway = countingGateway();
  const bench = await startBench(async (exchange) => {
    answered += 1;
    if (answered < 3) await gateway(exchange);
  });
  const id = await bench.start('embeddings', { model: 'm', input: inputs, batch_size: 2 });
  await expect.poll(() => answered).toBe(3);
  await bench.services.engine.cancel(id);
  const view = await bench.ended('embeddings', id);
  expect(view).toMatchObject({
    status: 'cancelled',
    state: { doneCount: 4 },
    media: [{ complete: true }],
  });
  expect(await readVectors(bench, view)).toEqual([[0, 1], [1, 1], [2, 1], [3, 1], null]);
});

it('stops sending batches after a response without vectors', async () => {
  const bench = answers({ data: [] });
  const view = await bench.run('embeddings', { model: 'm', input: inputs, batch_size: 2 });
  expect(bench.server.requests).toHaveLength(1);
  expect(view).toMatchObject({ status: 'failed', error: { kind: 'malformed-response' } });
});

it('sends images as base64', async () => {
  const bench = answers({ data: [item(0, [1, 2])] });
  const png = Buffer.from('iVBORw0KGgo=', 'base64');
  const id = await bench.store('dot.png', 'image/png', png);
  const view = await bench.run('embeddings', { model: 'm', input: [{ image: `media:${id}` }] });
  const [sent = ''] = bench.server.requests;
  expect(sent).toContain('"input":[{"image":"iVBORw0KGgo="}]');
  expect(view).toMatchObject({ status: 'succeeded', preview: 'Image' });
});
