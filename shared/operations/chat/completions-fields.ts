/** Maps each chat field to the default format, `POST /v1/chat/completions`. */
import { isJsonObject, type JsonValue } from '../../json.ts';
import type { FieldTable } from '../field-table.ts';
import type { ChatRequest } from './request.ts';
import { arrangeResults } from './tool-results.ts';
import { adaptSchema } from './tool-schema.ts';

export const completionsFields: FieldTable<ChatRequest> = {
  model: 'same',
  messages: {
    encode: toMessages,
    note:
      'with images and audio of tool results in a user message after them, and “Error:” at the ' +
      'start of failed ones',
  },
  temperature: 'same',
  top_p: 'same',
  presence_penalty: 'same',
  frequency_penalty: 'same',
  seed: 'same',
  logit_bias: 'same',
  max_tokens: 'same',
  max_completion_tokens: 'same',
  stop: 'same',
  n: 'same',
  stream: 'same',
  stream_options: 'same',
  response_format: 'same',
  modalities: 'same',
  audio: 'same',
  reasoning_effort: 'same',
  reasoning_summary: 'unsent',
  thinking: 'same',
  cache_control: 'unsent',
  logprobs: 'same',
  top_logprobs: 'same',
  tools: {
    encode: (tools) => (Array.isArray(tools) ? tools.map(toTool) : tools),
    note: 'with schemas in the dialect below',
  },
  tool_choice: 'same',
  parallel_tool_calls: 'same',
  store: 'same',
  include: 'unsent',
  safety_identifier: 'same',
  user: 'same',
};

/** The API rejects images in results (https://github.com/zeroclaw-labs/zeroclaw/issues/10501). */
const resultRules = { parts: new Set<JsonValue>(['text']), hasErrors: false };

function toMessages(messages: JsonValue): JsonValue {
  if (!Array.isArray(messages) || !messages.every(isJsonObject)) return messages;
  return arrangeResults(messages, resultRules);
}

function toTool(tool: JsonValue): JsonValue {
  const { function: called } = isJsonObject(tool) ? tool : {};
  if (!isJsonObject(tool) || !isJsonObject(called)) return tool;
  const parameters = adaptSchema(called.parameters, 'chat-completions');
  return { ...tool, function: { ...called, parameters } };
}
