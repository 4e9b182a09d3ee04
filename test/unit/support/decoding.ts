/** Decodes request bodies, and defines bodies that several files decode. */
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { decodeRequest } from '../../../shared/operations/decode-request.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { operations } from '../../../shared/operations/operations.ts';
import { writeBody } from '../../../shared/operations/write-request.ts';
import { fn } from './chat-format.ts';

type Options = Parameters<typeof decodeRequest>[2];

export function decode(name: OperationName, body: JsonObject, options: Options = {}) {
  return decodeRequest(name, body, options);
}

export function again(name: OperationName, body: JsonObject, options: Options = {}): JsonObject {
  return writeBody(operations[name], decode(name, body, options));
}

export const text = (words: string) => ({ type: 'text', text: words });
export const PNG = 'data:image/png;base64,QUJD';
export const media = `media:${'a'.repeat(22)}`;

export const tools = [
  fn('find', { description: 'F', parameters: { type: 'object', properties: {} } }),
];
export const conversation: JsonValue[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [text('Look'), { type: 'image_url', image_url: { url: PNG } }] },
  {
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: [
      { id: 'c1', ...fn('find', { arguments: '{"q":12345678901234567890}' }) },
      { id: 'c2', ...fn('find', { arguments: '{}' }) },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'One' },
  { role: 'tool', tool_call_id: 'c2', content: [text('Two')] },
  { role: 'user', content: 'Go on' },
];
