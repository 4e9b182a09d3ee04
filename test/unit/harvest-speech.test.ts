import { expect, it } from 'vitest';
import type { HarvestSink } from '../../electron/operations/harvest-media.ts';
import { createSpeechHarvest } from '../../electron/operations/harvest-speech.ts';

/** Returns the bytes that a stream of audio pieces stores. */
function harvestAll(pieces: readonly object[]): Buffer {
  const stored: Buffer[] = [];
  const sink: HarvestSink = {
    add: () => 'media',
    addOnce: () => 'media',
    append(_key, base64) {
      stored.push(Buffer.from(base64, 'base64'));
      return 'media';
    },
    refer: () => undefined,
  };
  const { harvest } = createSpeechHarvest('audio/pcm');
  for (const piece of pieces) harvest({ ...piece }, sink, true);
  return Buffer.concat(stored);
}

const silence = Buffer.alloc(48);
const quiet = Buffer.from(silence).fill(Buffer.from([0, 0, 0x34]));
const hum = Buffer.from(Array.from({ length: 48 }, (_item, at) => at * 5));
const deltas = (encoding: 'base64' | 'hex', ...sounds: Buffer[]) =>
  sounds.map((sound) => ({ type: 'audio.delta', audio: sound.toString(encoding) }));

it.each<[string, Buffer[]]>([
  ['silence first', [silence, hum, silence]],
  ['only silence, each piece as long as all before it', [silence, silence, Buffer.alloc(96)]],
  ['base64 of digits and A', [quiet, hum]],
  ['base64 that looks like hex after other base64', [hum, Buffer.from('0b'.repeat(16), 'base64')]],
  ['a silent sample of 8 bits', [128, 128].map((byte) => Buffer.alloc(48, byte))],
])('stores each base64 piece of a stream: %s', (_name, sounds) => {
  expect(harvestAll(deltas('base64', ...sounds))).toEqual(Buffer.concat(sounds));
});

it('stores each hex piece of a stream, even silence after the first one', () => {
  expect(harvestAll(deltas('hex', hum, silence, hum))).toEqual(Buffer.concat([hum, silence, hum]));
});

it('stores audio once if the last piece repeats all of it', () => {
  const all = Buffer.concat([hum, silence]);
  expect(harvestAll(deltas('base64', hum, silence, all))).toEqual(all);
  const last = { data: { audio: all.toString('base64'), status: 2 } };
  expect(harvestAll([...deltas('base64', all), last])).toEqual(all);
});
