import { describe, expect, it } from 'vitest';
import {
  type Harvest,
  type HarvestSink,
  harvestAnswer,
  harvestMedia,
} from '../../electron/operations/harvest-media.ts';
import type { JsonObject } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media.ts';
import { readVideoTask, videoPlaces } from '../../shared/operations/video/task-response.ts';

const id = 'A'.repeat(22);
const ref = mediaReference(id);

describe('harvestMedia', () => {
  function harvest(json: JsonObject, by: Harvest = harvestMedia) {
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
    return { result: by(json, sink, false), added };
  }

  it.each(['ZG90ZA=', 'ZG90ZG9==', ' ZG90 ZG90\n', 'ZG90\tZG90', 'ZG90ZG90 \r\n ZG90ZA'])(
    'takes what is declared as base64 whatever its padding and white space are: %j',
    (b64_json) => {
      expect(harvest({ b64_json }).added).toEqual([
        ['add', b64_json.replace(/\s/g, ''), null, 'image'],
      ]);
    },
  );

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

  it('accepts data URLs in place of a URL, and b64_json', () => {
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

  it('reads base64 with line breaks, and a data URL where only the data belongs', () => {
    const { result, added } = harvest({
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'ZG90\r\nZG90\n' } },
        { inline_data: { data: 'data:image/webp;base64,ZG\n90' } },
        { b64_json: 'data:video/mp4;base64,ZG90ZA==' },
      ],
    });
    expect(added).toEqual([
      ['add', 'ZG90ZG90', 'image/png', 'image'],
      ['add', 'ZG90', 'image/webp', 'image'],
      ['add', 'ZG90ZA==', 'video/mp4', 'image'],
    ]);
    expect(result).toMatchObject({
      parts: [{ inlineData: { data: ref } }, { inline_data: { data: ref } }, { b64_json: ref }],
    });
  });

  it.each([
    ['an ID', { type: 'file', file: 'file-abcdefghijklmnopqrstuvwxyz0123456789' }],
    ['an ID among files', { type: 'file', file: { file_id: 'A'.repeat(2000) } }],
    ['a path', { type: 'image_url', image_url: { url: `/${'files/abcdefgh/'.repeat(20)}` } }],
    ['a URL', { type: 'video', video: { url: `https://x.example/${'a'.repeat(2000)}` } }],
    ['a text', { type: 'text', text: 'A'.repeat(2000) }],
    ['the pieces of a sound', { delta: { audio: 'A'.repeat(2000) } }],
  ])('leaves %s where base64 alone could be', (_name, json: JsonObject) => {
    const { result, added } = harvest(json, harvestAnswer);
    expect(result).toBe(json);
    expect(added).toEqual([]);
  });

  /** Twelve hundred letters in both cases, and three hundred words. */
  const letters = 'TheRainInSpain'.repeat(86).slice(0, 1200);
  const sentence = 'The rain in Spain '.repeat(75).trim();
  const lines = 'The\nrain\nfalls\nmainly\n'.repeat(75);

  const parts = [
    ...['image_url', 'image', 'images', 'video_url', 'video', 'file', 'file_url', 'source'],
    ...['audio', 'audio_url'],
  ];
  /** Their data is base64 by its name, and may be raw samples. */
  const sounds = ['input_audio', 'output_audio'];

  it.each(parts)('leaves text that is the data of “%s”', (name) => {
    for (const data of [letters, sentence, lines]) {
      for (const json of [
        { [name]: { data } },
        { type: 'file_citation', [name]: { text: 'q', data } },
      ]) {
        expect(harvest(json, harvestAnswer).result).toBe(json);
      }
    }
  });

  it.each(sounds)('leaves a sentence that is the data of “%s”', (name) => {
    const json = { [name]: { data: sentence } };
    expect(harvest(json, harvestAnswer).result).toBe(json);
  });

  it.each([...parts, ...sounds])('leaves text under “%s”', (name) => {
    const untyped = [letters, sentence, lines].flatMap((text): JsonObject[] => [
      { [name]: text },
      { [name]: [text] },
      { [name]: { url: text } },
      { type: 'profile', [name]: text, data: text, url: text },
    ]);
    const typed = [sentence, lines, letters.toLowerCase(), '0123456789abcdef'.repeat(75)].flatMap(
      (text): JsonObject[] => [
        { type: 'file', [name]: text },
        { type: 'output_image', [name]: { filename: 'a.txt', url: text, file_data: sentence } },
        { type: 'input_audio', url: text, data: [text] },
      ],
    );
    for (const json of [...untyped, ...typed]) {
      const { result, added } = harvest(json, harvestAnswer);
      expect(result, JSON.stringify(json).slice(0, 80)).toBe(json);
      expect(added).toEqual([]);
    }
  });

  it.each<[string, JsonObject]>([
    ['a sentence where a file is', { file: { file_data: 'The rain in Spain falls on plain' } }],
    ['a sentence with its type', { mime_type: 'text/plain', data: 'Now is it the time for all' }],
    ['a word of a document', { type: 'text', media_type: 'text/plain', data: 'Test' }],
  ])('leaves %s', (_name, json) => {
    for (const by of [harvestMedia, harvestAnswer]) expect(harvest(json, by).result).toBe(json);
  });

  it.each([
    // 0xff 0xfb 0x90: how the frame of an MP3 begins, without a second one.
    ["the letters of a sound's first frame", `//uQ${'x9Kd'.repeat(30)}`],
    ['text', btoa('proxy:application/pdf;unified_id,5f2c9d0e-6a1b-4c3d-8e7f;target_model_names,m')],
    ['the letters of a gzip file', `H4sI${'x9Kd'.repeat(50)}`],
  ])('leaves an ID that is base64 of %s', (_name, fileId) => {
    for (const json of [{ image: fileId }, { type: 'file', file: fileId }]) {
      expect(harvest(json, harvestAnswer).result).toBe(json);
    }
  });

  it('takes bare base64 from a part by its signature, or by the type of the part, in chat alone', () => {
    const png = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB${'CAYAAAAf'.repeat(8)}`;
    const pdf = `JVBERi0xLjcK${'AAAA'.repeat(20)}`;
    // Raw samples, in the lines of MIME, and of PEM with the line breaks of Windows.
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
    expect(harvest(json, harvestAnswer).added).toEqual([
      ['add', png, 'image/png', 'image'],
      ['add', png, 'image/png', 'image'],
      ['add', pdf, 'application/pdf', 'file'],
      ['add', samples, null, 'file'],
      ['add', samples, null, 'file'],
      ['add', samples, null, 'file'],
    ]);
  });

  it('leaves bare base64 that is padded too little, and line breaks without end', () => {
    const samples = 'AQACAAMABAAFAAYABwAIAAkACgALAAwA'.repeat(40);
    for (const file of [`${samples}AA=`, `${samples}\t`, `${'\n'.repeat(1_000_000)}a`]) {
      const json = { type: 'file', file };
      expect(harvest(json, harvestAnswer).result).toBe(json);
    }
  });

  it('takes bare base64 from “url” where the type of the part names a medium', () => {
    const url = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB${'CAYAAAAf'.repeat(8)}`;
    expect(harvest({ type: 'generated_image', url }, harvestAnswer).result).toEqual({
      type: 'generated_image',
      url: ref,
    });
  });

  it('accepts data URLs in lists of addresses, and leaves addresses alone', () => {
    const film = 'data:video/mp4;base64,ZG90';
    const { result, added } = harvest({ url: [film, 'https://a/1.mp4'], output: { video: film } });
    expect(result).toEqual({ url: [ref, 'https://a/1.mp4'], output: { video: ref } });
    expect(added).toEqual([
      ['add', 'ZG90', 'video/mp4', 'video'],
      ['add', 'ZG90', 'video/mp4', 'video'],
    ]);
  });

  it.each(videoPlaces)('takes what is read as a video from “%s”, alone and in a list', (place) => {
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
    'leaves %s, which is not whole base64',
    (data) => {
      const json = { inlineData: { data } };
      expect(harvest(json).result).toBe(json);
    },
  );

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
