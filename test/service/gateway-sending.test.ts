/** Checks on a raw socket how the base URL, the model and the text are sent. */
import { describe, expect, it } from 'vitest';
import { startBench } from '../fixtures/run-operation.ts';
import { bodyOf, jsonReply } from '../fixtures/wire-server.ts';

const messages = [{ role: 'user', content: 'half of an emoji: \ud83d, a whole one: 👋, \\ud83d' }];
const answer = jsonReply('{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}');

describe('a request', () => {
  it.each([
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/openai/v1/responses', '/openai/v1/chat/completions'],
    ['/api/v3/embeddings', '/api/v3/chat/completions'],
    ['/api/paas/v4', '/api/paas/v4/chat/completions'],
    ['/v1beta/openai', '/v1beta/openai/chat/completions'],
  ])('resolves a base URL with %s to %s', async (pasted, path) => {
    const bench = await startBench(({ send }) => send(answer), pasted);
    await bench.run('chat', { model: 'm', stream: false, messages });
    expect(bench.server.requests[0]).toMatch(new RegExp(`^POST ${path} HTTP`));
  });

  it('replaces half an emoji in the sent text and in the inspector', async () => {
    const bench = await startBench(({ send }) => send(answer));
    const { id } = await bench.run('chat', { model: 'm', stream: false, messages });
    const [sent = ''] = bench.server.requests;
    const content = 'half of an emoji: \ufffd, a whole one: 👋, \\ud83d';
    expect(bodyOf(sent).messages).toEqual([{ role: 'user', content }]);
    expect(bench.events(id, 'request')[0]?.body).not.toMatch(/[^\\]\\ud83d/);
  });

  it('sends well-formed fields in a form', async () => {
    const bench = await startBench(({ send }) => send(jsonReply('{"text":"Hi"}')));
    const file = await bench.store('a.mp3', 'audio/mpeg', new Uint8Array([0xff, 0xfb, 0, 0]));
    const request = { model: 'm', file: `media:${file}`, prompt: 'Zo\udc00e' };
    const { id } = await bench.run('transcription', request);
    expect(bench.server.requests[0]).toContain('\r\n\r\nZo\ufffde\r\n');
    expect(bench.events(id, 'request')[0]?.body).toContain('Zo\ufffde');
  });

  it.each(['models/gemini-3', 'gemini-3'])(
    'puts the model %s into the path only once',
    async (model) => {
      const bench = await startBench(({ send }) => send(jsonReply('{"candidates":[]}')));
      await bench.run('image', { model, contents: [{ role: 'user', parts: [{ text: 'A cat' }] }] });
      const path = '/v1beta/models/gemini-3:generateContent';
      expect(bench.server.requests[0]).toMatch(new RegExp(`^POST ${path} HTTP`));
    },
  );
});
