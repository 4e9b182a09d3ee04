import { describe, expect, it } from 'vitest';
import {
  type Harvest,
  type HarvestSink,
  harvestAnswer,
  harvestMedia,
} from '../../electron/operations/harvest-media.ts';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';
import { videoPlaces } from '../../shared/operations/video/video-links.ts';

const id = 'A'.repeat(22);
const ref = createMediaReference(id);

describe('harvestMedia', () => {
  function harvest(json: JsonObject, by: Harvest = harvestMedia) {
    const added: [string, string, string | null, string][] = [];
    const append: HarvestSink['append'] = (key, base64, type, stem) => {
      added.push([key, base64, type, stem]);
      return id;
    };
    const add: HarvestSink['add'] = (...medium) => append('add', ...medium);
    const addOnce: HarvestSink['addOnce'] = (...medium) => append('once', ...medium);
    const sink = { add, addOnce, append, refer: () => undefined };
    return { result: by(json, sink, false), added };
  }

  function expectUnchanged(json: JsonObject, by: Harvest = harvestAnswer) {
    const { result, added } = harvest(json, by);
    expect(result, JSON.stringify(json).slice(0, 80)).toBe(json);
    expect(added).toEqual([]);
  }

  it.each(['ZG90ZA=', 'ZG90ZG9==', ' ZG90 ZG90\n', 'ZG90\tZG90', 'ZG90ZG90 \r\n ZG90ZA'])(
    'accepts any padding and white space in declared base64: %j',
    (b64_json) => {
      const base64 = b64_json.replace(/\s/g, '');
      expect(harvest({ b64_json }).added).toEqual([['add', base64, null, 'image']]);
    },
  );

  it('returns the same value if it contains no media', () => {
    const message = { content: 'data:image/png;base64,ZG90', audio: null };
    const url = 'https://x.example/a.png';
    expectUnchanged({ choices: [{ message }], data: 'ZG90ZG90', url }, harvestMedia);
  });

  it('stores images and sound of Responses events, but not their encrypted reasoning', () => {
    const call = { type: 'image_generation_call', result: 'ZG90', output_format: 'webp' };
    const secret = { type: 'reasoning', encrypted_content: 'ZG90' };
    const { result, added } = harvest({ response: { output: [secret, call] } }, harvestAnswer);
    expect(result).toEqual({ response: { output: [secret, { ...call, result: ref }] } });
    expect(added).toEqual([['once', 'ZG90', 'image/webp', 'image']]);
    const partial = harvest({ partial_image_b64: 'ZG90' });
    expect(partial.result).toEqual({ partial_image_b64: ref });
    expect(partial.added).toEqual([['once', 'ZG90', null, 'draft']]);
    const sound = harvest({ type: 'response.audio.delta', delta: 'ZG90' });
    expect(sound.added).toEqual([['audio', 'ZG90', 'audio/pcm', 'answer']]);
    expectUnchanged({ type: 'response.output_text.delta', delta: 'ZG90' });
    expectUnchanged({ type: 'mcp_call', result: 'ZG90' });
  });

  it('accepts data URLs in place of a URL, and b64_json', () => {
    const json = (url: string, b64_json: string) => ({
      images: [{ image_url: { url } }],
      data: [{ b64_json }],
    });
    const { result, added } = harvest(json('data:image/webp;base64,ZG90', 'ZG90'));
    expect(result).toEqual(json(ref, ref));
    expect(added.map(String)).toEqual(['add,ZG90,image/webp,image', 'add,ZG90,,image']);
  });

  it('reads base64 with line breaks, and data URLs where base64 is expected', () => {
    const { result, added } = harvest({
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'ZG90\r\nZG90\n' } },
        { inline_data: { data: 'data:image/webp;base64,ZG\n90' } },
        { b64_json: 'data:video/mp4;base64,ZG90ZA==' },
      ],
    });
    expect(added.map(String)).toEqual([
      ...['add,ZG90ZG90,image/png,image', 'add,ZG90,image/webp,image'],
      'add,ZG90ZA==,video/mp4,image',
    ]);
    expect(result).toMatchObject({
      parts: [{ inlineData: { data: ref } }, { inline_data: { data: ref } }, { b64_json: ref }],
    });
  });

  it.each<[string, JsonObject]>([
    ['an ID', { type: 'file', file: 'file-abcdefghijklmnopqrstuvwxyz0123456789' }],
    ['an ID among files', { type: 'file', file: { file_id: 'A'.repeat(2000) } }],
    ['a path', { type: 'image_url', image_url: { url: `/${'files/abcdefgh/'.repeat(20)}` } }],
    ['a URL', { type: 'video', video: { url: `https://x.example/${'a'.repeat(2000)}` } }],
    ['a text', { type: 'text', text: 'A'.repeat(2000) }],
    ['chunks of audio', { delta: { audio: 'A'.repeat(2000) } }],
    ['a sentence in place of a file', { file: { file_data: 'The rain in Spain falls on plain' } }],
    ['a sentence with its type', { mime_type: 'text/plain', data: 'Now is it the time for all' }],
    ['a word of a document', { type: 'text', media_type: 'text/plain', data: 'Test' }],
  ])('keeps %s', (_name, json) => {
    for (const by of [harvestMedia, harvestAnswer]) expectUnchanged(json, by);
  });

  /** 1,200 letters in both cases, and a sentence of 300 words. */
  const letters = 'TheRainInSpain'.repeat(86).slice(0, 1200);
  const sentence = 'The rain in Spain '.repeat(75).trim();
  const lines = 'The\nrain\nfalls\nmainly\n'.repeat(75);

  const parts = [
    ...['image_url', 'image', 'images', 'video_url', 'video', 'file', 'file_url', 'source'],
    ...['audio', 'audio_url'],
  ];
  /** These names declare base64, but the data may also be raw samples. */
  const sounds = ['input_audio', 'output_audio'];

  it.each(parts)('keeps text in the data of “%s”', (name) => {
    for (const data of [letters, sentence, lines]) {
      expectUnchanged({ [name]: { data } });
      expectUnchanged({ type: 'file_citation', [name]: { text: 'q', data } });
    }
  });

  it.each(sounds)('keeps a sentence in the data of “%s”', (name) => {
    expectUnchanged({ [name]: { data: sentence } });
  });

  it.each([...parts, ...sounds])('keeps text under “%s”', (name) => {
    for (const text of [letters, sentence, lines]) {
      for (const value of [text, [text], { url: text }]) expectUnchanged({ [name]: value });
      expectUnchanged({ type: 'profile', [name]: text, data: text, url: text });
    }
    for (const text of [sentence, lines, letters.toLowerCase(), '0123456789abcdef'.repeat(75)]) {
      const named = { filename: 'a.txt', url: text, file_data: sentence };
      expectUnchanged({ type: 'file', [name]: text });
      expectUnchanged({ type: 'output_image', [name]: named });
      expectUnchanged({ type: 'input_audio', url: text, data: [text] });
    }
  });

  it.each([
    // The bytes 0xff 0xfb 0x90 start an MP3 frame, but no second frame follows.
    ["a sound's first frame", `//uQ${'x9Kd'.repeat(30)}`],
    ['text', btoa('proxy:application/pdf;unified_id,5f2c9d0e-6a1b-4c3d-8e7f;target_model_names,m')],
    ['a gzip file', `H4sI${'x9Kd'.repeat(50)}`],
  ])('keeps an ID that looks like base64 of %s', (_name, fileId) => {
    for (const json of [{ image: fileId }, { type: 'file', file: fileId }]) expectUnchanged(json);
  });

  it('finds bare base64 by its signature or the type of its part, in chat only', () => {
    const png = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB${'CAYAAAAf'.repeat(8)}`;
    const pdf = `JVBERi0xLjcK${'AAAA'.repeat(20)}`;
    // Encode raw samples as MIME lines, and as PEM lines with Windows line breaks.
    const samples = 'AQACAAMABAAFAAYABwAIAAkACgALAAwA'.repeat(40);
    const mime = samples.replace(/.{76}/g, '$&\n');
    const pem = samples.replace(/.{64}/g, '$&\r\n');
    const json = {
      content: [
        { source: png },
        { image_url: { url: png } },
        { file: { data: pdf } },
        { type: 'output_audio', audio: mime },
        { type: 'file', file: { data: pem } },
        { type: 'image', source: { type: 'base64', data: samples } },
      ],
    };
    expect(harvest(json).result).toBe(json);
    const image = `add,${png},image/png,image`;
    const raw = `add,${samples},,file`;
    const found = harvest(json, harvestAnswer).added.map(String);
    expect(found).toEqual([image, image, `add,${pdf},application/pdf,file`, raw, raw, raw]);
  });

  it('keeps base64 with too little padding or endless line breaks as text', () => {
    const samples = 'AQACAAMABAAFAAYABwAIAAkACgALAAwA'.repeat(40);
    for (const file of [`${samples}AA=`, `${samples}\t`, `${'\n'.repeat(1_000_000)}a`]) {
      expectUnchanged({ type: 'file', file });
    }
  });

  it('finds bare base64 in “url” if the part’s type is a media type', () => {
    const url = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB${'CAYAAAAf'.repeat(8)}`;
    const type = 'generated_image';
    expect(harvest({ type, url }, harvestAnswer).result).toEqual({ type, url: ref });
  });

  it('accepts data URLs in lists of addresses, and keeps other addresses', () => {
    const film = 'data:video/mp4;base64,ZG90';
    const { result, added } = harvest({ url: [film, 'https://a/1.mp4'], output: { video: film } });
    expect(result).toEqual({ url: [ref, 'https://a/1.mp4'], output: { video: ref } });
    const stored = 'add,ZG90,video/mp4,video';
    expect(added.map(String)).toEqual([stored, stored]);
  });

  it.each(videoPlaces)('finds a video under “%s”, alone and in a list', (place) => {
    const film = 'data:video/mp4;base64,ZG90';
    for (const value of [film, [film], [{ url: film }], [[film]]]) {
      const { result } = harvest({ task_id: 't', status: 'completed', [place]: value });
      expect(JSON.stringify(result)).not.toContain('ZG90');
      const named = readVideoTask(result);
      expect(named?.addresses, JSON.stringify(value)).toEqual([ref]);
      expect(named?.taskId).toBe('t');
    }
  });

  it.each(['ZG9', 'Z', 'ZG90Z', 'ZG=90ZG9', 'ZG90====', 'data:image/png;base64,ZG90Z'])(
    'keeps %s, which is incomplete base64',
    (data) => expectUnchanged({ inlineData: { data } }, harvestMedia),
  );

  it('stores the audio of a message in its format, and of a delta as raw samples', () => {
    const { result, added } = harvest({
      choices: [
        { index: 0, message: { audio: { data: 'ZG90', format: 'mp3' } } },
        { index: 1, delta: { audio: { data: 'Z' } } },
        { index: 2, delta: { audio: { transcript: 'Hi' } } },
      ],
    });
    const stored = ['add,ZG90,audio/mp3,answer', 'choice 1,Z,audio/pcm,answer'];
    expect(added.map(String)).toEqual(stored);
    expect(result).toMatchObject({
      choices: [
        { message: { audio: { data: ref, format: 'mp3' } } },
        { delta: { audio: { data: ref } } },
        { delta: { audio: { transcript: 'Hi' } } },
      ],
    });
  });

  it('keeps invalid base64 and values that are nested too deeply', () => {
    let deep: JsonObject = { inlineData: { data: 'ZG90' } };
    for (let level = 0; level < 5000; level += 1) deep = { deep };
    expect(harvest({ inlineData: { data: 'not base64!' } }).added).toEqual([]);
    expect(harvest(deep).result).toBe(deep);
  });

  it('accepts a video of many megabytes', () => {
    const base64 = 'AAAA'.repeat(8_000_000);
    expect(harvest({ inlineData: { data: base64 } }).added[0]?.[1]).toBe(base64);
  });
});
