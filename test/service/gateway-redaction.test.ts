import { describe, expect, it } from 'vitest';
import { observeExchange, textOf } from '../fixtures/observe-exchange.ts';
import { serve, served } from '../fixtures/serve-chat.ts';
import { chunk, lastChunk, reply, streamHead } from '../fixtures/wire-server.ts';

const CANARY = 'sk-canary-7Qz/93+xKd=lmP';

function delta(content: string, index = 0): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-s', choices: [{ index, delta: { content } }] })}\n\n`;
}

/** The key by the numbers of its signs, as JSON allows. */
function escapeEvery(json: string): string {
  const numbers = [...CANARY].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return json.replace(CANARY, numbers.join(''));
}

describe('the key', () => {
  it('is sent, and shown nowhere: not in URL, headers, bodies or errors', async () => {
    const echo = `${CANARY} ${encodeURIComponent(CANARY)} ${btoa(`Bearer ${CANARY}`)} ${btoa(CANARY)}`;
    const url = await serve(({ send }) =>
      send(
        reply(
          '400 Bad Request',
          { 'Content-Type': 'application/json', 'X-Request-Id': `r-${CANARY}` },
          JSON.stringify({ error: { message: `You sent ${echo}`, code: CANARY } }),
        ),
      ),
    );
    const seen = await observeExchange(`${url}?key=${encodeURIComponent(CANARY)}`, {
      key: CANARY,
      body: JSON.stringify({ messages: [{ role: 'user', content: `My key is ${CANARY}` }] }),
    });
    expect(served()?.requests[0]).toContain(`Authorization: Bearer ${CANARY}\r\n`);
    expect(served()?.requests[0]).toContain(`My key is ${CANARY}`);
    const text = JSON.stringify(seen);
    expect(text).not.toContain('canary');
    expect(text).not.toContain(btoa(CANARY).slice(4, 20));
    expect(text).not.toContain(btoa(`Bearer ${CANARY}`).slice(12, 30));
    expect(seen.request?.headers).toContainEqual(['Authorization', 'Bearer [redacted]']);
  });

  it.each([
    ['slashes behind a backslash', (json: string) => json.replaceAll('/', '\\/')],
    ['letters by their number', (json: string) => json.replaceAll('Q', '\\u0051')],
    ['every sign by its number', escapeEvery],
  ])('is taken out of JSON that spells it otherwise: %s', async (_, spell) => {
    const other = 'a \\u003cb\\u003e stays as it came';
    const url = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk(spell(delta(`key: ${CANARY}!`)).replace('key:', `${other}:`)));
      await send(chunk(`data: {"text":"${other} \\/"}\n\n`));
      await send(lastChunk);
    });
    const seen = await observeExchange(url, { key: CANARY });
    expect(textOf(seen)).toContain('[redacted]!');
    expect(textOf(seen)).not.toContain('canary');
    expect(JSON.stringify(seen)).not.toContain('7Qz/93');
    expect(seen.frames.at(-1)?.data).toBe(`{"text":"${other} \\/"}`);
  });

  it.each([1, 2, 3, 5])(
    'is taken out of frames of %i characters, two answers mixed',
    async (size) => {
      const pieces = CANARY.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
      const url = await serve(async ({ send }) => {
        await send(streamHead);
        const frames = pieces.flatMap((piece) => [delta(piece), delta('lorem', 1)]);
        await send(chunk(frames.join('')));
        await send(lastChunk);
      });
      const seen = await observeExchange(url, { key: CANARY });
      const answer = seen.frames
        .map(({ data }) => JSON.parse(data).choices[0])
        .filter(({ index }) => index === 0)
        .map((choice) => choice.delta.content)
        .join('');
      expect(answer.replace(/^(?:sk-|sk|s)?/, '')).toBe('[redacted]');
      expect(seen.frames).toHaveLength(pieces.length * 2);
    },
  );
});
