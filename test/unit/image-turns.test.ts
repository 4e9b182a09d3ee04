import { describe, expect, it, vi } from 'vitest';
import { readRating } from '../../renderer/features/image/image-response-details.tsx';
import {
  checkSettings,
  countChangedSettings,
  readSettings,
} from '../../renderer/features/image/image-settings-values.ts';
import {
  createUserTurn,
  readContents,
  toContents,
  toModelTurn,
} from '../../renderer/features/image/turns.ts';
import type { JsonObject } from '../../shared/json.ts';
import { emptyInputs } from '../../shared/operations/empty-inputs.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import { findFieldErrors } from '../../shared/operations/form/field-errors.ts';
import { objectShapeSchema } from '../../shared/operations/form/request-facts.ts';
import { imageOperation } from '../../shared/operations/image/image.ts';
import { getImageRequestSchema, imageInputSchema } from '../../shared/operations/image/request.ts';
import type { ImageCandidate } from '../../shared/operations/image/state.ts';
import { body, foldAll } from './support/fold-events.ts';

// The fact lists import this module, which would connect to the main process.
vi.mock('../../renderer/run/live/live-runs.ts', () => ({}));

const mediaId = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';
const candidate: ImageCandidate = {
  role: 'model',
  finishReason: 'STOP',
  safetyRatings: [],
  parts: [
    { type: 'text', text: 'I think', thought: true },
    { type: 'text', text: 'Here:', thought: false },
    { type: 'media', mediaId, mimeType: 'image/png' },
    { type: 'unknown', raw: { odd: 1 } },
  ],
};

describe('turns of an image conversation', () => {
  it('sends earlier answers back unchanged, with references to images', () => {
    const answer = toModelTurn(candidate) ?? expect.fail();
    const inlineData = { mimeType: 'image/png', data: `media:${mediaId}` };
    expect(
      toContents([createUserTurn('A gate', []), answer, createUserTurn('At night', [])]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'A gate' }] },
      {
        role: 'model',
        parts: [{ text: 'I think', thought: true }, { text: 'Here:' }, { inlineData }, { odd: 1 }],
      },
      { role: 'user', parts: [{ text: 'At night' }] },
    ]);
  });

  it('creates no turn for an answer that is only reasoning', () => {
    const parts = [{ type: 'text' as const, text: 'Hm', thought: true }];
    expect(toModelTurn({ ...candidate, parts })).toBeNull();
  });

  it.each<JsonObject>([
    { text: 'Hm', thought: true, thoughtSignature: 'c2ln' },
    { text: 'Here', thought_signature: 'c2ln' },
    { inlineData: { mimeType: 'image/png', data: `media:${mediaId}` }, thoughtSignature: 'c2ln' },
    { inline_data: { mime_type: 'image/png', data: `media:${mediaId}` }, thought: true },
    { inlineData: { mimeType: 'image/png', data: `media:${mediaId}`, displayName: 'a.png' } },
    { fileData: { mimeType: 'image/png', fileUri: 'https://a.test/b.png' }, odd: [1] },
    { thoughtSignature: 'c2ln' },
    { executableCode: { code: '1' } },
  ])('keeps every field of %j in answers and recorded requests', (part) => {
    const content = { parts: [part, { text: 'Done' }] };
    const state = foldAll(imageOperation, [body({ candidates: [{ content }] })]);
    const [answered = expect.fail()] = state.candidates;
    const [sent = expect.fail()] = toContents([toModelTurn(answered) ?? expect.fail()]);
    expect(sent).toEqual({ role: 'model', parts: content.parts });
    const next = toContents([createUserTurn('More', [])]);
    expect(toContents(readContents([sent, ...next]).earlier)).toEqual([sent]);
    expect(imageInputSchema.shape.earlier.parse(readContents([sent, ...next]).earlier)).toEqual(
      readContents([sent, ...next]).earlier,
    );
  });

  it('restores turns from a recorded request', () => {
    const image = { mediaId, mimeType: 'image/png' };
    const contents = toContents([
      createUserTurn('A gate', []),
      createUserTurn('At night', [image]),
    ]);
    expect(readContents(contents)).toEqual({
      prompt: 'At night',
      images: [image],
      earlier: [createUserTurn('A gate', [])],
    });
    expect(readContents(undefined)).toEqual({ prompt: '', images: [], earlier: [] });
  });
});

