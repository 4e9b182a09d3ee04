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

  it('takes a piece without candidates for no output', () => {
    const before = fold(body({ candidates: [{ content: { parts: [{ text: 'a' }] } }] }));
    const usageMetadata = { totalTokenCount: 3 };
    const after = imageOperation.fold(before, body({ candidates: [], usageMetadata }));
    expect(after.usage).toMatchObject(usageMetadata);
    expect(imageOperation.produced(before, after)).toBe(false);
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

  it('reads snake case all through, also as a list', () => {
    const reply = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { inline_data: { mime_type: 'image/png', data: `media:${id}` } },
              { thought_signature: 'c2ln' },
            ],
          },
          finish_reason: 'STOP',
          finish_message: 'All done.',
          safety_ratings: [{ category: 'X' }],
        },
      ],
      usage_metadata: {
        prompt_token_count: 3,
        candidates_token_count: 1290,
        total_token_count: 1293,
      },
      model_version: 'img-1',
      response_id: 'r-1',
    };
    for (const document of [reply, [reply]]) {
      const state = fold(body(document), finish);
      expect(state).toMatchObject({
        candidates: [
          {
            parts: [{ type: 'media', mediaId: id, mimeType: 'image/png' }],
            finishReason: 'STOP',
            finishMessage: 'All done.',
            safetyRatings: [{ category: 'X' }],
          },
        ],
        usage: { promptTokenCount: 3, candidatesTokenCount: 1290, totalTokenCount: 1293 },
        model: 'img-1',
        responseId: 'r-1',
        warnings: [],
      });
    }
  });

  it('says why a prompt was blocked in snake case', () => {
    const state = fold(
      body({ prompt_feedback: { block_reason: 'SAFETY', block_reason_message: 'Not that.' } }),
    );
    expect(state.blockReason).toBe('SAFETY');
    expect(imageOperation.noResult(state, [])).toContain('Not that.');
  });

  it('gives the message beside a finish reason', () => {
    const state = fold(
      body({ candidates: [{ finishReason: 'IMAGE_SAFETY', finishMessage: 'Unsafe colors.' }] }),
    );
    expect(imageOperation.noResult(state, [])).toMatch(
      /^The gateway withheld the result: .* Unsafe colors\.$/,
    );
  });

  it('warns of base64 that couldn’t be stored, and does not keep it', () => {
    const part = { inlineData: { mimeType: 'image/png', data: 'not!base64' } };
    const state = fold(body({ candidates: [{ content: { parts: [{ text: 'Here:' }, part] } }] }));
    expect(state.warnings).toEqual(['A file in the response isn’t valid base64 and was skipped.']);
    expect(state.candidates[0]?.parts).toEqual([{ type: 'text', text: 'Here:', thought: false }]);
  });
});
