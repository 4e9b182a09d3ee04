import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDemoGateway } from '../../electron/demo/server.ts';
import {
  type CodeClient,
  type CodeLanguage,
  getCode,
  getCodeClients,
  getCodeResponse,
} from '../../renderer/run/code/code-export.ts';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import type { CodeResponse } from '../../shared/operations/operation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { SentRequest } from '../../shared/run.ts';
import { type CodeRunner, canImport, canRun, startCodeRunner } from '../fixtures/code-runner.ts';
import { pixel } from '../fixtures/pixel.ts';
import { wav } from '../fixtures/sounds.ts';
import { startTestServices } from '../fixtures/test-services.ts';

interface Arrived {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Recorded {
  sent: SentRequest;
  response: CodeResponse;
  arrived: Arrived;
}

interface Case {
  name: string;
  operation: OperationName;
  request: JsonObject;
  extra?: JsonObject;
  official?: CodeClient;
}

const key = 'sk-demo-key';
// biome-ignore lint/suspicious/noTemplateCurlyInString: a shell or template must not expand it.
const awkward = 'It\'s "red" \\ $HOME `id` ${x} %s 你好 😀 \u2028\n\t</script>';
const photo = createMediaReference('photo');
const take = createMediaReference('take');
const call = { name: 'find', arguments: '{"q":"it\'s \\"$x\\""}' };
const ask = {
  model: 'demo-story',
  messages: [
    { role: 'system', content: awkward },
    { role: 'user', content: awkward },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: call }],
    },
    { role: 'tool', tool_call_id: 'c', content: awkward },
  ],
  tools: [{ type: 'function', function: { name: 'find', strict: true } }],
};
const look = {
  role: 'user',
  content: [
    { type: 'text', text: awkward },
    { type: 'image_url', image_url: { url: photo } },
  ],
};
const paint = { model: 'demo-image', contents: [{ role: 'user', parts: [{ text: awkward }] }] };
const inlineData = { mimeType: 'image/png', data: photo };
const film = { model: 'demo-video', prompt: awkward, duration: 4, width: 64, height: 36 };

/** Requests to export. `media:photo` and `media:take` are references to two files. */
const cases: readonly Case[] = [
  { name: 'chat', operation: 'chat', request: { ...ask, seed: 7 }, official: 'openai' },
  {
    name: 'chat with an image and a stream',
    operation: 'chat',
    request: { model: 'demo-story', messages: [look], stream: true },
    extra: { top_k: 5, 'a name': { deep: [1, null, true] } },
    official: 'openai',
  },
  {
    name: 'messages',
    operation: 'chat',
    request: { ...ask, format: 'messages', max_tokens: 99 },
    official: 'anthropic',
  },
  {
    name: 'messages with an image and a stream',
    operation: 'chat',
    request: { model: 'demo-story', messages: [look], format: 'messages', stream: true },
    extra: { max_tokens: 99, future_field: [awkward] },
    official: 'anthropic',
  },
  {
    name: 'responses with a stream',
    operation: 'chat',
    request: { ...ask, format: 'responses', stream: true },
    official: 'openai',
  },
  {
    name: 'completion with a stream',
    operation: 'completion',
    request: { model: 'demo-story', prompt: awkward, stream: true },
    official: 'openai',
  },
  { name: 'generateContent', operation: 'image', request: paint },
  {
    name: 'image generation',
    operation: 'image',
    request: { ...paint, format: 'images', size: '64x64' },
    official: 'openai',
  },
  {
    name: 'image edit',
    operation: 'image',
    request: {
      ...paint,
      contents: [{ role: 'user', parts: [{ text: awkward }, { inlineData }, { inlineData }] }],
      format: 'images',
      size: '64x64',
    },
    official: 'openai',
  },
  { name: 'video task', operation: 'video', request: { ...film, image: photo } },
  {
    name: 'videos',
    operation: 'video',
    request: { ...film, format: 'videos' },
    official: 'openai',
  },
  {
    name: 'videos with a first frame',
    operation: 'video',
    request: { ...film, format: 'videos', image: photo },
    official: 'openai',
  },
  {
    name: 'rerank',
    operation: 'rerank',
    request: { model: 'demo-rerank', query: awkward, documents: ['a', awkward] },
  },
  {
    name: 'embeddings',
    operation: 'embeddings',
    request: { model: 'demo-embed', input: [awkward, 'a'], dimensions: 8 },
    official: 'openai',
  },
  {
    name: 'speech',
    operation: 'speech',
    request: { model: 'demo-speech', input: awkward, voice: 'clear', response_format: 'wav' },
    official: 'openai',
  },
  {
    name: 'speech as events',
    operation: 'speech',
    request: { model: 'demo-speech', input: 'Hi', voice: 'clear' },
    extra: { stream_format: 'sse' },
    official: 'openai',
  },
  {
    name: 'transcription with a stream',
    operation: 'transcription',
    request: { model: 'demo-transcribe', file: take, stream: true },
    official: 'openai',
  },
  {
    name: 'transcription',
    operation: 'transcription',
    request: {
      model: 'demo-transcribe',
      file: take,
      prompt: awkward,
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
      temperature: 0.25,
    },
    official: 'openai',
  },
];

