/** Makes the events and items of a response in the Responses format. */
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { chunk } from './fold-events.ts';

export const MODEL = 'gpt-5.1';

export const event = (type: string, fields: JsonObject = {}) =>
  chunk({ type, sequence_number: 1, ...fields }, type);
export const piece = (name: string, output_index: number, fields: JsonObject = {}) =>
  event(`response.${name}`, { item_id: `item_${output_index}`, output_index, ...fields });
export const added = (index: number, item: JsonObject) =>
  piece('output_item.added', index, { item });
export const done = (index: number, item: JsonObject) => piece('output_item.done', index, { item });
export const inContent = (name: string, index: number, fields: JsonObject) =>
  piece(name, index, { content_index: 0, ...fields });
const inSummary = (name: string, summary_index: number, fields: JsonObject) =>
  piece(`reasoning_${name}`, 0, { summary_index, ...fields });

const summaryText = (text: string) => ({ type: 'summary_text', text });
export const outputText = (text: string, fields: JsonObject = {}) => ({
  type: 'output_text',
  text,
  annotations: [],
  ...fields,
});
export const reasoning: JsonObject = {
  id: 'rs_1',
  type: 'reasoning',
  encrypted_content: 'ZW5jcnlwdGVk',
  summary: [summaryText('Two and two.'), summaryText('Four.')],
};
export const message: JsonObject = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [outputText('I look it up.')],
};
export const call: JsonObject = {
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'find',
  arguments: '{"q":"gate"}',
};
export const customCall: JsonObject = {
  id: 'ctc_1',
  type: 'custom_tool_call',
  status: 'completed',
  call_id: 'call_2',
  name: 'sql',
  input: 'SELECT 1',
};
export const output = [reasoning, message, call, customCall];
export const response: JsonObject = {
  id: 'resp_1',
  object: 'response',
  created_at: 1700000000,
  model: MODEL,
  error: null,
  incomplete_details: null,
  tools: [],
  metadata: {},
  temperature: 1,
  store: false,
};
const usage = {
  input_tokens: 40,
  output_tokens: 25,
  total_tokens: 65,
  input_tokens_details: { cached_tokens: 30 },
  output_tokens_details: { reasoning_tokens: 9 },
};
export const complete = (items: JsonValue[]) => ({
  ...response,
  status: 'completed',
  output: items,
  usage,
});
export const endWith = (items: JsonValue[]) =>
  event('response.completed', { response: complete(items) });

const begun = { response: { ...response, status: 'in_progress', output: [] } };
export const stream = [
  event('response.created', begun),
  event('response.in_progress', begun),
  added(0, { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'b3RoZXI=' }),
  inSummary('summary_part.added', 0, { part: summaryText('') }),
  inSummary('summary_text.delta', 0, { delta: 'Two and ' }),
  inSummary('summary_text.delta', 0, { delta: 'two.' }),
  inSummary('summary_text.done', 0, { text: 'Two and two.' }),
  inSummary('summary_part.done', 0, { part: summaryText('Two and two.') }),
  inSummary('summary_text.delta', 1, { delta: 'Four.' }),
  done(0, reasoning),
  added(1, { ...message, status: 'in_progress', content: [] }),
  inContent('content_part.added', 1, { part: outputText('') }),
  inContent('output_text.delta', 1, { delta: 'I look ', logprobs: [] }),
  inContent('output_text.delta', 1, { delta: 'it up.', obfuscation: 'xx' }),
  inContent('output_text.done', 1, { text: 'I look it up.' }),
  inContent('content_part.done', 1, { part: outputText('I look it up.') }),
  done(1, message),
  added(2, { ...call, status: 'in_progress', arguments: '' }),
  piece('function_call_arguments.delta', 2, { delta: '{"q":' }),
  piece('function_call_arguments.delta', 2, { delta: '"gate"}' }),
  piece('function_call_arguments.done', 2, { arguments: '{"q":"gate"}' }),
  done(2, call),
  added(3, { ...customCall, status: 'in_progress', input: '' }),
  piece('custom_tool_call_input.delta', 3, { delta: 'SELECT' }),
  piece('custom_tool_call_input.done', 3, { input: 'SELECT 1' }),
  done(3, customCall),
];
export const ending = endWith(output);
