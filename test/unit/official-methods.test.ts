import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { officialMethods } from '../../renderer/run/code/official-request.ts';

const openai = 'node_modules/openai/resources';
const parameters: Record<string, string> = {
  'chat.completions.create': `${openai}/chat/completions/completions.d.ts ChatCompletionCreateParamsBase`,
  'responses.create': `${openai}/responses/responses.d.ts ResponseCreateParamsBase`,
  'completions.create': `${openai}/completions.d.ts CompletionCreateParamsBase`,
  'embeddings.create': `${openai}/embeddings.d.ts EmbeddingCreateParams`,
  'images.generate': `${openai}/images.d.ts ImageGenerateParamsBase`,
  'images.edit': `${openai}/images.d.ts ImageEditParamsBase`,
  'audio.speech.create': `${openai}/audio/speech.d.ts SpeechCreateParams`,
  'audio.transcriptions.create': `${openai}/audio/transcriptions.d.ts TranscriptionCreateParamsBase`,
  'videos.create': `${openai}/videos.d.ts VideoCreateParams`,
  'messages.create':
    'node_modules/@anthropic-ai/sdk/resources/messages/messages.d.ts MessageCreateParamsBase',
};

it.each(officialMethods)('$client $name takes the fields by name', ({ name, fields }) => {
  const [path = '', type = ''] = parameters[name]?.split(' ') ?? [];
  const source = readFileSync(path, 'utf8');
  const [, body = ''] =
    new RegExp(`interface ${type}[^{]*\\{\\n(.*?)\\n\\}`, 's').exec(source) ?? expect.fail(type);
  const taken = [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, field]) => field);
  expect(taken).toEqual(expect.arrayContaining([...fields]));
});
