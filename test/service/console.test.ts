import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { pixel } from '../fixtures/pixel.ts';
import { benchOn, serveScript, shareBench, startBench } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { always, readWire, reply, type Script } from '../fixtures/wire-server.ts';

const serveWith = await shareBench();

const get: JsonObject = { method: 'GET', path: '/v1/models', body: null };

const answer = (type: string | null, body: string | Uint8Array, status = '200 OK'): Script =>
  always(reply(status, type === null ? {} : { 'Content-Type': type }, body));

describe('the console', () => {
  it('sends any method and path with the headers and body as written', async () => {
    const bench = await startBench(answer('application/json', '{}'), '/gate/v1');
    const view = await bench.run('console', {
      method: 'PATCH',
      path: '/v1/files/a%20b?limit=2',
      headers: [
        ['X-Trace', 'on'],
        ['Authorization', 'Bearer other'],
        ['Content-Length', '9999'],
      ],
      body: '{ "a" : 1 }',
    });
    const [sent = ''] = bench.server.requests;
    expect(sent.split('\r\n')[0]).toBe('PATCH /gate/v1/files/a%20b?limit=2 HTTP/1.1');
    expect(sent).toContain('X-Trace: on\r\n');
    expect(sent).toContain('Content-Type: application/json\r\n');
    expect(sent).toContain('Authorization: Bearer sk-test-1234567890\r\n');
    expect(sent).not.toContain('other');
    expect(sent.endsWith('\r\n\r\n{ "a" : 1 }')).toBe(true);
    expect(view).toMatchObject({
      status: 'succeeded',
      model: '',
      preview: 'PATCH /v1/files/a%20b?limit=2',
      state: { text: '{}', status: 200, media: null },
    });
  });

  it('sends GET without a body', async () => {
    const bench = serveWith(answer('application/json', readWire('models.json')));
    const view = await bench.run('console', get);
    expect(bench.server.requests[0]).not.toMatch(/content-(type|length)/i);
    expect(view.state).toMatchObject({
      text: readWire('models.json'),
      contentType: 'application/json',
    });
  });

  it('sends a form with a stored file', async () => {
    const bench = serveWith(answer('application/json', '{}'));
    const id = await bench.store('notes.txt', 'text/plain', Buffer.from('some notes'));
    const view = await bench.run('console', {
      method: 'POST',
      path: '/v1/files',
      body: null,
      multipart: {
        fields: [['purpose', 'test']],
        file: { name: 'upload', media: createMediaReference(id), filename: 'other.txt' },
      },
    });
    const [sent = ''] = bench.server.requests;
    expect(sent).toContain('name="purpose"\r\n\r\ntest\r\n');
    expect(sent).toContain('name="upload"; filename="other.txt"\r\nContent-Type: text/plain');
    expect(sent).toContain('\r\n\r\nsome notes\r\n--');
    expect(view.state.upload?.doneBytes).toBeGreaterThan(10);
  });

  it('shows the error of an endpoint that isn’t implemented', async () => {
    const bench = serveWith(
      answer('application/json', readWire('not-implemented.json'), '501 Not Implemented'),
    );
    const view = await bench.run('console', {
      method: 'POST',
      path: '/v1/fine-tunes',
      body: '{}',
    });
    expect(view).toMatchObject({
      status: 'failed',
      error: { kind: 'not-implemented', gateway: { code: 'api_not_implemented' } },
      state: { status: 501, text: readWire('not-implemented.json') },
    });
  });

  it.each([
    ['a web page', 'text/html', '<!doctype html><p>hi', true],
    ['plain text', 'text/plain', 'hi', true],
    ['nothing', null, '', true],
    ['text without a type', null, 'id: 7', true],
    ['text that is called a file', 'application/octet-stream', 'a,b\n1,2\n', true],
    ['an image', 'image/png', pixel, false],
    ['an image without a type', null, pixel, false],
    ['an image that is called text', 'text/plain', pixel, false],
  ])('shows %s by its type', async (_name, type, body, isText) => {
    const bench = serveWith(answer(type, body));
    const { status, state } = await bench.run('console', get);
    expect(status).toBe('succeeded');
    if (isText) expect(state).toMatchObject({ text: body, media: null });
    else expect(state).toMatchObject({ text: null, media: { type: 'image/png', width: 1 } });
  });

  it('stores the response of a failed request only once', async () => {
    const home = temporaryFolder();
    const server = await serveScript(
      answer('text/plain', `${'-'.repeat(10_000)} the end`, '500 Internal Server Error'),
    );
    const services = await startTestServices({ baseUrl: server.url, home });
    expect((await benchOn(server, services).run('console', get)).status).toBe('failed');
    await services.close();
    const ledger = new DatabaseSync(join(home, 'ledger.sqlite'), { readOnly: true });
    onTestFinished(() => ledger.close());
    const kinds = ledger.prepare("SELECT kind FROM events WHERE body LIKE '%the end%'").all();
    expect(kinds).toEqual([{ kind: 'body' }]);
  });

  it('keeps a file from an error response', async () => {
    const bench = serveWith(answer('image/png', pixel, '403 Forbidden'));
    const view = await bench.run('console', get);
    expect(view).toMatchObject({
      status: 'failed',
      error: { kind: 'forbidden' },
      state: { status: 403, media: { type: 'image/png', complete: true } },
    });
  });

  it('shows a stream unchanged', async () => {
    const stream = ': PING\n\nevent: note\ndata: {"a":1}\n\ndata: one\ndata: two\n\n';
    const bench = serveWith(answer('text/event-stream', stream));
    const { status, state } = await bench.run('console', get);
    expect(status).toBe('succeeded');
    expect(state).toMatchObject({ text: stream, frameCount: 3 });
  });

  it('doesn’t follow a redirect', async () => {
    const bench = serveWith(
      ({ send }) => void send(reply('302 Found', { Location: 'https://elsewhere.example/' }, '')),
    );
    const view = await bench.run('console', get);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'http' } });
    expect(bench.server.requests).toHaveLength(1);
  });

  it.each([
    ['//evil.example/v1', 'not a full URL'],
    ['https://evil.example/v1', 'not a full URL'],
    ['\\\\evil.example', 'not a full URL'],
    ['/\\evil.example', 'not a full URL'],
    ['/v1\\..\\x', 'backslash'],
    ['/v1/../../admin', 'can’t contain'],
    ['/v1/%2e%2E/admin', 'can’t contain'],
    ['/v1/.%2e', 'can’t contain'],
    ['/v1/\t/models', 'spaces or line breaks'],
    ['v1/models', 'Start the path with a slash'],
    ['/v1/models#top', 'isn’t sent'],
    ['', 'Enter a path'],
  ])('rejects the path %j before sending anything', async (path, words) => {
    const bench = serveWith(answer('application/json', '{}'));
    await expect(bench.start('console', { ...get, path })).rejects.toMatchObject({
      error: {
        kind: 'invalid-request',
        fields: [{ path: ['path'], message: expect.stringContaining(words) }],
      },
    });
    expect(bench.server.requests).toEqual([]);
  });

  it.each([
    [{ method: 'get' }, 'method'],
    [{ method: 'CONNECT' }, 'method'],
    [{ method: 'GET', body: '{}' }, 'body'],
    [{ method: 'POST', body: '{}', multipart: { fields: [], file: null } }, 'body'],
  ])('rejects %j', async (fields, at) => {
    const bench = serveWith(answer('application/json', '{}'));
    await expect(bench.start('console', { ...get, ...fields })).rejects.toMatchObject({
      error: { fields: [{ path: [at] }] },
    });
  });
});
