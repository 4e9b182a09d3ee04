import { expect, it } from 'vitest';
import { fitsOperation } from '../../electron/gateway/endpoint-types.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';

it.each<[string[] | null, OperationName, boolean | null]>([
  [['openai'], 'chat', true],
  [['openai'], 'completion', true],
  [['openai'], 'image', false],
  [['gemini', 'openai'], 'image', true],
  [['jina-rerank'], 'rerank', true],
  [['openai-video'], 'video', true],
  [['/v1/audio/speech'], 'speech', true],
  [['Audio_Transcriptions'], 'transcription', true],
  [['anthropic', 'embeddings'], 'chat', false],
  [[], 'chat', null],
  [null, 'chat', null],
])('a model that answers %j fits %s: %s', (types, operation, fits) => {
  expect(fitsOperation(types, operation)).toBe(fits);
});
