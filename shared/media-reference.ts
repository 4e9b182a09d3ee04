/** How a medium is named: by the page, and by a request where the wire wants its bytes. */
import type { WavShape } from './wav.ts';

/** Where a page reads a medium, in both hosts. */
export function mediaUrl(id: string): string {
  return `/media/${id}`;
}

/** Samples without a header, with the one of WAV before them: they can be played while they arrive. */
export function rawAudioUrl(id: string, { sampleRate, channels }: WavShape): string {
  return `${mediaUrl(id)}?wav=${sampleRate}x${channels}`;
}

/** The shape in the value of `wav`; null if it is none. */
export function getWavShape(value: string): WavShape | null {
  const [, sampleRate, channels] = /^(\d{4,6})x([12])$/.exec(value) ?? [];
  if (sampleRate === undefined || channels === undefined) return null;
  return { sampleRate: Number(sampleRate), channels: Number(channels) };
}

/** The same as a file to save under its name. */
export function mediaDownloadUrl(id: string): string {
  return `/media/${id}?download`;
}

/** Main puts base64 or a data URL there while it builds the body; page and ledger hold neither. */
export function mediaReference(id: string): string {
  return `media:${id}`;
}

/** The id, or null if the text is not a reference. */
export function referencedMedia(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}

const REFERENCE = /^media:([A-Za-z0-9_-]{16,64})$/;
