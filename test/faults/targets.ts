/** The requests that receive faults, each with its good response. */
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Bench } from '../fixtures/run-operation.ts';
import { chunk, lastChunk, reply, streamHead } from '../fixtures/wire-server.ts';

/**
 * The words of every good response, in order. A run must keep each one that a fault still sends.
 */
export const WORDS = ['Alpha', 'Bravo', 'Charlie'];

export interface Target {
  /** The name in the table. */
  name: string;
  operation: OperationName;
  request(bench: Bench): Promise<JsonObject> | JsonObject;
  /** Returns true if the fault applies to this request. */
  isMeant(request: string): boolean;
  /** True if the request is read-only and may be sent again. */
  isRead: boolean;
  type: string;
  body: Buffer;
  /** The events of the body. Empty if it isn't a stream. */
  events: string[];
}

const event = (data: string): string => `data: ${data}\n\n`;

const chatEvents = [
  event(
    '{"id":"c-1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Alpha "},"finish_reason":null}]}',
  ),
  event('{"id":"c-1","model":"m","choices":[{"index":0,"delta":{"content":"Bravo "}}]}'),
  event('{"id":"c-1","model":"m","choices":[{"index":0,"delta":{"content":"Charlie"}}]}'),
  event('{"id":"c-1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'),
  event('[DONE]'),
];
const completionEvents = [
  event('{"id":"t-1","model":"m","choices":[{"index":0,"text":"Alpha "}]}'),
  event('{"id":"t-1","model":"m","choices":[{"index":0,"text":"Bravo "}]}'),
  event('{"id":"t-1","model":"m","choices":[{"index":0,"text":"Charlie"}]}'),
  event('{"id":"t-1","model":"m","choices":[{"index":0,"text":"","finish_reason":"stop"}]}'),
  event('[DONE]'),
];

/** A PNG with one red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A 16-bit mono WAV at 8 kHz with 12,000 samples, into which the words are written. */
export const SOUND: Buffer = Buffer.concat([
  Buffer.from(
    '52494646e45d0000' + // RIFF
      '57415645666d7420100000000100010' + // WAVE, fmt: PCM, mono
      '0401f0000803e000002001000' + // 8000 Hz, 16 bits
      '64617461c05d0000', // data
    'hex',
  ),
  samples(),
]);

function samples(): Buffer {
  const bytes = Buffer.alloc(24_000);
  for (const [index, word] of WORDS.entries()) bytes.write(word, 100 + index * 11_000, 'latin1');
  return bytes;
}

/** The first bytes of an MP4, which are all that Gatehouse checks. */
export const FILM: Buffer = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1'),
  samples(),
]);

const isPost = (request: string): boolean => request.startsWith('POST ');
const isPoll = (request: string): boolean => request.startsWith('GET /v1/video/generations/');
const json = 'application/json';
const common = { isMeant: isPost, isRead: false, events: [] };
const video = {
  operation: 'video',
  request: () => ({ model: 'm', prompt: 'A boat' }),
} as const;

export const targets: Target[] = [
  {
    ...common,
    name: 'chat',
    operation: 'chat',
    request: () => ({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], stream: true }),
    type: 'text/event-stream',
    body: Buffer.from(chatEvents.join('')),
    events: chatEvents,
  },
  {
    ...common,
    name: 'completion',
    operation: 'completion',
    request: () => ({ model: 'm', prompt: 'Once', stream: true }),
    type: 'text/event-stream',
    body: Buffer.from(completionEvents.join('')),
    events: completionEvents,
  },
  {
    ...common,
    name: 'image',
    operation: 'image',
    request: () => ({ model: 'm', contents: [{ role: 'user', parts: [{ text: 'A boat' }] }] }),
    type: json,
    body: Buffer.from(
      `{"candidates":[{"content":{"role":"model","parts":[{"text":"Alpha Bravo"},{"inlineData":{"mimeType":"image/png","data":"${PNG}"}},{"text":"Charlie"}]},"finishReason":"STOP"}]}`,
    ),
  },
  {
    ...common,
    ...video,
    name: 'video task',
    type: json,
    body: Buffer.from('{"task_id":"Alpha-Bravo-Charlie","status":"queued"}'),
  },
  {
    ...common,
    ...video,
    name: 'video status',
    isMeant: isPoll,
    isRead: true,
    type: json,
    body: Buffer.from(
      '{"task_id":"t","status":"completed","url":"/film.mp4","metadata":{"a":"Alpha","b":"Bravo","c":"Charlie"}}',
    ),
  },
  {
    ...common,
    ...video,
    name: 'video file',
    isMeant: (request) => !isPost(request) && !isPoll(request),
    isRead: true,
    type: 'video/mp4',
    body: FILM,
  },
  {
    ...common,
    name: 'rerank',
    operation: 'rerank',
    request: () => ({ model: 'm', query: 'q', documents: ['Alpha', 'Bravo', 'Charlie'] }),
    type: json,
    body: Buffer.from(
      '{"id":"r-1","results":[{"index":0,"relevance_score":0.9,"document":{"text":"Alpha"}},{"index":1,"relevance_score":0.5,"document":{"text":"Bravo"}},{"index":2,"relevance_score":0.1,"document":{"text":"Charlie"}}]}',
    ),
  },
  {
    ...common,
    name: 'speech',
    operation: 'speech',
    request: () => ({ model: 'm', input: 'Hello', voice: 'v' }),
    type: 'audio/wav',
    body: SOUND,
  },
  {
    ...common,
    name: 'transcription',
    operation: 'transcription',
    request: async (bench) => ({
      model: 'm',
      file: createMediaReference(await bench.store('talk.wav', 'audio/wav', SOUND)),
    }),
    type: json,
    body: Buffer.from('{"text":"Alpha Bravo Charlie"}'),
  },
  {
    ...common,
    name: 'console',
    operation: 'console',
    request: () => ({ method: 'POST', path: '/v1/anything', body: '{"model":"m"}' }),
    type: json,
    body: Buffer.from('{"words":["Alpha","Bravo","Charlie"]}'),
  },
];

/** Returns the complete good response as sent. */
export function goodReply({ type, body, events }: Target): Uint8Array {
  if (events.length === 0) return reply('200 OK', { 'Content-Type': type }, body);
  return Buffer.concat([Buffer.from(streamHead), ...events.map(chunk), Buffer.from(lastChunk)]);
}
