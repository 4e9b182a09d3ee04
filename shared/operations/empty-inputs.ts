/** Provides the input of a new form for each operation. */
import { defaultConversationOptions } from '../conversation.ts';
import type { InputOf } from '../form.ts';
import type { OperationName } from './operation-name.ts';

export const emptyInputs: { readonly [Name in OperationName]: InputOf<Name> } = {
  chat: {
    text: '',
    parts: [],
    role: 'user',
    name: '',
    toolCallId: '',
    reasoning: '',
    toolCalls: [],
    systemMessage: '',
    options: defaultConversationOptions,
  },
  completion: { prompt: '', suffix: '' },
  image: {
    prompt: '',
    images: [],
    earlier: [],
    responseModalities: ['TEXT', 'IMAGE'],
    aspectRatio: '',
    imageSize: '',
    moreConfig: '',
    mask: null,
  },
  video: {
    prompt: '',
    image: '',
    lastFrame: '',
    references: [],
    rows: [
      { name: 'negative_prompt', value: '' },
      { name: 'style', value: '' },
      { name: 'quality_level', value: '' },
    ],
  },
  rerank: { query: '', documents: '', columns: {}, labels: {} },
  embeddings: { texts: '', columns: {}, imageIds: [] },
  speech: { text: '', sampleRate: 24_000, channels: 1 },
  transcription: { mediaId: null },
  console: {
    method: 'GET',
    path: '/v1/models',
    headers: '',
    bodyKind: 'json',
    body: '',
    fields: [],
    file: null,
  },
};
