import { describe, expect, it } from 'vitest';
import type { ProviderFields } from '../../shared/conversation.ts';
import { readRejectedFields } from '../../shared/operations/chat/rejected-fields.ts';

const rejected = (message: string, sent: ProviderFields, status = 400) =>
  readRejectedFields(
    {
      gateway: {
        ...{ status, message, type: null, param: null, code: null },
        ...{ requestId: null, bodyExcerpt: null },
      },
    },
    sent,
  );

describe('a rejection of provider fields', () => {
  it.each<[string, ProviderFields, ProviderFields | undefined]>([
    [
      'Extra inputs are not permitted (body.messages.1.assistant.reasoning_content)',
      'always',
      'never',
    ],
    ['messages.1.reasoning_opaque: Extra inputs are not permitted', 'always', 'never'],
    ['messages.1.reasoning_details: unknown field', 'automatic', 'never'],
    ['Function call is missing a thought_signature in functionCall parts.', 'never', 'always'],
    [
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      'automatic',
      'always',
    ],
    [
      'thinking is enabled but reasoning_content is missing in message at index 1',
      'never',
      'always',
    ],
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
  ])('%s (%s) suggests %s', (message, sent, setting) => {
    expect(rejected(message, sent)?.setting).toBe(setting);
  });

  it('names the field of messages, not the mode', () => {
    const message = 'thinking is enabled but reasoning_content is missing';
    expect(rejected(message, 'never')?.explanation).toContain('needs reasoning_content back');
  });

  it('is only read from a rejected request', () => {
    expect(rejected('reasoning_content is missing', 'never', 500)).toBeNull();
  });
});
