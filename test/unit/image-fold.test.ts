import { describe, expect, it } from 'vitest';
import { imageOperation } from '../../shared/operations/image/image.ts';
import { emptyImageState, type ImageState } from '../../shared/operations/image/state.ts';
import type { RunEvent } from '../../shared/run.ts';

const id = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';

function body(reply: unknown): RunEvent {
  return {
    kind: 'body',
    seq: 1,
    atMs: 1,
    exchange: 0,
    text: typeof reply === 'string' ? reply : JSON.stringify(reply),
    truncated: false,
  };
}

const fold = (...events: RunEvent[]) =>
  events.reduce<ImageState>(imageOperation.fold, emptyImageState);
const finish = { kind: 'finish', seq: 2, atMs: 2, exchange: 0 } as RunEvent;

describe('the fold of image runs', () => {
  it('keeps text and images in their order, with role, finish reason, ratings and usage', () => {
    const state = fold(
      body({
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                { text: 'Here:' },
                { inlineData: { mimeType: 'image/png', data: `media:${id}` } },
                { inline_data: { mime_type: 'image/jpeg', data: `media:${id}` } },
                { text: 'hm', thought: true },
                { thoughtSignature: 'c2ln' },
                { executableCode: { code: '1' } },
              ],
            },
            finishReason: 'STOP',
            safetyRatings: [{ category: 'X', probability: 'LOW' }],
          },
        ],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1290, totalTokenCount: 1293 },
        modelVersion: 'img-1',
      }),
    );
    expect(state.candidates).toEqual([
      {
        role: 'model',
        finishReason: 'STOP',
        safetyRatings: [{ category: 'X', probability: 'LOW' }],
        parts: [
          { type: 'text', text: 'Here:', thought: false },
          { type: 'media', mediaId: id, mimeType: 'image/png' },
          { type: 'media', mediaId: id, mimeType: 'image/jpeg' },
          { type: 'text', text: 'hm', thought: true },
          { type: 'unknown', raw: { executableCode: { code: '1' } } },
        ],
      },
    ]);
    expect(imageOperation.figures(state)).toEqual({
      model: 'img-1',
      usage: { prompt_tokens: 3, completion_tokens: 1290, total_tokens: 1293 },
      finishReasons: ['STOP'],
    });
  });

  it('says why a prompt was blocked when there are no candidates at all', () => {
    const state = fold(body({ promptFeedback: { blockReason: 'SAFETY' } }), finish);
    expect(state).toMatchObject({ blockReason: 'SAFETY', candidates: [], warnings: [] });
  });

  it('knows an answer that holds nothing', () => {
    const state = fold(body({ candidates: [] }), finish);
    expect(imageOperation.noResult(state, [])).toBe('The response has neither text nor images.');
  });

  it('adds up what a gateway streams, or answers as a list', () => {
    const piece = (text: string) => ({ candidates: [{ content: { parts: [{ text }] } }] });
    const whole = fold(body([piece('a'), piece('b')]));
    expect(whole.candidates[0]?.parts).toHaveLength(2);
  });

  it.each([
    ['not json'],
    ['null'],
    ['{"candidates":{"a":1}}'],
    ['{"candidates":[null,{"index":1e9}]}'],
    ['{"candidates":[{"content":{"parts":"x"},"finishReason":5}]}'],
  ])('never throws: %s', (text) => {
    expect(() => fold(body(text), finish)).not.toThrow();
  });
});
