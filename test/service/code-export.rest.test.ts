import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeLanguages, getCode } from '../../renderer/run/code/code-export.ts';
import type { CodeResponse } from '../../shared/operations/operation.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { SentRequest } from '../../shared/run.ts';
import { type CodeRunner, canRun, startCodeRunner } from '../fixtures/code-runner.ts';
import {
  awkwardBody as awkward,
  codeSecrets,
  recordedHeaders as headers,
  serveCode,
} from '../fixtures/exported-code.ts';

const photo = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7) % 256));
const mediaId = 'AAAAAAAAAAAAAAAAAAAAAA';

const languages = codeLanguages.map(({ value }) => ({ language: value, runs: canRun(value) }));
test.for(languages.filter(({ runs }) => !runs))(
  'is skipped for $language because its program or library isn’t installed',
  (_language, { skip }) => skip(),
);

describe.each(languages.filter(({ runs }) => runs))('$language', ({ language }) => {
  let runner: CodeRunner;
  beforeAll(() => {
    runner = startCodeRunner(language, codeSecrets);
  });
  afterAll(() => runner.close());

  async function execute(
    sent: SentRequest,
    {
      reply = { kind: 'text' },
      files = {},
    }: { reply?: CodeResponse; files?: Record<string, string | Buffer> } = {},
  ): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(runner.folder, name), content);
    }
    return runner.run(getCode(language, sent, reply));
  }

  test('sends the same request, with the key from the environment', async () => {
    const { arrived, baseUrl } = await serveCode({ body: '{"ok":true}' });
    const url = `${baseUrl}/v1/chat/completions?a=1&b=%20`;
    const sent = { method: 'POST', url, headers, body: JSON.stringify(awkward) };
    const stdout = await execute(sent);
    expect(stdout.trim()).toBe('{"ok":true}');
    expect(arrived).toHaveLength(1);
    const [request] = arrived;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions?a=1&b=%20' });
    expect(request?.headers.authorization).toBe('Bearer sk-the-key');
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers['x-odd']).toBe(`it's "$HOME" \`id\``);
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual(awkward);
  });

  test.each([
    ['a name that means something else in source text', '{"__proto__":{"a":1}}'],
    ['no JSON at all', `@file 'x' "y" \\ $z\nsecond line`],
    ['its own spaces', '{ "a" :1 }'],
  ])('sends %s unchanged', async (_name, body) => {
    const { arrived, baseUrl } = await serveCode({ body: '' });
    await execute({ method: 'POST', url: baseUrl, headers, body });
    expect(arrived[0]?.body.toString()).toBe(body);
  });

  test.each(['{"seed":12345678901234567890}', '{"ids":[9007199254740993,{"most":1e400}]}'])(
    'sends %s without losing a digit',
    async (body) => {
      const { arrived, baseUrl } = await serveCode({ body: '' });
      await execute({ method: 'POST', url: baseUrl, headers, body });
      expect(JSON.stringify(parseJson(arrived[0]?.body.toString() ?? ''))).toBe(body);
    },
  );

  test('sends other methods without adding a body', async () => {
    for (const method of ['GET', 'DELETE', 'POST']) {
      const { arrived, baseUrl } = await serveCode({ body: '' });
      await execute({ method, url: `${baseUrl}/v1/x`, headers: [], body: null });
      expect(arrived).toMatchObject([{ method, path: '/v1/x' }]);
      expect(arrived[0]?.body.byteLength).toBe(0);
      expect(arrived[0]?.headers.authorization).toBeUndefined();
    }
  });

  test('reads the files of the body, and encodes them', async () => {
    const { arrived, baseUrl } = await serveCode({ body: '' });
    const name = `it's a "photo".png`;
    const of = `<base64 of ${name}, 3 kB, media:${mediaId}>`;
    const body = JSON.stringify({
      url: `data:image/png;base64,${of}`,
      data: of,
      prompt: `what is ${of}?`,
    });
    const url = `${baseUrl}/v1/chat/completions`;
    await execute({ method: 'POST', url, headers, body }, { files: { [name]: photo } });
    const encoded = photo.toString('base64');
    expect(JSON.parse(arrived[0]?.body.toString() ?? '')).toEqual({
      url: `data:image/png;base64,${encoded}`,
      data: encoded,
      prompt: `what is ${of}?`,
    });
  });

  test('encodes files in a body without rewriting its numbers', async () => {
    const { arrived, baseUrl } = await serveCode({ body: '' });
    const one = `<base64 of a.png, 3 kB, media:${mediaId}>`;
    const other = `<base64 of a.png, 3 kB, media:${mediaId.replaceAll('A', 'B')}>`;
    const write = (first: string, second: string) =>
      `{"p": 1.0,\n"files":["data:image/png;base64,${first}","${second}","${first}"]}`;
    const sent = { method: 'POST', url: baseUrl, headers, body: write(one, other) };
    const reversed = Buffer.from(photo).reverse();
    await execute(sent, { files: { 'a.png': photo, 'a-2.png': reversed } });
    expect(arrived[0]?.body.toString()).toBe(
      write(photo.toString('base64'), reversed.toString('base64')),
    );
  });

  test('sends a form with its files, including files with the same name', async () => {
    const reversed = Buffer.from(photo).reverse();
    const { arrived, baseUrl } = await serveCode({ body: '{"text":"hello"}' });
    const filename = `it's a take.wav`;
    const body = JSON.stringify({
      fields: [
        ['model', 'demo'],
        ['prompt', `it's "quoted" $HOME @x <y ; \\ Grüße`],
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
      ],
      files: [
        { name: 'file', filename, type: 'audio/wav', sizeBytes: photo.byteLength },
        { name: 'file', filename, type: 'audio/wav', sizeBytes: reversed.byteLength },
      ],
    });
    const sent: SentRequest = {
      method: 'POST',
      url: `${baseUrl}/v1/audio/transcriptions`,
      headers: [
        ['Content-Type', 'multipart/form-data; boundary=old'],
        ['authorization', 'Bearer ••••1234'],
      ],
      body,
    };
    const second = `it's a take-2.wav`;
    const files = { [filename]: photo, [second]: reversed };
    const stdout = await execute(sent, { files });
    expect(stdout.trim()).toBe('{"text":"hello"}');
    const [request] = arrived;
    expect(request?.headers.authorization).toBe('Bearer sk-the-key');
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData();
    expect([...form].filter(([name]) => name !== 'file')).toEqual(JSON.parse(body).fields);
    const received = form.getAll('file').filter((file) => file instanceof File);
    expect(received.map(({ name, type }) => [name, type])).toEqual([
      [filename, 'audio/wav'],
      [filename, 'audio/wav'],
    ]);
    const contents = await Promise.all(received.map((file) => file.arrayBuffer()));
    expect(contents.map((bytes) => Buffer.from(bytes))).toEqual([photo, reversed]);
  });

  test.each(['api-key', 'x-api-key'])(
    'reads the key of %s and other secrets from variables',
    async (name) => {
      const { arrived, baseUrl } = await serveCode({ body: '' });
      const sent: SentRequest = {
        method: 'GET',
        url: `${baseUrl}/v1/models?api-version=1&sig=[redacted]`,
        headers: [
          ['X-Team-Token', 'a "b" [redacted]; c'],
          [name, '[redacted]'],
        ],
        body: null,
      };
      await execute(sent);
      expect(arrived[0]?.path).toBe('/v1/models?api-version=1&sig=s1');
      expect(arrived[0]?.headers['x-team-token']).toBe(`a "b" it's "$x"; c`);
      expect(arrived[0]?.headers[name]).toBe('sk-the-key');
    },
  );

  test('writes bytes to a file', async () => {
    const { baseUrl } = await serveCode({ body: photo });
    const sent = {
      method: 'POST',
      url: `${baseUrl}/v1/audio/speech`,
      headers,
      body: '{"input":"x"}',
    };
    const reply = { kind: 'file', name: "it's.mp3" } as const;
    await execute(sent, { reply });
    expect(readFileSync(join(runner.folder, reply.name))).toEqual(photo);
  });

  test('prints a stream as it arrives', async () => {
    const frames = 'data: {"text":"Grüße"}\n\ndata: [DONE]\n\n';
    const { baseUrl } = await serveCode({ body: frames });
    const sent = { method: 'POST', url: baseUrl, headers, body: '{"stream":true}' };
    const stdout = await execute(sent, { reply: { kind: 'stream' } });
    expect(stdout).toBe(frames);
  });
});
