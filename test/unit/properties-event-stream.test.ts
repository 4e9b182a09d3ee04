import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksOf, inputs } from '../fixtures/property.ts';
import { readEvents } from './support/read-events.ts';

it('keeps a key out of every event, however the response repeats and splits it', async () => {
  const key = 'sk-canary-7Qz93xKdlmP';
  const text = fc.array(
    fc.oneof(
      fc.constantFrom('a', ' ', key, `${key}${key}`, key.slice(0, 12)),
      fc.nat({ max: key.length }).map((at) => `${key.slice(0, at)}\n${key.slice(at)}`),
    ),
    { maxLength: 8 },
  );
  const said = text.chain((parts) => {
    const frames = parts
      .join('')
      .split('\n')
      .map((content) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] }));
    return chunksOf(frames.map((frame) => `data: ${frame}\n\n`).join(''));
  });
  await fc.assert(
    fc.asyncProperty(said, async ({ pieces }) => {
      const events = await readEvents(pieces, key);
      const texts = events.map((event) => JSON.parse(String(event)).choices[0].delta.content);
      expect(texts.join('')).not.toContain(key);
    }),
    inputs(800),
  );
});
