import { expect, it } from 'vitest';
import { fitsOperation } from '../../electron/gateway/endpoint-types.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';

it.each<[string, string[] | null, OperationName, boolean | null]>([
  ['gpt-4o', ['openai'], 'chat', true],
  ['gpt-4o', ['openai'], 'completion', null],
  ['gpt-4o', ['openai'], 'image', false],
  ['gpt-4o', ['openai'], 'speech', false],
  ['demo', ['openai', 'completions'], 'completion', true],
  ['demo', ['openai', 'completions'], 'chat', true],
  ['babbage-002', ['openai'], 'completion', true],
  ['babbage-002', ['openai'], 'chat', null],
  ['gpt-3.5-turbo-instruct', ['openai'], 'completion', true],
  ['dall-e-3', ['image-generation', 'openai'], 'chat', false],
  ['dall-e-3', ['image-generation', 'openai'], 'completion', false],
  ['dall-e-3', ['openai'], 'chat', null],
  ['dall-e-3', ['openai'], 'image', false],
  ['tts-1-hd', ['openai'], 'chat', null],
  ['tts-1-hd', ['openai'], 'speech', true],
  ['whisper-1', ['openai'], 'chat', null],
  ['whisper-1', ['openai'], 'transcription', true],
  ['gpt-4o-mini-transcribe', ['openai'], 'transcription', true],
  ['text-embedding-3-small', ['openai'], 'chat', null],
  ['bge-m3', ['openai', 'embeddings'], 'chat', false],
  ['gemini-2.5-pro', ['gemini', 'openai'], 'chat', true],
  ['gemini-2.5-pro', ['gemini', 'openai'], 'image', null],
  ['gemini-2.5-flash-image', ['gemini', 'openai'], 'image', true],
  ['gemini-2.5-flash-image', ['gemini', 'openai'], 'chat', null],
  ['imagen-4.0', ['image-generation', 'gemini', 'openai'], 'image', true],
  ['ranker', ['jina-rerank'], 'rerank', true],
  ['sora-2', ['openai-video'], 'video', true],
  ['voice', ['/v1/audio/speech'], 'speech', true],
  ['ears', ['Audio_Transcriptions'], 'transcription', true],
  ['claude', ['anthropic', 'openai'], 'chat', true],
  ['claude', ['anthropic'], 'chat', false],
  ['gpt-4o', [], 'chat', null],
  ['tts-1', null, 'chat', null],
])('%s with %j fits %s: %s', (id, endpointTypes, operation, fits) => {
  expect(fitsOperation({ id, endpointTypes }, operation)).toBe(fits);
});
