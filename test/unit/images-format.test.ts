import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { imageOperation } from '../../shared/operations/image/image.ts';
import { getDraftIds, type ImageState } from '../../shared/operations/image/state.ts';
import { getTokenCounts } from '../../shared/operations/response/usage.ts';
import { toFormRequest, toHttp } from '../../shared/operations/write-request.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { medium } from '../fixtures/medium.ts';
import { body, chunk, comment, finish, foldAll } from './support/fold-events.ts';

const [format = expect.fail()] = imageOperation.formats ?? [];
const ids = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(22));
const [first = '', second = '', third = '', mask = ''] = ids.map((id) => `media:${id}`);

const user = (text: string, ...images: string[]) => ({
  role: 'user',
  parts: [
    ...images.map((data) => ({ inlineData: { mimeType: 'image/png', data } })),
    ...(text === '' ? [] : [{ text }]),
  ],
});

function toInput(request: JsonObject, extraBody: JsonObject = {}) {
  const fields = { format: 'images', model: 'm', contents: [user('A gate')], ...request };
  return { request: fields, extraBody, wireNames: {} };
}

describe('a request in the Images format', () => {
  it('sends the prompt in place of contents, and no generation config', () => {
    const generationConfig = { responseModalities: ['TEXT', 'IMAGE'] };
    expect(toHttp(imageOperation, toInput({ generationConfig }))).toEqual({
      method: 'POST',
      path: '/v1/images/generations',
      body: { model: 'm', prompt: 'A gate' },
    });
    expect(toFormRequest(imageOperation, toInput({}))).toBeNull();
  });

  it.each<[JsonObject, JsonObject?]>([
    [{ n: 2 }],
    [{ size: '1536x1024' }],
    [{ quality: 'high' }],
    [{ style: 'natural' }],
    [{ background: 'transparent' }],
    [{ moderation: 'low' }],
    [{ output_format: 'webp', output_compression: 60 }],
    [{ response_format: 'url' }],
    [{ stream: true, partial_images: 3 }],
    [{ partial_images: 3 }, {}],
    [{ input_fidelity: 'high' }, {}],
    [{ mask: 'media:dddddddddddddddddddddd' }, {}],
  ])('sends %j for a new image', (fields, sent = fields) => {
    const { body: received } = toHttp(imageOperation, toInput(fields, { seed: 7 }));
    expect(received).toEqual({ model: 'm', prompt: 'A gate', ...sent, seed: 7 });
  });

  it('keeps the fields of this format out of generateContent', () => {
    const { request } = toInput({ size: '1x1', mask: 'media:x', stream: true });
    const { format: _images, ...plain } = request;
    const sent = toHttp(imageOperation, { request: plain, extraBody: {}, wireNames: {} });
    expect(sent).toMatchObject({ path: '/v1beta/models/m:generateContent' });
    expect(sent.body).toEqual({ contents: [user('A gate')] });
  });

  const parts = [
    { inlineData: { data: third }, thought: true },
    { inline_data: { mime_type: 'image/png', data: first } },
    { text: 'Here' },
  ];
  const answered = [user('A gate', third), { role: 'model', parts }, user('Go', second)];
  it.each<[string, JsonObject[], string, string[]]>([
    ['one image', [user('Go', first)], 'image', [first]],
    ['several images', [user('Go', first, second)], 'image[]', [first, second]],
    ['the image of the answer before, without its drafts', answered, 'image[]', [first, second]],
  ])('sends %s as a form', (_name, contents, name, files) => {
    const options = {
      n: 2,
      stream: true,
      style: 'vivid',
      moderation: 'low',
      input_fidelity: 'low',
    };
    const input = toInput({ contents, mask, ...options }, { seed: 7 });
    const { fields, ...form } = toFormRequest(imageOperation, input) ?? expect.fail();
    const names = 'model=m prompt=Go n=2 stream=true input_fidelity=low seed=7';
    expect(fields.map((field) => field.join('=')).join(' ')).toBe(names);
    const sent = files.map((reference) => ({ name, reference }));
    expect(form).toEqual({
      method: 'POST',
      path: '/v1/images/edits',
      files: [...sent, { name: 'mask', reference: mask }],
    });
  });
});