describe('image settings', () => {
  const shape = describeOperation('image').objects.generationConfig;

  it('uses the types that the main process requires', () => {
    const text = { type: 'string' };
    const imageConfig = { properties: { aspectRatio: text, imageSize: text } };
    const responseModalities = { type: 'array', items: text };
    const properties = { responseModalities, imageConfig };
    expect(shape).toMatchObject({ type: 'object', properties });
  });

  it('checks known types even if another type is unknown', () => {
    const some = objectShapeSchema.parse({
      type: 'object',
      properties: { seed: { type: 'integer' }, stop: { anyOf: [] }, style: { type: 'string' } },
    });
    const check = (more: JsonObject) =>
      checkSettings({ ...emptyInputs.image, moreConfig: JSON.stringify(more) }, some);
    expect(check({ seed: 1.5, stop: 'END', style: 'oil' })).toMatchObject({ ok: true });
    expect(check({ seed: 1, style: 5 })).toEqual({ ok: false, problem: 'style: Enter text.' });
  });

  it('sends only the modalities of a new draft, and no config if those are unset', () => {
    expect(checkSettings(emptyInputs.image, shape)).toEqual({
      ok: true,
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
    });
    expect(countChangedSettings(emptyInputs.image)).toBe(0);
    const unset = checkSettings({ ...emptyInputs.image, responseModalities: null }, shape);
    expect(unset).toEqual({ ok: true, generationConfig: null });
  });

  it('restores settings from a sent config, including other fields', () => {
    const settings = {
      responseModalities: ['IMAGE'],
      aspectRatio: '16:9',
      imageSize: 'huge',
      moreConfig: '{"temperature": 0.4, "imageConfig": {"style": "ink"}}',
    };
    const checked = checkSettings(settings, shape);
    expect(checked).toEqual({
      ok: true,
      generationConfig: {
        responseModalities: ['IMAGE'],
        temperature: 0.4,
        imageConfig: { style: 'ink', aspectRatio: '16:9', imageSize: 'huge' },
      },
    });
    const read = readSettings(checked.ok ? (checked.generationConfig ?? undefined) : undefined);
    expect(checkSettings(read, shape)).toEqual(checked);
  });

  it.each(['[1]', '{', '12'])('rejects extra fields that aren’t an object: %s', (moreConfig) => {
    expect(checkSettings({ ...emptyInputs.image, moreConfig }, shape).ok).toBe(false);
  });

  it.each([
    '{"responseModalities": "IMAGE"}',
    '{"responseModalities": 9007199254740993}',
    '{"responseModalities": [5]}',
    '{"imageConfig": null}',
    '{"imageConfig": {"aspectRatio": null}}',
    '{"imageConfig": {"imageSize": 2}}',
  ])('rejects invalid fields with the message of the main process: %s', (moreConfig) => {
    const settings = { ...emptyInputs.image, responseModalities: null, moreConfig };
    const generationConfig: unknown = JSON.parse(moreConfig);
    const request = { model: 'm', contents: [{ parts: [{ text: 'a' }] }], generationConfig };
    const [first] = findFieldErrors(getImageRequestSchema(), request);
    const place = first?.path.slice(1).join('.');
    const problem = `${place}: ${first?.message}`;
    expect(checkSettings(settings, shape)).toEqual({ ok: false, problem });
  });
});

describe('safety ratings', () => {
  it('reads ratings of any shape', () => {
    expect(
      readRating({ category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'HIGH', blocked: true }),
    ).toEqual({ category: 'hate speech', probability: 'high', blocked: true });
    expect(readRating('odd').category).toBe('"odd"');
  });
});
