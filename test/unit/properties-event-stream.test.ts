import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor } from '../../electron/redaction/redactor.ts';
import { createSecretSearch, maskRanges } from '../../electron/redaction/secret-search.ts';
import { chunksOf, inputs } from '../fixtures/property.ts';
import { readEvents } from './support/read-events.ts';

it('masks a key when its stream ends, however the response repeats and splits it', async () => {
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
      const search = createSecretSearch(createRedactor(key));
      for (const [seq, event] of events.entries()) search.add(seq, String(event));
      const cuts = search.takeCuts();
      const texts = events.map((event, seq) => {
        const masked = maskRanges(String(event), cuts.get(seq) ?? []);
        return JSON.parse(masked).choices[0].delta.content;
      });
      expect(texts.join('')).not.toContain(key);
    }),
    inputs(800),
  );
});
