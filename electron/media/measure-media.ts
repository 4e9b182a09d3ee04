/** Measures a file by what it is: small headers here, whole containers in the worker. */
import type { FileHandle } from 'node:fs/promises';
import { measureImage } from './image-size.ts';
import { type Measurement, unmeasured } from './measurement.ts';
import { readAt, withFile } from './read-at.ts';
import type { Sniffed } from './sniff.ts';
import { readWavFormat, wavDurationSeconds } from './wav-header.ts';

export type ContainerMeasurer = (path: string, type: string) => Promise<Measurement>;

export async function measureMedia(
  path: string,
  { kind, type }: Sniffed,
  measureContainer: ContainerMeasurer,
): Promise<Measurement> {
  if (type === 'audio/wav') return withFile(path, measureWav);
  if (type === 'video/x-msvideo') return withFile(path, measureAvi);
  if (kind === 'audio' || kind === 'video') return measureContainer(path, type);
  if (kind !== 'image') return unmeasured;
  return withFile(path, async (file) => ({ ...unmeasured, ...(await measureImage(type, file)) }));
}

async function measureWav(file: FileHandle): Promise<Measurement> {
  const format = await readWavFormat(file, (await file.stat()).size);
  if (format === null) return unmeasured;
  const { sampleRate, channels, isCut } = format;
  const durationSeconds = wavDurationSeconds(format);
  return { ...unmeasured, durationSeconds, sampleRate, channels, ...(isCut && { isCut }) };
}

/** The main header has a fixed place: https://learn.microsoft.com/windows/win32/directshow/avi-riff-file-reference */
async function measureAvi(file: FileHandle): Promise<Measurement> {
  const head = await readAt(file, 0, 88);
  if (head.length < 88 || head.toString('latin1', 24, 28) !== 'avih') return unmeasured;
  const microseconds = head.readUInt32LE(32);
  const frames = head.readUInt32LE(48);
  return {
    ...unmeasured,
    width: head.readUInt32LE(64) || null,
    height: head.readUInt32LE(68) || null,
    durationSeconds: (microseconds * frames) / 1e6 || null,
    frameRate: microseconds > 0 ? 1e6 / microseconds : null,
  };
}
