import { describe, expect, it } from 'vitest';
import type { ProviderFields } from '../../shared/conversation.ts';
import type { JsonObject } from '../../shared/json.ts';
import { readRejectedFields } from '../../shared/operations/chat/rejected-fields.ts';

/** One answer with reasoning, a signed part, and a signed call. */
const answer: JsonObject = {
  role: 'assistant',
  content: [{ type: 'thinking', thinking: 'hm', signature: 's' }],
  reasoning: 'hm',
  reasoning_content: 'hm',
  reasoning_opaque: 'x',
  reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }],
  tool_calls: [
    {
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: '{}' },
      index: 0,
      extra_content: { google: { thought_signature: 's' } },
    },
  ],
};
const user = { role: 'user', content: 'Extra inputs', reasoning_text: 'of a user' };

const rejected = (
  message: string,
  setting: ProviderFields,
  { status = 400, messages = [user, answer], code = null }: Sent = {},
) =>
  readRejectedFields(
    {
      gateway: {
        status,
        message,
        type: null,
        param: null,
        code,
        requestId: null,
        bodyExcerpt: null,
      },
    },
    setting,
    messages,
  );

interface Sent {
  status?: number;
  messages?: JsonObject[];
  code?: string | null;
}

describe('rejected provider fields', () => {
  it.each<[string, ProviderFields, ProviderFields | undefined]>([
    ['Extra inputs are not permitted (body.messages.1.reasoning_content)', 'always', 'never'],
    ['messages.1.reasoning_opaque: Extra inputs are not permitted', 'always', 'never'],
    ['messages.1.reasoning_details: unknown field', 'automatic', 'never'],
    ['Function call is missing a thought_signature in functionCall parts.', 'never', 'always'],
    ['The `reasoning_content` must be passed back to the API.', 'automatic', 'always'],
    ['thinking is enabled but reasoning_content is missing in message 1', 'never', 'always'],
    ['Extra inputs are not permitted (body.messages.1.reasoning)', 'never', undefined],
    ['reasoning_content is missing', 'always', undefined],
    ['Extra inputs are not permitted (body.top_k)', 'always', undefined],
    ['messages.1.content.0.thinking.signature: Field required', 'never', 'always'],
    ['messages.1.content.0: Invalid `signature` in `thinking` block', 'always', 'never'],
    ['messages.1: assistant message must be set to start with thinking', 'never', 'always'],
    ["Unsupported parameter: 'reasoning_effort'", 'always', undefined],
    ["Unsupported parameter: 'reasoning.effort'", 'always', undefined],
    ["Unsupported parameter: 'reasoning'", 'always', undefined],
    ['reasoning effort is not supported with this model', 'always', undefined],
    ['thinking.budget_tokens: Field required', 'never', undefined],
    ['thinking.type: Extra inputs are not permitted', 'always', undefined],
    ['Unknown field thinking_budget in the assistant settings', 'always', undefined],
    ['The thinking budget is required', 'never', undefined],
    ['The request is missing an AWS signature', 'never', undefined],
    ['SignatureDoesNotMatch: invalid signature', 'always', undefined],
    ['The model is overloaded.', 'always', undefined],
  ])('on “%s” (%s), suggests %s', (message, sent, setting) => {
    expect(rejected(message, sent)?.setting).toBe(setting);
  });

  it('names the rejected field of a message, rather than the mode', () => {
    const message = 'thinking is enabled but reasoning_content is missing';
    expect(rejected(message, 'never')?.explanation).toContain('needs reasoning_content back');
  });

  it.each<[string, JsonObject, string | undefined]>([
    ['messages.1.reasoning_text: Extra inputs are not permitted', answer, undefined],
    ['messages.1.reasoning_content: Extra inputs are not permitted', { content: 'x' }, undefined],
    ['messages.1.refusal: Extra inputs are not permitted', answer, undefined],
    ['messages.1.content.0.text: Extra inputs are not permitted', answer, undefined],
    ['messages.1.tool_calls.0.function.strict: Extra inputs are not permitted', answer, undefined],
    ['tools.0.index: Extra inputs are not permitted', answer, undefined],
    ['messages.1.tool_calls.0.index: Extra inputs are not permitted', answer, 'index'],
    ['Unknown field "extra_content" in messages[1]', answer, 'extra_content'],
    ['messages[1]: thoughtSignature is not supported', answer, 'thoughtSignature'],
    ['Assistant messages: reasoning is not supported', { reasoning_content: 'x' }, 'reasoning'],
    ['messages.1.audio: Extra inputs are not permitted', { audio: { id: 'a' } }, 'audio'],
    ['messages.1.audio: Extra inputs are not permitted', { content: 'x' }, undefined],
    ['messages.0.reasoning_text, messages.1.reasoning_opaque: unknown', answer, 'reasoning_opaque'],
  ])('on “%s” after %j, blames %s', (message, sent, field) => {
    const messages = [user, { role: 'assistant', ...sent }];
    const explanation = rejected(message, 'always', { messages })?.explanation;
    expect(explanation).toBe(
      field && `The gateway doesn’t accept ${field}, which came with an earlier answer.`,
    );
  });

  it('blames no answer if the request has none', () => {
    expect(rejected('reasoning_content is missing', 'never', { messages: [user] })).toBeNull();
  });

  it('ignores errors other than a rejected request', () => {
    const message = 'reasoning_content is missing';
    expect(rejected(message, 'never', { status: 500 })).toBeNull();
    expect(rejected(message, 'never', { status: 200, code: '502' })).toBeNull();
    expect(rejected(message, 'never', { status: 200, code: '400' })).not.toBeNull();
  });
});
