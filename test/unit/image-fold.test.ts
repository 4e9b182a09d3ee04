import { describe, expect, it } from 'vitest';
import { imageOperation } from '../../shared/operations/image/image.ts';
import type { ImageState } from '../../shared/operations/image/state.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { body, finish, foldAll, numbered } from './support/fold-events.ts';

const id = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';
const fold = (...events: RunEventBody[]): ImageState => foldAll(imageOperation, events);
describe('the fold of image runs', () => {
  it('keeps text and images in their order, with role, finish reason, ratings and usage', () => {
    const parts = [
      { text: 'Here:' },
      { inlineData: { mimeType: 'image/png', data: `media:${id}` } },
      { inline_data: { mime_type: 'image/jpeg', data: `media:${id}` } },
      { text: 'hm', thought: true },
      { thoughtSignature: 'c2ln' },
      { executableCode: { code: '1' } },
    ];
    const ending = {
      finishReason: 'STOP',
      safetyRatings: [{ category: 'X', probability: 'LOW' }],
    };
    const state = fold(
      body({
        candidates: [{ content: { role: 'model', parts }, ...ending }],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1290, totalTokenCount: 1293 },
        modelVersion: 'img-1',
      }),
    );
    expect(state.candidates).toEqual([
      {
        ...{ role: 'model', ...ending },
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
      ...{ model: 'img-1', finishReasons: ['STOP'] },
      usage: { prompt_tokens: 3, completion_tokens: 1290, total_tokens: 1293 },
    });
  });

  it('keeps the reason of a blocked prompt without candidates', () => {
    const state = fold(body({ promptFeedback: { blockReason: 'SAFETY' } }), finish);
    expect(state).toMatchObject({ blockReason: 'SAFETY', candidates: [], warnings: [] });
  });

  it('doesn’t count a chunk without candidates as output', () => {
    const before = fold(body({ candidates: [{ content: { parts: [{ text: 'a' }] } }] }));
    const usageMetadata = { totalTokenCount: 3 };
    const event = numbered(body({ candidates: [], usageMetadata }), 2);
    const after = imageOperation.fold(before, event);
    expect(after.usage).toMatchObject(usageMetadata);
    expect(imageOperation.produced(before, after)).toBe(false);
  });

  it('adds up what a gateway streams, or returns as a list', () => {
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
    const parts = [
      { inline_data: { mime_type: 'image/png', data: `media:${id}` } },
      { thought_signature: 'c2ln' },
    ];
    const candidate = {
      ...{ content: { role: 'model', parts }, finish_reason: 'STOP', finish_message: 'All done.' },
      safety_ratings: [{ category: 'X' }],
    };
    const usage = { prompt_token_count: 3, candidates_token_count: 1290, total_token_count: 1293 };
    const reply = {
      ...{ candidates: [candidate], usage_metadata: usage, model_version: 'img-1' },
      response_id: 'r-1',
    };
    const expected = {
      ...{ finishReason: 'STOP', finishMessage: 'All done.', safetyRatings: [{ category: 'X' }] },
      parts: [{ type: 'media', mediaId: id, mimeType: 'image/png' }],
    };
    for (const document of [reply, [reply]]) {
      expect(fold(body(document), finish)).toMatchObject({
        ...{ candidates: [expected], model: 'img-1', responseId: 'r-1', warnings: [] },
        usage: { promptTokenCount: 3, candidatesTokenCount: 1290, totalTokenCount: 1293 },
      });
    }
  });

  it('keeps the block reason and the finish message', () => {
    const prompt_feedback = { block_reason: 'SAFETY', block_reason_message: 'Not that.' };
    const blocked = fold(body({ prompt_feedback }));
    expect(blocked.blockReason).toBe('SAFETY');
    expect(imageOperation.noResult(blocked, [])).toContain('Not that.');
    const candidate = { finishReason: 'IMAGE_SAFETY', finishMessage: 'Unsafe colors.' };
    expect(imageOperation.noResult(fold(body({ candidates: [candidate] })), [])).toMatch(
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
