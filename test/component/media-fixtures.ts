/** Makes audio, images and files for media tests, and stores them through the media routes. */
import { AudioBufferSource, BufferTarget, Output, type OutputFormat } from 'mediabunny';
import { createWavBlob, toInt16 } from '../../renderer/media/peaks/use-audio-source.ts';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import type { Media } from '../../shared/media.ts';

export const RATE = 8000;

/** Returns 16-bit samples of a tone. */
export function tone(seconds: number, sampleRate = RATE): Uint8Array<ArrayBuffer> {
  const samples = new Int16Array(Math.round(seconds * sampleRate));
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = toInt16(0.5 * Math.sin((2 * Math.PI * 440 * at) / sampleRate));
  }
  return new Uint8Array(samples.buffer);
}

export function toneFile(seconds: number, name = 'tone.wav'): File {
  const wav = createWavBlob(tone(seconds), { sampleRate: RATE, channels: 1 });
  return new File([wav], name, { type: 'audio/wav' });
}

export function storedTone(seconds: number): Promise<Media> {
  return uploadMedia(toneFile(seconds));
}

/** Returns two seconds of Opus: one of silence, then a tone at half volume. */
export async function opusFile(format: OutputFormat): Promise<Blob> {
  const sampleRate = 48_000;
  const length = 2 * sampleRate;
  const samples = Float32Array.from({ length }, (_, index) =>
    index < sampleRate ? 0 : 0.5 * Math.sin((2 * Math.PI * 440 * index) / sampleRate),
  );
  const buffer = new AudioBuffer({ length, numberOfChannels: 2, sampleRate });
  buffer.copyToChannel(samples, 0);
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new AudioBufferSource({ codec: 'opus', bitrate: 96_000 });
  output.addAudioTrack(source);
  await output.start();
  await source.add(buffer);
  await output.finalize();
  return new Blob([target.buffer ?? new ArrayBuffer()]);
}

export async function pictureFile(width: number, height: number, name: string): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.fillStyle = 'teal';
  context.fillRect(0, 0, width, height / 2);
  const type = name.endsWith('.jpg') ? 'image/jpeg' : 'image/png';
  return new File([await canvas.convertToBlob({ type })], name, { type });
}

/** Returns a phone-style JPEG, which viewers rotate by 90 degrees. */
export async function turnedPhoto(width: number, height: number): Promise<File> {
  const jpeg = await (await pictureFile(width, height, 'photo.jpg')).arrayBuffer();
  // The Exif data has one entry: orientation (0x0112) 6.
  const tiff = 'II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0';
  const segment = `\xff\xe1\0\x22Exif\0\0${tiff}`;
  const exif = Uint8Array.from(segment, (letter) => letter.charCodeAt(0));
  return new File([jpeg.slice(0, 2), exif, jpeg.slice(2)], 'photo.jpg', { type: 'image/jpeg' });
}

export function textFile(name: string, type: string): File {
  return new File(['This is no sound at all, whatever it is called.'], name, { type });
}

/** Returns an uncompressed RGB image with one strip (TIFF 6.0, section 6). */
export function tiffFile(width: number, height: number, name: string): File {
  const pixelsAt = 8 + 2 + 12 * 9 + 4;
  const entries: [tag: number, type: number, value: number][] = [
    [256, 3, width],
    [257, 3, height],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 2],
    [273, 4, pixelsAt],
    [277, 3, 3],
    [278, 3, height],
    [279, 4, width * height * 3],
  ];
  const view = new DataView(new ArrayBuffer(pixelsAt + width * height * 3));
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  entries.forEach(([tag, type, value], index) => {
    const at = 10 + 12 * index;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, 1, true);
    view.setUint32(at + 8, value, true);
  });
  for (let at = pixelsAt; at < view.byteLength; at += 3) view.setUint8(at, 255);
  return new File([view.buffer], name, { type: 'image/tiff' });
}

/** A photo of 64 × 48 red and blue pixels, encoded by `heif-enc -q 30` of libheif 1.15. */
const heic =
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAA' +
  'AAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAA' +
  'AAAAJAACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQ' +
  'IAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEM' +
  'Af//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADAC' +
  'EiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgI' +
  'AAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAACxtZGF0AAAAICgBrx' +
  'mA70mlv//fX9/0B6/4mshf/1WR3yqCf8IujbW8';

export function heicFile(name: string): File {
  const bytes = Uint8Array.from(atob(heic), (letter) => letter.charCodeAt(0));
  return new File([bytes], name, { type: 'image/heic' });
}
