/** Maps each chat field to the Responses format, `POST /v1/responses`. */
import type { JsonObject, JsonValue } from '../../../json.ts';
import type { BodyStep, FieldTable } from '../../field-table.ts';
import type { ChatRequest } from '../request.ts';
import { readMessageFields, readTextFormat, readTool, readToolChoice } from './decode.ts';
import { toMessageFields, toTextFormat, toTool, toToolChoice } from './encode.ts';

const messages: BodyStep = {
  writes: ['input', 'instructions'],
  encode: (body, { request }) => ({
    ...body,
    ...toMessageFields(request.messages, request.store === true),
  }),
  decode: (body) => ({ fields: { messages: readMessageFields(body) } }),
  note: '`input` and `instructions`, as listed below',
};

const LOGPROBS = 'message.output_text.logprobs';

/** Token probabilities are one of the outputs to include. */
const tokenProbabilities: BodyStep = {
  writes: ['include'],
  encode(body, { request }) {
    if (request.logprobs !== true) return body;
    return { ...body, include: [...new Set([...listIncluded(body), LOGPROBS])] };
  },
  decode(body) {
    const included = listIncluded(body);
    const others = included.filter((word) => word !== LOGPROBS);
    if (others.length === included.length) return { fields: {} };
    return { fields: { logprobs: true }, body: { ...body, include: others } };
  },
  note: '`message.output_text.logprobs` in `include`',
};

export const responsesFields: FieldTable<ChatRequest> = {
  model: 'same',
  temperature: 'same',
  top_p: 'same',
  stream: 'same',
  parallel_tool_calls: 'same',
  top_logprobs: 'same',
  safety_identifier: 'same',
  user: 'same',
  messages: { step: messages },
  max_tokens: { with: 'max_completion_tokens' },
  max_completion_tokens: { at: ['max_output_tokens'] },
  reasoning_effort: { at: ['reasoning', 'effort'] },
  reasoning_summary: { at: ['reasoning', 'summary'] },
  tools: {
    encode: (tools) => (Array.isArray(tools) && tools.length > 0 ? tools.map(toTool) : undefined),
    decode: (tools) => (Array.isArray(tools) ? tools.map(readTool) : undefined),
    note:
      'without the inner `function` and with schemas in the dialect below; `strict` is false ' +
      'unless set, because the default of the format is true; tools of the provider as they are',
  },
  tool_choice: {
    encode: toToolChoice,
    decode: readToolChoice,
    note: 'without the inner `function`',
  },
  response_format: { at: ['text', 'format'], encode: toTextFormat, decode: readTextFormat },
  store: { default: false, note: 'because the API’s default is true' },
  include: {
    default: getDefaultInclude,
    encode: (include) => (Array.isArray(include) && include.length === 0 ? undefined : include),
    note:
      'by default `reasoning.encrypted_content` if the answer isn’t stored, which models that don’t ' +
      'reason reject, so GPT-3 to 4.5 and the chat models of GPT-5 aren’t asked',
  },
  logprobs: { step: tokenProbabilities },
  presence_penalty: 'unsent',
  frequency_penalty: 'unsent',
  seed: 'unsent',
  logit_bias: 'unsent',
  n: 'unsent',
  stop: 'unsent',
  stream_options: 'unsent',
  modalities: 'unsent',
  audio: 'unsent',
  thinking: 'unsent',
  cache_control: 'unsent',
};

function listIncluded({ include }: JsonObject): JsonValue[] {
  return Array.isArray(include) ? include : [];
}

/** OpenAI rejects the field for these (https://github.com/pydantic/pydantic-ai/pull/2867). */
const WITHOUT_REASONING = /(?:^|[/-])gpt-?(?:3|4|5(?:\.\d+)?-chat)/;

/** Requests encrypted reasoning if it isn't stored, so that it can be sent back. */
function getDefaultInclude({ model, store }: JsonObject): JsonValue[] {
  const isPlain = typeof model === 'string' && WITHOUT_REASONING.test(model);
  return store !== true && !isPlain ? ['reasoning.encrypted_content'] : [];
}