const recorded = new Map<string, Recorded>();
const files = { 'photo "1".png': pixel, 'take 1.wav': wav({ seconds: 1 }) };
const ends: (() => unknown)[] = [];
let arrived: Arrived[] = [];

beforeAll(async () => {
  const demo = await startDemoGateway({ port: 0, key, speed: 1000, videoSeconds: 1 });
  ends.push(demo.close);
  const baseUrl = await startRecorder(demo.baseUrl);
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  ends.push(() => rmSync(home, { recursive: true, force: true }));
  const services = await startTestServices({
    home,
    baseUrl,
    key,
    atEnd: (end) => ends.push(end),
  });
  const { engine, ledger, media } = services;
  const stored = new Map<string, string>();
  for (const [name, bytes] of Object.entries(files)) {
    const writer = media.begin({ name, declaredType: '', role: 'upload' });
    await writer.write(bytes);
    stored.set(name, createMediaReference((await writer.finish()).id));
  }
  const fill = (text: string) =>
    text.replace(/"media:(photo|take)"/g, (_all, word) =>
      JSON.stringify([...stored].find(([name]) => name.startsWith(word))?.[1]),
    );
  for (const { name, operation, request, extra: extraBody = {} } of cases) {
    arrived = [];
    const filled = parseJson(fill(JSON.stringify(request)));
    if (!isJsonObject(filled)) throw new Error('no object');
    const id = await engine.start({
      connectionId: 'environment',
      operation,
      request: filled,
      extraBody,
      wireNames: {},
    });
    const events = () =>
      ledger.events(id, { after: 0, limit: 2000, kinds: ['request', 'response'] }).events;
    await vi.waitFor(() => expect(events().map(({ kind }) => kind)).toContain('response'));
    const sent = events().find((event) => event.kind === 'request');
    const original = arrived.find(({ method }) => method === 'POST');
    if (sent === undefined || original === undefined) throw new Error('no request');
    const response = getCodeResponse(await engine.view(id), sent, null);
    recorded.set(name, { sent, response, arrived: original });
  }
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Starts a server that records requests and forwards them to the demo gateway. */
async function startRecorder(demoUrl: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const body = Buffer.concat(chunks);
      arrived.push({ method, path, headers, body: body.toString('latin1') });
      const onward = httpRequest(new URL(path, demoUrl), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the parts that must be equal. The boundary of a form is random. */
function getEssence({ method, path, headers, body }: Arrived) {
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1];
  return {
    method,
    path,
    authorization: headers.authorization,
    type: headers['content-type']?.replace(/;.*/, ''),
    version: headers['anthropic-version'],
    body: boundary === undefined ? body : hashFiles(body.replaceAll(boundary, 'BOUNDARY')),
  };
}

/** Replaces files with hashes so that a diff stays readable. */
function hashFiles(form: string): string {
  return form.replace(/(?<=Content-Type: .*\r\n\r\n)[\s\S]*?(?=\r\n--BOUNDARY)/g, (file) =>
    createHash('sha256').update(file, 'latin1').digest('hex'),
  );
}

/** Removes white space between values only. */
function minify(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

function find(name: string): Recorded {
  const found = recorded.get(name);
  if (found === undefined) throw new Error(`${name} was not recorded`);
  return found;
}

function prepareRunner(language: CodeLanguage) {
  let runner: CodeRunner;
  beforeAll(() => {
    runner = startCodeRunner(language, { GATEHOUSE_API_KEY: key });
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(join(runner.folder, name), bytes);
    }
  });
  afterAll(() => runner.close());
  return async (name: string, client: CodeClient) => {
    const { sent, response } = find(name);
    arrived = [];
    const output = await runner.run(getCode(language, sent, response, client));
    expect(response.kind === 'file' || output !== '').toBe(true);
    // Gatehouse may still be polling a video task.
    const repeated = arrived.find(({ method }) => method === 'POST');
    if (repeated === undefined) throw new Error('no request');
    return getEssence(repeated);
  };
}

const languages: readonly CodeLanguage[] = ['curl', 'python', 'typescript', 'go', 'java'];
/** Tests one request per kind, because programs in these languages are slow to start or compile. */
const kinds = [
  ...['chat', 'chat with an image and a stream', 'messages', 'image edit', 'video task'],
  ...['embeddings', 'speech', 'transcription'],
];
const slowCases = cases.filter(({ name }) => kinds.includes(name));

describe.each(languages)('%s', (language) => {
  if (!canRun(language)) {
    test('is skipped because its program or library isn’t installed', ({ skip }) => skip());
    return;
  }
  const run = prepareRunner(language);

  const isQuick = language === 'python' || language === 'typescript';
  test.each(isQuick ? cases : slowCases)('sends the bytes of $name', async ({ name }) => {
    const original = getEssence(find(name).arrived);
    const repeated = await run(name, 'http');
    // The curl command indents a JSON body, which doesn't change its values.
    const isIndented = language === 'curl' && original.type === 'application/json';
    expect({ ...repeated, body: isIndented ? minify(repeated.body) : repeated.body }).toEqual(
      original,
    );
  });
});

test('offers the official client for each request with a client method', () => {
  for (const { name, official } of cases) {
    const { sent, response } = find(name);
    for (const language of ['python', 'typescript'] as const) {
      const clients = getCodeClients(language, sent, response).map(({ value }) => value);
      expect(clients, name).toEqual(official === undefined ? ['http'] : ['http', official]);
    }
  }
});

const officialCases = cases.flatMap(({ name, official }) =>
  official === undefined ? [] : [{ name, official }],
);

/** Returns the fields to expect, including those that official clients change on purpose. */
function expectedOf(name: string) {
  const original = getEssence(find(name).arrived);
  if (name === 'embeddings') {
    return { ...original, body: original.body.replace(/}$/, ',"encoding_format":"float"}') };
  }
  if (name !== 'videos') return original;
  const fields = Object.entries(parseJson(original.body) ?? {}).map(
    ([field, value]) =>
      `--BOUNDARY\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${String(value).replaceAll('\n', '\r\n')}\r\n`,
  );
  return {
    ...original,
    type: 'multipart/form-data',
    body: `${fields.join('')}--BOUNDARY--\r\n`,
  };
}

function sortParts(essence: ReturnType<typeof getEssence>) {
  const { type, body } = essence;
  return type === 'multipart/form-data'
    ? { ...essence, body: body.replaceAll('\r\n', '\n').split('--BOUNDARY').sort() }
    : essence;
}

describe('official TypeScript clients', () => {
  const run = prepareRunner('typescript');

  test.each(officialCases)('$official sends the bytes of $name', async ({ name, official }) => {
    // The client puts lists last in forms.
    expect(sortParts(await run(name, official))).toEqual(sortParts(expectedOf(name)));
  });
});

/** Sorts the fields, because Python clients send them in their own order. */
function sortFields(essence: ReturnType<typeof getEssence>) {
  const isJson = essence.type === 'application/json';
  return isJson ? { ...essence, body: parseJson(essence.body) } : sortParts(essence);
}

describe('official Python clients', () => {
  if (!canImport('openai', 'anthropic')) {
    test('is skipped because the clients aren’t installed', ({ skip }) => skip());
    return;
  }
  const run = prepareRunner('python');

  test.each(officialCases)('$official sends the values of $name', async ({ name, official }) => {
    expect(sortFields(await run(name, official))).toEqual(sortFields(expectedOf(name)));
  });
});