const fold = (...events: RunEventBody[]): ImageState =>
  foldAll({ fold: format.fold, initialState: imageOperation.initialState }, events);

const image = (mediaId = ids[0], mimeType = 'image/png') => ({ type: 'media', mediaId, mimeType });
const usage = {
  input_tokens: 10,
  output_tokens: 20,
  total_tokens: 30,
  input_tokens_details: { text_tokens: 4, image_tokens: 6 },
};

describe('a response in the Images format', () => {
  it('reads images, revised prompts, usage and other fields of a document', () => {
    const data = [{ b64_json: first, revised_prompt: 'A tall gate' }, { b64_json: second }];
    const facts = { created: 1, size: '1x1', quality: 'high', output_format: 'webp', usage };
    const state = fold(body({ data, ...facts }), finish);
    expect(state.candidates).toMatchObject([
      { parts: [image(ids[0], 'image/webp')], revisedPrompt: 'A tall gate' },
      { parts: [image(ids[1], 'image/webp')] },
    ]);
    expect(state.other).toEqual({ size: '1x1', quality: 'high', output_format: 'webp' });
    const figures = imageOperation.figures(state);
    expect(getTokenCounts(figures.usage)).toMatchObject({ input: 10, output: 20, total: 30 });
    expect(imageOperation.response(state).sections).toEqual([
      { title: 'Revised prompt', text: 'A tall gate', format: 'plain' },
    ]);
    expect(imageOperation.noResult(state, [])).toBeNull();
  });

  it('keeps a URL as a link until its file arrives', () => {
    const url = 'https://files.example/1.png';
    const linked = body({ data: [{ url, revised_prompt: 'r' }] });
    const link = { type: 'link', url, mimeType: 'image/png' };
    expect(fold(linked).candidates[0]?.parts).toEqual([link]);
    const media = medium({ id: ids[0] ?? '', kind: 'image', type: 'image/jpeg' });
    const other = { ...media, id: ids[1] ?? '' };
    const state = fold(
      linked,
      { kind: 'media', exchange: 1, media: other, url: 'https://files.example/2.png' },
      { kind: 'media', exchange: 1, media, url },
    );
    expect(state.candidates[0]?.parts).toEqual([image(ids[0], 'image/jpeg')]);
    expect(imageOperation.quantities(fold(linked), [])).toMatchObject({ images: 1 });
  });

  it('uses the type of the stored file if no format is declared', () => {
    const media = medium({ id: ids[0] ?? '', kind: 'image', type: 'image/webp' });
    const stored: RunEventBody = { kind: 'media', exchange: 0, media };
    const state = fold(body({ data: [{ b64_json: first }] }), stored);
    expect(state.candidates[0]?.parts).toEqual([image(ids[0], 'image/webp')]);
  });

  const empty = 'The response has neither text nor images.';
  it.each<[string, unknown, number, string | null]>([
    ['no data', { created: 1 }, 0, empty],
    ['data that isn’t a list', { data: 1 }, 0, empty],
    ['data that isn’t base64', { data: [{ b64_json: '<html>' }] }, 0, empty],
    ['an item without an image', { data: [{ error: 'x' }] }, 1, empty],
    ['an error', { error: { message: 'No.' } }, 0, empty],
    ['a list', [{ data: [{ b64_json: first }] }], 1, null],
  ])('reads a document with %s', (_name, document, candidates, reason) => {
    const state = fold(body(document), finish);
    expect(state.candidates).toHaveLength(candidates);
    expect(imageOperation.noResult(state, [])).toBe(reason);
  });
});

const event = (type: string, fields: JsonObject = {}) => ({
  type,
  output_format: 'png',
  ...fields,
});
const partial = (b64_json: string, partial_image_index: number, kind = 'generation') =>
  event(`image_${kind}.partial_image`, { b64_json, partial_image_index });
