/** Adds speech to chat answers if the request has `modalities: ["text", "audio"]`. */
import { randomUUID } from 'node:crypto';
import type { ChatRequest } from '../../../shared/operations/chat/request.ts';
import type { SpeechFormat } from '../../../shared/operations/speech/speech.ts';
import type { DemoExchange } from '../exchange.ts';
import { createInvalidRequest } from '../requests.ts';
import { runJob, type SpeechPlan } from '../studio/studio.ts';
import { splitTokens } from './answer.ts';
import type { Piece, PlannedChoice, SpokenAnswer } from './plan-choice.ts';

export interface RequestedSpeech {
  voice: string;
  format: SpeechFormat;
}

const FORMATS: Readonly<Record<string, SpeechFormat>> = {
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  opus: 'opus',
  aac: 'aac',
  pcm16: 'pcm',
};
const BYTES_PER_SECOND = 48_000;
/** Only the beginning of a long answer is spoken. */
const MAX_TRANSCRIPT = 600;
const FRAGMENT_SECONDS = 0.2;
const EXPIRES_AFTER_SECONDS = 3600;

export function readSpeechWish({ modalities, audio, stream }: ChatRequest): RequestedSpeech | null {
  if (!modalities?.includes('audio')) return null;
  const { voice = 'alloy', format = stream ? 'pcm16' : 'wav' } = audio ?? {};
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known === undefined) {
    const names = Object.keys(FORMATS).join(', ');
    throw createInvalidRequest(`audio.format: Use one of ${names}.`, 'audio.format');
  }
  if (stream && known !== 'pcm') {
    throw createInvalidRequest(
      `audio.format: A stream carries pcm16 only, not ${format}.`,
      'audio.format',
      'unsupported_value',
    );
  }
  return { voice, format: known };
}

/** Replaces text with speech and keeps tool calls. */
export async function speakChoices(
  choices: readonly PlannedChoice[],
  { voice, format }: RequestedSpeech,
  { state, signal }: DemoExchange,
): Promise<PlannedChoice[]> {
  const spoken: PlannedChoice[] = [];
  for (const choice of choices) {
    const words = choice.pieces.flatMap((piece) => (piece.kind === 'content' ? [piece.text] : []));
    const transcript = toTranscript(words.join(''));
    if (transcript === '') {
      spoken.push(choice);
      continue;
    }
    const chunks: Uint8Array[] = [];
    const plan: SpeechPlan = { text: transcript, voice, speed: 1, format, line: 'studio' };
    const parts = state.spoken.listen(runJob({ kind: 'speech', plan }, signal), transcript);
    for await (const { bytes } of parts) chunks.push(bytes);
    const bytes = Buffer.concat(chunks);
    const audio = {
      id: `audio_${randomUUID().replaceAll('-', '')}`,
      data: bytes.toString('base64'),
      expires_at: Math.floor(Date.now() / 1000) + EXPIRES_AFTER_SECONDS,
      transcript,
    };
    const reasoning = choice.pieces.filter(({ kind }) => kind === 'reasoning');
    spoken.push({
      ...choice,
      pieces: [...reasoning, ...splitFragments(audio, bytes)],
      spoken: audio,
    });
  }
  return spoken;
}

/** Interleaves transcript and audio so that both end together. */
function splitFragments({ id, transcript, expires_at }: SpokenAnswer, bytes: Buffer): Piece[] {
  const size = BYTES_PER_SECOND * FRAGMENT_SECONDS;
  const count = Math.max(1, Math.ceil(bytes.length / size));
  const tokens = splitTokens(transcript);
  const pieces = Array.from({ length: count }, (_, index): Piece[] => {
    const from = Math.floor((index / count) * tokens.length);
    const text = tokens.slice(from, Math.floor(((index + 1) / count) * tokens.length)).join('');
    const data = bytes.subarray(index * size, (index + 1) * size).toString('base64');
    const words: Piece[] = text === '' ? [] : [{ kind: 'spoken', audio: { id, transcript: text } }];
    return [...words, { kind: 'spoken', audio: { id, data } }];
  });
  return [...pieces.flat(), { kind: 'spoken', audio: { id, expires_at } }];
}

/** Strips Markdown and code, then keeps as many sentences as fit. */
function toTranscript(content: string): string {
  const plain = content
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/^\s*(#+|[-*>]|\d+\.)\s+/gm, '')
    .replace(/[*_`|#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= MAX_TRANSCRIPT) return plain;
  const cut = plain.slice(0, MAX_TRANSCRIPT);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '));
  return end > 0 ? cut.slice(0, end + 1) : cut;
}
