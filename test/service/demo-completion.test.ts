import { describe, expect, it } from 'vitest';
import { shareClient } from './demo-gateway-client.ts';

const client = await shareClient();

const PATH = '/v1/completions';
const ask = async (body: Record<string, unknown>) => {
  const response = await client.post(PATH, { model: 'demo-story', prompt: 'Once', ...body });
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as a foreign client would
  return { status: response.status, body: (await response.json()) as any };
};

describe('demo completion', () => {
  it.each(['demo-story', 'demo-story-fast', 'demo-echo', 'demo-think', 'demo-tools'])(
    '%s continues a prompt',
    async (model) => {
      const { status, body } = await ask({ model });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id: expect.stringMatching(/^cmpl-/),
        object: 'text_completion',
        model,
        choices: [{ index: 0, finish_reason: 'stop', text: expect.stringMatching(/\w/) }],
        usage: { prompt_tokens: expect.any(Number) },
      });
    },
  );

  it('accepts one stop sequence or a list, and rejects anything else', async () => {
    const whole = (await ask({ seed: 1 })).body.choices[0].text;
    const [word = ''] = whole.match(/\b\w{6,}\b/) ?? [];
    const cut = whole.slice(0, whole.indexOf(word));
    for (const stop of [word, [word], ['not in it', word]]) {
      expect((await ask({ seed: 1, stop })).body.choices[0].text, String(stop)).toBe(cut);
    }
    const refused = await ask({ stop: [1] });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: 'stop[0]' } } });
  });

  it('repeats the prompt with echo, streamed or not, without counting its tokens', async () => {
    const plain = await ask({ max_tokens: 6 });
    const echoed = await ask({ max_tokens: 6, echo: true });
    const { text } = plain.body.choices[0];
    expect(echoed.body.choices[0].text).toBe(`Once${text}`);
    expect(echoed.body.usage.completion_tokens).toBe(6);
    const { chunks, done } = await client.frames(PATH, {
      model: 'demo-story',
      prompt: 'Once',
      max_tokens: 6,
      echo: true,
    });
    expect(chunks.map((chunk) => chunk.choices[0].text).join('')).toBe(`Once${text}`);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('length');
    expect(chunks.at(-1).usage).toEqual(echoed.body.usage);
    expect(done).toBe(true);
  });

  it.each(['demo-story', 'demo-think', 'demo-tools', 'demo-signed'])(
    '%s continues in plain prose',
    async (model) => {
      const { body } = await ask({ model, prompt: 'It was late.' });
      expect(body.choices[0].text).toMatch(/^ [A-Z][^#*|`]+\.$/s);
      expect(body.choices[0].text).not.toMatch(/^\d\./m);
    },
  );

  it('continues in other words for each choice', async () => {
    const { body } = await ask({ n: 3, seed: 4 });
    const texts = body.choices.map(({ text }: { text: string }) => text);
    expect(new Set(texts).size).toBe(3);
  });

  it('leads into the suffix', async () => {
    const { body } = await ask({ suffix: 'and they kept the gate.' });
    expect(body.choices[0].text).toMatch(/, $/);
    const next = await ask({ suffix: 'The gate stayed shut.' });
    expect(next.body.choices[0].text).toMatch(/\. $/);
    const echo = await ask({ model: 'demo-echo', suffix: 'the end', temperature: 0.5 });
    expect(echo.body.choices[0].text).toContain('this suffix:\n\nthe end');
    expect(echo.body.choices[0].text).toContain('"temperature": 0.5');
  });

  it.each([
    ['prompt', { prompt: 5 }],
    ['prompt', { prompt: null }],
    ['n', { n: 0 }],
    ['echo', { echo: 'yes' }],
  ])('answers 400 and names %s', async (param, fields) => {
    const { status, body } = await ask(fields);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});