const completed = (b64_json: string, kind = 'generation', fields: JsonObject = { usage }) =>
  event(`image_${kind}.completed`, { b64_json, created_at: 1, size: '1x1', ...fields });

describe('a stream in the Images format', () => {
  it.each(['generation', 'edit'])('replaces partial images of an %s', (kind) => {
    const early = fold(chunk(partial(first, 0, kind)));
    expect(early.candidates[0]?.parts).toEqual([{ ...image(ids[0]), preview: true }]);
    expect(imageOperation.noResult(early, [])).toBeNull();
    const later = fold(chunk(partial(first, 0, kind)), chunk(partial(second, 1, kind)));
    expect([...getDraftIds(later.candidates)]).toEqual([ids[0]]);
    const state = fold(
      chunk(partial(first, 0, kind)),
      comment('PROCESSING'),
      chunk(partial(second, 1, kind)),
      chunk(completed(third, kind)),
      chunk('[DONE]'),
      finish,
    );
    expect(state.candidates).toHaveLength(1);
    expect(state.candidates[0]?.parts.at(-1)).toEqual(image(ids[2]));
    expect([...getDraftIds(state.candidates)]).toEqual([ids[0], ids[1]]);
    const media = ids.slice(0, 3).map((id) => medium({ id, kind: 'image' }));
    expect(imageOperation.results?.(state, media).map(({ id }) => id)).toEqual([ids[2]]);
    expect(imageOperation.quantities(state, media)).toMatchObject({ images: 1 });
    expect(state.usage).toEqual(usage);
    expect(state.other).toEqual({ output_format: 'png', size: '1x1' });
  });

  it('begins the next image after a finished one, and adds up their usage', () => {
    const events = [partial(first, 0), completed(second), partial(third, 0), completed(mask)];
    const state = fold(...events.map((data) => chunk(data)));
    const last = state.candidates.map(({ parts }) => parts.at(-1));
    expect(last).toEqual([image(ids[1]), image(ids[3])]);
    expect(state.usage).toMatchObject({
      output_tokens: 40,
      total_tokens: 60,
      input_tokens_details: { text_tokens: 8 },
    });
  });

  it('groups images by index, and reads their usage at the end', () => {
    const group = (image_index: number, url: string) =>
      event('image_generation.partial_succeeded', { image_index, url });
    const state = fold(
      chunk(group(1, 'https://f.example/b')),
      chunk(group(0, 'https://f.example/a')),
      chunk(event('image_generation.completed', { usage: { generated_images: 2 } })),
    );
    expect(state.candidates.map(({ parts }) => parts)).toMatchObject([
      [{ type: 'link', url: 'https://f.example/a' }],
      [{ type: 'link', url: 'https://f.example/b' }],
    ]);
    expect(state.usage).toEqual({ generated_images: 2 });
  });

  it('keeps unknown events, and takes the type from the name of the event', () => {
    const { type: _type, ...untyped } = completed(first);
    const state = fold(
      chunk({ type: 'image_generation.queued', place: 3 }),
      chunk(untyped, 'image_generation.completed'),
    );
    expect(state.other).toMatchObject({ 'image_generation.queued': { place: 3 } });
    expect(state.candidates[0]?.parts).toEqual([image()]);
  });

  it.each<[string, RunEventBody[], JsonObject, string]>([
    ['nothing', [], {}, 'more'],
    ['a partial image', [chunk(partial(first, 0))], {}, 'more'],
    ['the image', [chunk(completed(first))], {}, 'nothing'],
    ['one of two images', [chunk(completed(first))], { n: 2 }, 'more'],
    ['both images', [chunk(completed(first)), chunk(completed(second))], { n: '2' }, 'nothing'],
    ['an error', [chunk({ type: 'error', error: { message: 'x' } }, 'error')], {}, 'more'],
  ])('expects more events or none after %s', (_name, events, sent, rest) => {
    expect(format.rest(fold(...events), sent)).toBe(rest);
  });
});
