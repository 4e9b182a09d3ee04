import type { ConsoleInput } from '../../../shared/operations/console/request.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';

export interface ConsolePreset {
  title: string;
  detail: string;
  request: ConsoleInput;
}

/** All presets run on the demo gateway; on other gateways, the user must enter a model. */
export function getConsolePresets(isDemo: boolean): ConsolePreset[] {
  const model = (name: string) => (isDemo ? name : 'your-model');
  return [
    {
      title: 'List models',
      detail: 'IDs of all models',
      request: { ...emptyInputs.console, path: '/v1/models' },
    },
    {
      title: 'Chat completion',
      detail: 'One message, not streamed',
      request: post('/v1/chat/completions', {
        model: model('demo-echo'),
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    },
    {
      title: 'Streamed completion',
      detail: 'Server-sent events as they arrive',
      request: post('/v1/completions', {
        model: model('demo-story'),
        prompt: 'Once upon a time',
        max_tokens: 64,
        stream: true,
      }),
    },
    {
      title: 'Rerank',
      detail: 'Two documents scored against a query',
      request: post('/v1/rerank', {
        model: model('demo-rerank'),
        query: 'When does the bridge open?',
        documents: ['The bridge opens at seven.', 'Rye flour revives a tired starter.'],
      }),
    },
    {
      title: 'Embeddings',
      detail: 'Vectors of two sentences',
      request: post('/v1/embeddings', {
        model: model('demo-embed'),
        input: ['The bridge opens at seven.', 'Rye flour revives a tired starter.'],
      }),
    },
    {
      title: 'Speech',
      detail: 'Audio response',
      request: post('/v1/audio/speech', {
        model: model('demo-speech'),
        input: 'Hello from the console.',
        voice: 'alloy',
        response_format: 'wav',
      }),
    },
    {
      title: 'Create a fine-tune',
      detail: 'Not implemented: shows a 501 error',
      request: post(unimplementedPath, {}),
    },
  ];
}

/** The path is part of the API, but gateways respond with 501. */
const unimplementedPath = '/v1/fine-tunes';

/** Returns the expected result of an unusual request, or null for other requests. */
export function getExpectation({ path }: Pick<ConsoleInput, 'path'>): string | null {
  return path === unimplementedPath ? 'shows a 501 error' : null;
}

function post(path: string, body: object): ConsoleInput {
  const written = JSON.stringify(body, null, 2);
  return { ...emptyInputs.console, method: 'POST', path, body: written };
}
