import { describe, expect, it } from 'vitest';
import { type HarvestSink, harvestMedia } from '../../electron/operations/harvest-media.ts';
import { inlineMedia } from '../../electron/operations/inline-media.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Media } from '../../shared/media.ts';
import { mediaReference } from '../../shared/media-reference.ts';

const id = 'A'.repeat(22);
const ref = mediaReference(id);

function stored(fields: Partial<Media> = {}) {
  const media: Media = {
    id,
    kind: 'image',
    type: 'image/png',
    declaredType: null,
    name: 'dot.png',
    sizeBytes: 1_234_567,
    complete: true,
    width: null,
    height: null,
    durationSeconds: null,
    sampleRate: null,
    channels: null,
    frameRate: null,
    createdAt: 0,
    ...fields,
  };
  return {
    get: (asked: string) => (asked === id ? media : null),
    readBytes: async () => Buffer.from('dot'),
  };
}

describe('inlineMedia', () => {
  const placed = async (body: JsonObject) => JSON.parse((await inlineMedia(body, stored())).body);
  const dataUrl = 'data:image/png;base64,ZG90';

  it('puts a data URL for the image of a video, whatever it is called', async () => {
    const body = { model: 'm', prompt: ref, image: ref, input_image: ref };
    expect(await placed(body)).toEqual({
      model: 'm',
      prompt: ref,
      image: dataUrl,
      input_image: dataUrl,
    });
  });

  it('puts bare base64 into both spellings of inline data', async () => {
    const part = (name: string) => ({ contents: [{ parts: [{ [name]: { data: ref } }] }] });
    expect(await placed(part('inlineData'))).toEqual({
      contents: [{ parts: [{ inlineData: { data: 'ZG90' } }] }],
    });
    expect(await placed(part('inline_data'))).toEqual({
      contents: [{ parts: [{ inline_data: { data: 'ZG90' } }] }],
    });
  });

  it.each([
    ['a message', { messages: [{ role: 'user', content: ref }] }],
    ['a text part', { messages: [{ content: [{ type: 'text', text: ref }] }] }],
    ['a list', { documents: [ref] }],
    ['an argument', { messages: [{ tool_calls: [{ function: { arguments: ref } }] }] }],
  ])('leaves text alone in %s', async (_name, body) => {
    expect(await inlineMedia(body, stored())).toEqual({
      body: JSON.stringify(body),
      shownBody: null,
    });
  });

  it('shows name, size and reference in place of the bytes', async () => {
    const { shownBody } = await inlineMedia({ image: ref }, stored());
    expect(shownBody).toBe(`{"image":"data:image/png;base64,<base64 of dot.png, 1.2 MB, ${ref}>"}`);
  });

  it('uses the declared type where the bytes tell none', async () => {
    const store = stored({
      type: 'application/octet-stream',
      declaredType: 'audio/pcm; rate=8000',
    });
    const { body } = await inlineMedia({ image: ref }, store);
    expect(body).toContain('data:audio/pcm;base64,');
  });

  it.each([
    ['unknown', { get: () => null, readBytes: stored().readBytes }, id],
    ['not complete', stored({ complete: false }), 'dot.png'],
    ['too large', stored({ sizeBytes: 400_000_000 }), '400.0 MB'],
  ])('refuses a file that is %s and names it', async (_name, store, words) => {
    await expect(inlineMedia({ image: ref }, store)).rejects.toMatchObject({
      error: { kind: 'file', message: expect.stringContaining(words) },
    });
  });
});

describe('harvestMedia', () => {
  function harvest(json: JsonObject) {
    const added: [string, string, string | null, string][] = [];
    const sink: HarvestSink = {
      add(base64, type, stem) {
        added.push(['add', base64, type, stem]);
        return id;
      },
      append(key, base64, type, stem) {
        added.push([key, base64, type, stem]);
        return id;
      },
    };
    return { result: harvestMedia(json, sink), added };
  }

  it('answers the same value where there is nothing to take', () => {
    const json = {
      choices: [{ message: { content: 'data:image/png;base64,ZG90', audio: null } }],
      data: 'ZG90ZG90',
      url: 'https://x.example/a.png',
    };
    const { result, added } = harvest(json);
    expect(result).toBe(json);
    expect(added).toEqual([]);
  });

  it('takes data URLs where an address stands, and b64_json', () => {
    const { result, added } = harvest({
      images: [{ image_url: { url: 'data:image/webp;base64,ZG90' } }],
      data: [{ b64_json: 'ZG90' }],
    });
    expect(result).toEqual({ images: [{ image_url: { url: ref } }], data: [{ b64_json: ref }] });
    expect(added).toEqual([
      ['add', 'ZG90', 'image/webp', 'image'],
      ['add', 'ZG90', null, 'image'],
    ]);
  });

  it('takes the audio of a message with its format, of a delta as raw samples', () => {
    const { result, added } = harvest({
      choices: [
        { index: 0, message: { audio: { data: 'ZG90', format: 'mp3' } } },
        { index: 1, delta: { audio: { data: 'Z' } } },
        { index: 2, delta: { audio: { transcript: 'Hi' } } },
      ],
    });
    expect(added).toEqual([
      ['add', 'ZG90', 'audio/mp3', 'answer'],
      ['choice 1', 'Z', 'audio/pcm', 'answer'],
    ]);
    expect(result).toMatchObject({
      choices: [
        { message: { audio: { data: ref, format: 'mp3' } } },
        { delta: { audio: { data: ref } } },
        { delta: { audio: { transcript: 'Hi' } } },
      ],
    });
  });

  it('leaves what is no base64, and what lies too deep', () => {
    let deep: JsonObject = { inlineData: { data: 'ZG90' } };
    for (let level = 0; level < 5000; level += 1) deep = { deep };
    const json = { inlineData: { data: 'not base64!' }, deep };
    expect(harvest(json).result).toBe(json);
  });

  it('takes a film of many megabytes', () => {
    const base64 = 'AAAA'.repeat(8_000_000);
    expect(harvest({ inlineData: { data: base64 } }).added[0]?.[1]).toBe(base64);
  });
});
