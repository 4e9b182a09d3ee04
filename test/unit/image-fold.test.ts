import { describe, expect, it } from 'vitest';
import { imageOperation } from '../../shared/operations/image/image.ts';
import type { ImageState } from '../../shared/operations/image/state.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { medium } from '../fixtures/medium.ts';
import { body, finish, foldAll, numbered } from './support/fold-events.ts';

const id = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';
const fold = (...events: RunEventBody[]): ImageState => foldAll(imageOperation, events);
describe('the fold of image runs', () => {
  it('keeps the order of text and images, with role, finish reason, ratings and usage', () => {
    const parts = [
      { text: 'Here:' },
      { inlineData: { mimeType: 'image/png', data: `media:${id}` } },
      { inline_data: { mime_type: 'image/jpeg', data: `media:${id}` } },
      { text: 'hm', thought: true },
      { thoughtSignature: 'c2ln' },
      { executableCode: { code: '1' } },
    ];
    const ending = { finishReason: 'STOP', safetyRatings: [{ category: 'X', probability: 'LOW' }] };
    const state = fold(
      body({
        candidates: [{ content: { role: 'model', parts }, ...ending }],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1290, totalTokenCount: 1293 },
        modelVersion: 'img-1',
      }),
    );
    expect(state.candidates).toEqual([
      {
        role: 'model',
        ...ending,
        parts: [
          { type: 'text', text: 'Here:', thought: false },
          { type: 'media', mediaId: id, mimeType: 'image/png' },
          { type: 'media', mediaId: id, mimeType: 'image/jpeg', raw: parts[2] },
          { type: 'text', text: 'hm', thought: true, raw: { text: 'hm', thought: true } },
          { type: 'hidden', raw: { thoughtSignature: 'c2ln' } },
          { type: 'unknown', raw: { executableCode: { code: '1' } } },
        ],
      },
    ]);
    const usage = { prompt_tokens: 3, completion_tokens: 1290, total_tokens: 1293 };
    const figures = { model: 'img-1', finishReasons: ['STOP'], usage };
    expect(imageOperation.figures(state)).toEqual(figures);
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
    expect(after.usage).toEqual(usageMetadata);
    expect(imageOperation.hasNewOutput(before, after)).toBe(false);
  });

  it('merges the chunks that a gateway streams or returns as a list', () => {
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

  it('reads snake_case at every level, even within a list', () => {
    const parts = [
      { inline_data: { mime_type: 'image/png', data: `media:${id}` } },
      { thought_signature: 'c2ln' },
    ];
    const candidate = {
      content: { role: 'model', parts },
      finish_reason: 'STOP',
      finish_message: 'All done.',
      safety_ratings: [{ category: 'X' }],
    };
    const usage = { prompt_token_count: 3, candidates_token_count: 1290, total_token_count: 1293 };
    const known = { usage_metadata: usage, model_version: 'img-1', response_id: 'r-1' };
    const reply = { candidates: [candidate], ...known };
    const expected = {
      finishReason: 'STOP',
      finishMessage: 'All done.',
      safetyRatings: [{ category: 'X' }],
      parts: [
        { type: 'media', mediaId: id, mimeType: 'image/png' },
        { type: 'hidden', raw: parts[1] },
      ],
    };
    for (const document of [reply, [reply]]) {
      const state = fold(body(document), finish);
      expect(state).toMatchObject({
        candidates: [expected],
        model: 'img-1',
        responseId: 'r-1',
        warnings: [],
      });
      expect(imageOperation.figures(state).usage).toEqual({
        prompt_tokens: 3,
        completion_tokens: 1290,
        total_tokens: 1293,
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

  it('warns about base64 that couldn’t be stored, and drops it', () => {
    const part = { inlineData: { mimeType: 'image/png', data: 'not!base64' } };
    const state = fold(body({ candidates: [{ content: { parts: [{ text: 'Here:' }, part] } }] }));
    expect(state.warnings).toEqual(['A file in the response isn’t valid base64 and was skipped.']);
    expect(state.candidates[0]?.parts).toEqual([{ type: 'text', text: 'Here:', thought: false }]);
  });
});

describe('thoughts of an image run', () => {
  const draftId = 'Dr3_-Dr3_-Dr3_-Dr3_-Dr';
  const image = (of: string, more = {}) => ({
    inlineData: { mimeType: 'image/png', data: `media:${of}` },
    ...more,
  });
  const parts = [
    { text: 'Drafting.', thought: true },
    image(draftId, { thought: true }),
    image(id, { thoughtSignature: 'c2ln', mediaResolution: { level: 'HIGH' } }),
  ];
  const draft = medium({ id: draftId, kind: 'image' });
  const final = medium({ id, kind: 'image' });
  const { quantities, results, response } = imageOperation;

  it('keeps every field of a part, and excludes drafts from the results', () => {
    const state = fold(body({ candidates: [{ content: { parts } }] }), finish);
    expect(state.candidates[0]?.parts.map((part) => ('raw' in part ? part.raw : null))).toEqual(
      parts,
    );
    expect(results?.(state, [draft, final])).toEqual([final]);
    expect(quantities(state, [draft, final]).images).toBe(1);
    expect(response(state)).toMatchObject({
      text: '',
      sections: [{ title: 'Reasoning', text: 'Drafting.' }],
    });
  });

  it('uses a draft as the result if no final image follows', () => {
    const state = fold(body({ candidates: [{ content: { parts: parts.slice(0, 2) } }] }), finish);
    expect(results?.(state, [draft])).toEqual([draft]);
    expect(quantities(state, [draft]).images).toBe(1);
    expect(imageOperation.noResult(state, [draft])).toBeNull();
  });

  it('reports a withheld image despite drafts', () => {
    const candidate = { content: { parts: parts.slice(0, 2) }, finishReason: 'IMAGE_SAFETY' };
    const state = fold(body({ candidates: [candidate] }), finish);
    expect(imageOperation.noResult(state, [draft])).toMatch(/^The gateway withheld the result/);
  });

  it.each([{ totalTokenCount: 40 }, {}])('counts thoughts as output with the total %j', (total) => {
    const counts = { promptTokenCount: 3, candidatesTokenCount: 9, thoughtsTokenCount: 28 };
    const state = fold(body({ candidates: [], usageMetadata: { ...counts, ...total } }));
    const completion_tokens_details = { reasoning_tokens: 28 };
    const usage = { completion_tokens: 37, completion_tokens_details };
    expect(imageOperation.figures(state).usage).toMatchObject(usage);
    expect(quantities(state, []).outputTokens).toBe(37);
  });
});
