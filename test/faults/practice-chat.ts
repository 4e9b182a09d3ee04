/** Chat and completion responses of real gateways, from user reports. */
import { chunk, streamHead } from '../fixtures/wire-server.ts';
import {
  type Fault,
  type FaultGroup,
  isStream,
  json,
  NEVER_GOES_ON,
  stream,
  streamed,
  whole,
} from './fault.ts';
import { PNG, type Target } from './targets.ts';

const text = ({ events }: Target): string => events.join('');
const delta = (fields: string): string => `{"choices":[{"index":0,"delta":${fields}}]}`;
const stop = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';
/** Builds a fault that answers the chat request with a stream. */
const say = (name: string, ...events: string[]): Fault => stream(name, 'chat', ...events);
const abc = '"content":"Alpha Bravo Charlie"';

const endings: Fault[] = [
  streamed('No [DONE]', ({ events }) => events.slice(0, -1)),
  streamed('No finish reason', ({ events }) => events.filter((_, at) => at !== 3)),
  streamed('Neither', ({ events }) => events.slice(0, 3)),
  {
    name: '[DONE] and the socket left open',
    on: isStream,
    async answer({ send }, { body }) {
      await send(streamHead);
      await send(chunk(body));
    },
  },
  {
    name: 'A finish reason, then nothing and an open socket',
    on: isStream,
    async answer({ send }, { events }) {
      await send(streamHead);
      await send(chunk(events.slice(0, -1).join('')));
    },
  },
  {
    name: 'Text, then nothing and an open socket',
    on: isStream,
    ...NEVER_GOES_ON,
    async answer({ send }, { events }) {
      await send(streamHead);
      await send(chunk(events.slice(0, 2).join('')));
    },
  },
  ...['', 'eos', 'STOP', 'content_filter', 'length'].map((reason) =>
    streamed(`A finish reason of “${reason}”`, (target) => [
      text(target).replace('"stop"', `"${reason}"`),
    ]),
  ),
  streamed('More text after [DONE]', (target) => [
    text(target),
    'data: {"choices":[{"delta":{"content":"More"}}]}\n\n',
  ]),
  streamed('Nothing but [DONE]', () => ['data: [DONE]\n\n']),
  streamed('Nothing at all', () => []),
  streamed('Comments alone', () => [': PING\n\n: PROCESSING\n\n']),
  streamed('Usage with no choices', (target) => [
    text(target).replace(
      'data: [DONE]',
      'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\n\ndata: [DONE]',
    ),
  ]),
];

const error = '{"error":{"message":"Bravo broke","type":"server_error","code":"x"}}';
const wrong: Fault[] = [
  streamed('An error in the middle of the stream', ({ events }) => [
    `${events[0]}data: ${error}\n\n${events[2]}`,
  ]),
  streamed('An event named error', ({ events }) => [
    `${events[0]}event: error\ndata: Bravo broke\n\n`,
  ]),
  streamed('An error beside the text of a chunk', ({ events }) => [
    `${events[0]}data: {"choices":[{"index":0,"delta":{"content":"Bravo"},"text":"Bravo"}],"error":{"message":"broke"}}\n\n`,
  ]),
  streamed('An error as the only event', () => [`data: ${error}\n\n`]),
  whole('A web page with status 200', () => ({
    type: 'text/html',
    body: '<!DOCTYPE html><html><body>Alpha</body></html>',
  })),
  whole('An error object with status 200', () => ({ type: 'application/json', body: error })),
  whole('`success: false` with status 200', () => ({
    type: 'application/json',
    body: '{"success":false,"message":"Alpha"}',
  })),
  whole('A code and a message with status 200', () => ({
    type: 'application/json',
    body: '{"code":1102,"msg":"Alpha"}',
  })),
  whole('An error as plain text with status 200', () => ({
    type: 'text/plain',
    body: 'Alpha failed',
  })),
  whole('A stream to a JSON request', () => ({
    type: 'text/event-stream',
    body: `data: ${delta(`{${abc}}`)}\n\ndata: [DONE]\n\n`,
  })),
];

