/** Recognizes audio made by the speech models, so that transcription returns its actual text. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { WAV_HEADER_BYTES } from '../../../shared/wav.ts';
import type { SpeechPart } from '../studio/studio.ts';

/** The longest text in the slowest voice takes about 50 MB as a WAV file. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_CLIPS = 500;

export interface SpeechTextIndex {
  /** Passes the audio through and remembers which `text` it speaks. */
  listen(parts: AsyncIterable<SpeechPart>, text: string): AsyncGenerator<SpeechPart, void>;
  /** Returns null unless a speech model made this audio recently. */
  recognize(file: { path: string; sizeBytes: number }): Promise<string | null>;
}

export function createSpeechTextIndex(): SpeechTextIndex {
  const texts = new Map<string, string>();
  return {
    async *listen(
      parts: AsyncIterable<SpeechPart>,
      text: string,
    ): AsyncGenerator<SpeechPart, void> {
      const print = createFingerprint();
      for await (const part of parts) {
        print.add(part.bytes);
        yield part;
      }
      const key = print.finish();
      texts.delete(key);
      texts.set(key, text);
      const [oldest] = texts.keys();
      if (texts.size > MAX_CLIPS && oldest !== undefined) texts.delete(oldest);
    },
    async recognize({
      path,
      sizeBytes,
    }: {
      path: string;
      sizeBytes: number;
    }): Promise<string | null> {
      if (texts.size === 0 || sizeBytes > MAX_BYTES) return null;
      const print = createFingerprint();
      for await (const chunk of createReadStream(path)) print.add(chunk);
      return texts.get(print.finish()) ?? null;
    },
  };
}

/** Skips the WAV header, because clients rewrite it once the length is known. */
function createFingerprint() {
  const hash = createHash('sha256');
  let head: Buffer | null = Buffer.alloc(0);
  const addHead = (bytes: Buffer) => {
    const isWav = bytes.toString('latin1', 0, 4) === 'RIFF';
    hash.update(isWav ? bytes.subarray(WAV_HEADER_BYTES) : bytes);
    head = null;
  };
  return {
    add(bytes: Uint8Array): void {
      if (head === null) {
        hash.update(bytes);
        return;
      }
      head = Buffer.concat([head, bytes]);
      if (head.length >= WAV_HEADER_BYTES) addHead(head);
    },
    finish(): string {
      if (head !== null) addHead(head);
      return hash.digest('hex');
    },
  };
}
