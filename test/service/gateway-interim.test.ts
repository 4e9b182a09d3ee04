/** Covers interim responses, and redirects within the gateway. */
import { describe, expect, it } from 'vitest';
import { createNetwork } from '../../electron/gateway/network.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { shareBench } from '../fixtures/run-operation.ts';
import { serve, served } from '../fixtures/serve-chat.ts';
import { notedPauses } from '../fixtures/video-run.ts';
import { always, jsonReply, reply } from '../fixtures/wire-server.ts';

const serveWith = await shareBench({ polling: notedPauses().polling });

const json = { 'Content-Type': 'application/json' };
const answer = Buffer.from(jsonReply('{"id":"HTTP/1.1 100 Continue\\r\\n\\r\\n"}'));
const goOn = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

const earlyHints = Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');

describe('an unsolicited 100 Continue', () => {
  it.each<[string, Uint8Array[]]>([
    ['in the same packet as the response', [Buffer.concat([goOn, answer])]],
    ['in a separate packet', [goOn, answer]],
    ['twice', [goOn, goOn, answer]],
    ['with headers', [Buffer.from('HTTP/1.1 100 Continue\r\nDate: now\r\n\r\n'), answer]],
    ['without a reason', [Buffer.from('HTTP/1.1 100\r\n\r\n'), answer]],
    ['before another interim reply', [goOn, earlyHints, answer]],
    ['after another interim reply', [earlyHints, goOn, answer]],
    ['between others', [Buffer.concat([goOn, earlyHints, goOn, earlyHints, answer])]],
    ['with line feeds alone', [Buffer.from('HTTP/1.1 100 Continue\n\n'), answer]],
    [
      'with line feeds alone, in the packet of the answer',
      [Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\nDate: now\n\n'), answer])],
    ],
    ['in HTTP 1.0', [Buffer.from('HTTP/1.0 100 Continue\r\n\r\n'), answer]],
    ['a byte at a time', [...Buffer.concat([goOn, answer])].map((byte) => Uint8Array.of(byte))],
  ])('skips the interim response %s', async (_name, packets) => {
    const url = await serve(async ({ send, socket }) => {
      socket.setNoDelay(true);
      for (const packet of packets) {
        await send(packet);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const seen = await observeExchange(url);
    expect(seen.outcome.status).toBe('succeeded');
    expect(seen.response?.status).toBe(200);
    expect(seen.body?.text).toBe('{"id":"HTTP/1.1 100 Continue\\r\\n\\r\\n"}');
  });

  it('is skipped before each response on a reused connection', async () => {
    const network = createNetwork({ environment: {}, systemProxy: null });
    const url = await serve(({ send }) => send(Buffer.concat([goOn, answer])));
    for (let round = 0; round < 3; round += 1) {
      expect((await observeExchange(url, { network })).outcome.status).toBe('succeeded');
    }
    expect(served()?.connectionCount()).toBe(1);
    await network.close();
  });

  it('doesn’t count as the response', async () => {
    const url = await serve(async ({ send, end }) => {
      await send(goOn);
      end();
    });
    expect((await observeExchange(url)).outcome).toMatchObject({
      status: 'unknown',
      error: { kind: 'outcome-unknown' },
    });
  });
});

describe('a redirect that preserves the request', () => {
  const request = { model: 'm', query: 'q', documents: ['a'] };
  const results = JSON.stringify({ results: [{ index: 0, relevance_score: 0.5 }] });

  it.each(['307 Temporary Redirect', '308 Permanent Redirect'])(
    'follows a redirect within the gateway: %s',
    async (status) => {
      const bench = serveWith(({ request, send }) =>
        send(
          request.startsWith('POST /v1/rerank ')
            ? jsonReply('{"results":[]}', status, { Location: '/v1/rerank/' })
            : reply('200 OK', json, results),
        ),
      );
      const view = await bench.run('rerank', request);
      expect(view).toMatchObject({ status: 'succeeded', httpStatus: 200 });
      expect(view.state.results).toHaveLength(1);
      expect(view.state.warnings).toEqual(['The gateway redirected the request to /v1/rerank/.']);
      const [first = '', second = ''] = bench.server.requests;
      expect(second.split('\r\n\r\n')[1]).toBe(first.split('\r\n\r\n')[1]);
      expect(second).toContain('Bearer ');
      expect(bench.events(view.id, 'exchange-end').map(({ status: end }) => end)).toEqual([
        'succeeded',
        'succeeded',
      ]);
    },
  );

  it('follows a redirect of a status request without losing its data', async () => {
    const task = { id: 'task-1', status: 'in_progress', progress: 40 };
    const bench = serveWith(({ request, send }) => {
      if (request.startsWith('POST ')) return send(jsonReply(task));
      if (request.startsWith('GET /v1/video/generations/task-1 ')) {
        const head = { ...json, Location: '/v1/video/generations/task-1/' };
        return send(reply('307 Temporary Redirect', head, '{"id":"other","status":"failed"}'));
      }
      return send(jsonReply({ ...task, status: 'failed' }));
    });
    const view = await bench.run('video', { model: 'm', prompt: 'A film' });
    expect(view).toMatchObject({ status: 'failed', phase: { task: { id: 'task-1' } } });
    expect(view.state.warnings).toEqual([
      'The gateway redirected the request to /v1/video/generations/task-1/.',
    ]);
  });

  it('ignores the body of the redirect', async () => {
    const said = (content: string) =>
      JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });
    const bench = serveWith(({ request, send }) =>
      send(
        request.startsWith('POST /v1/chat/completions ')
          ? reply('307 Temporary Redirect', { ...json, Location: '/v2/chat' }, said('Moved.'))
          : reply('200 OK', json, said('Hello.')),
      ),
    );
    const messages = [{ role: 'user', content: 'Hi' }];
    const view = await bench.run('chat', { model: 'm', messages });
    expect(view.state.choices).toMatchObject([
      { message: { content: 'Hello.' }, finishReason: 'stop' },
    ]);
    expect(view.state.warnings).toEqual(['The gateway redirected the request to /v2/chat.']);
  });

  it('sends a file again', async () => {
    const bench = serveWith(({ request, send }) =>
      send(
        request.startsWith('POST /v1/audio/transcriptions ')
          ? reply('307 Temporary Redirect', { Location: './transcriptions/' }, '')
          : jsonReply('{"text":"Hello"}'),
      ),
    );
    const file = await bench.store('a.wav', 'audio/wav', Buffer.from('RIFF\0\0\0\0WAVE'));
    const view = await bench.run('transcription', { model: 'm', file: `media:${file}` });
    expect(view).toMatchObject({ status: 'succeeded', state: { text: 'Hello' } });
    expect(bench.server.requests[1]).toContain('RIFF');
  });

  it.each([
    ['to another origin', '307 Temporary Redirect', 'http://localhost:1/v1/rerank'],
    ['that would change the method', '302 Found', '/v1/rerank/'],
    ['to itself', '308 Permanent Redirect', '/v1/rerank'],
  ])('rejects a redirect %s', async (_name, status, location) => {
    const bench = serveWith(always(reply(status, { Location: location }, '')));
    const view = await bench.run('rerank', request);
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'http' } });
    expect(view.error?.message).toContain(`redirected this request to ${location}`);
    expect(bench.server.requests).toHaveLength(1);
  });

  it('limits the number of redirects', async () => {
    let count = 0;
    const bench = serveWith(({ send }) => {
      count += 1;
      return send(reply('307 Temporary Redirect', { Location: `/v1/${count}` }, ''));
    });
    expect((await bench.run('rerank', request)).status).toBe('failed');
    expect(count).toBe(6);
  });
});