const replies: Fault[] = [
  json(
    'JSON to a stream request',
    'chat',
    `{"choices":[{"index":0,"message":{"role":"assistant",${abc}},"finish_reason":"stop"}]}`,
  ),
  json(
    'JSON to a stream request, a completion',
    'completion',
    '{"choices":[{"index":0,"text":"Alpha Bravo Charlie","finish_reason":"stop"}]}',
  ),
  json('A list of chunks to a stream request', 'chat', `[${delta(`{${abc}}`)},${stop}]`),
  json('JSON without choices', 'chat', '{"id":"Alpha"}'),
  say('A chunk with no delta', delta(`{${abc}}`), '{"choices":[{"index":0}]}', stop),
  say('Null content', delta('{"content":null}'), delta(`{${abc}}`), stop),
  say(
    'Content as an array',
    delta('{"content":[{"type":"text","text":"Alpha Bravo Charlie"}]}'),
    stop,
  ),
  say(
    'The role in each chunk',
    delta('{"role":"assistant","content":"Alpha"}'),
    delta('{"role":"assistant","content":"Bravo Charlie"}'),
    stop,
  ),
  say(
    'Null usage and logprobs',
    `{"usage":null,"choices":[{"index":0,"logprobs":null,"delta":{${abc}}}]}`,
    stop,
  ),
  say(
    '`reasoning_content`',
    delta('{"reasoning_content":"Alpha"}'),
    delta('{"content":"Bravo Charlie"}'),
    stop,
  ),
  say('`reasoning`', delta('{"reasoning":"Alpha"}'), delta('{"content":"Bravo Charlie"}'), stop),
  say(
    'Both with the same text',
    delta('{"reasoning":"Alpha","reasoning_content":"Alpha"}'),
    delta('{"content":"Bravo Charlie"}'),
    stop,
  ),
  say(
    'Think tags, split',
    delta('{"content":"<thi"}'),
    delta('{"content":"nk>Alpha</th"}'),
    delta('{"content":"ink>Bravo Charlie"}'),
    stop,
  ),
  say('A closing think tag alone', delta('{"content":"Alpha</think>Bravo Charlie"}'), stop),
  say('An opening think tag alone', delta('{"content":"<think>Alpha Bravo Charlie"}'), stop),
  say('A refusal', delta('{"refusal":"Alpha"}'), stop),
  say('Message in place of delta', `{"choices":[{"index":0,"message":{${abc}}}]}`, stop),
  say(
    'Two choices, mixed',
    '{"choices":[{"index":1,"delta":{"content":"Bravo"}},{"index":0,"delta":{"content":"Alpha"}}]}',
    '{"choices":[{"index":1,"delta":{"content":" Charlie"}}]}',
    stop,
  ),
  say(
    'Events that are no JSON',
    'Alpha',
    '{"choices":',
    delta('{"content":"Bravo Charlie"}'),
    stop,
  ),
];

const call = (fields: string): string => delta(`{"tool_calls":[${fields}]}`);
const calls: Fault[] = [
  say(
    'Arguments in pieces',
    call('{"index":0,"id":"c1","function":{"name":"Alpha","arguments":"{\\"a\\":\\"Bra"}}'),
    call('{"index":0,"function":{"arguments":"vo Charlie\\"}"}}'),
    stop,
  ),
  say(
    'No index',
    call('{"id":"c1","function":{"name":"Alpha","arguments":"{\\"a\\":"}}'),
    call('{"function":{"arguments":"\\"Bravo Charlie\\"}"}}'),
    stop,
  ),
  say(
    'The same index for two calls',
    call('{"index":0,"id":"c1","function":{"name":"Alpha","arguments":"{}"}}'),
    call('{"index":0,"id":"c2","function":{"name":"Bravo","arguments":"{\\"a\\":\\"Charlie\\"}"}}'),
    stop,
  ),
  say(
    'Arguments split inside an escape',
    call('{"index":0,"id":"c1","function":{"name":"Alpha","arguments":"{\\"a\\":\\"\\\\u00"}}'),
    call('{"index":0,"function":{"arguments":"e9 Bravo Charlie\\"}"}}'),
    stop,
  ),
  say(
    'Arguments as an object',
    call('{"index":0,"id":"c1","function":{"name":"Alpha","arguments":{"a":"Bravo Charlie"}}}'),
    stop,
  ),
  say(
    'Finish reason `stop` although tools were called',
    call('{"index":0,"id":"c1","function":{"name":"Alpha","arguments":"{}"}}'),
    stop,
  ),
];

const sounds: Fault[] = [
  json(
    '`message.audio`',
    'chat',
    '{"choices":[{"index":0,"message":{"role":"assistant","content":null,"audio":{"id":"a","data":"UklGRgAAAABXQVZF","transcript":"Alpha Bravo Charlie","expires_at":1}},"finish_reason":"stop"}]}',
  ),
  say(
    '`delta.audio` in pieces',
    delta('{"audio":{"id":"a","transcript":"Alpha "}}'),
    delta('{"audio":{"data":"AAAA"}}'),
    delta('{"audio":{"data":"AAAB","transcript":"Bravo Charlie"}}'),
    stop,
  ),
  say(
    'An image in the content',
    delta(
      `{"content":[{"type":"text","text":"Alpha Bravo Charlie"},{"type":"image_url","image_url":{"url":"data:image/png;base64,${PNG}"}}]}`,
    ),
    stop,
  ),
  say('Invalid Base64', delta(`{${abc},"audio":{"id":"a","data":"%%%"}}`), stop),
];

export const practiceInChats: FaultGroup[] = [
  { title: 'Ends of streams', faults: endings },
  { title: 'Errors and other things in place of the answer', faults: wrong },
  { title: 'Shapes of a chat', faults: [...replies, ...calls, ...sounds] },
];
