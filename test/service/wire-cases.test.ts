/** Plays other tools' public bug reports byte by byte, from test/fixtures/wire/cases. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { readSources } from '../../shared/operations/chat/sources.ts';
import { emptyChatState } from '../../shared/operations/chat/state.ts';
import { answerOf, type Played, playChat, readCase, sentNext } from '../fixtures/play-chat.ts';

/** Returns the first answer as the second request sends it back. */
function sentBack(played: Played): JsonObject {
  return sentNext(played)[1] ?? {};
}

/** Returns the blocks of a message in the Messages format. */
function blocksOf(message: JsonObject | undefined): JsonObject[] {
  return Array.isArray(message?.content) ? message.content.filter(isJsonObject) : [];
}

describe('chat bug reports of other tools', () => {
  it.each<[string, (played: Played) => void]>([
    [
      'args-repeated-final',
      (played) => expect(answerOf(played).toolCalls[0]?.arguments).toBe('{"z":"UTC"}'),
    ],
    [
      'audio-expired',
      (played) =>
        expect(sentBack(played)).toEqual({
          role: 'assistant',
          content: '[audio without a transcript]',
        }),
    ],
    [
      'citations',
      ({ runs: [run] }) => {
        const state = run?.operation === 'chat' ? run.state : emptyChatState;
        expect(
          state.choices.flatMap((choice) => readSources(state, choice)).map(({ url }) => url),
        ).toEqual(['https://one.example/a', 'https://two.example/b']);
      },
    ],
    ['cumulative', (played) => expect(answerOf(played).content).toBe('The gate is open.')],
    [
      'function-call-legacy',
      (played) =>
        expect(answerOf(played).toolCalls).toEqual([
          { id: 'function_call', name: 'look_up', arguments: '{"q":"rain"}' },
        ]),
    ],
    [
      'gemini-extra-content',
      (played) =>
        expect(sentBack(played).tool_calls).toEqual([
          {
            id: 'fc-81',
            type: 'function',
            function: { name: 'look_up', arguments: '{"q":"rain"}' },
            extra_content: { google: { thought_signature: 'QUJDREVGRw==' } },
          },
        ]),
    ],
    [
      'mistral-replay',
      (played) => {
        expect(answerOf(played).reasoning).toBe('17*20 + 17*3');
        expect(sentBack(played).content).toEqual([
          { type: 'thinking', thinking: [{ type: 'text', text: '17*20 + 17*3' }], closed: true },
          { type: 'text', text: '391' },
        ]);
        expect(played.runs[1]?.error?.message).toContain(
          'Extra inputs are not permitted (body.messages.1.assistant.reasoning_content)',
        );
      },
    ],
    [
      'openrouter-raw',
      ({ runs }) =>
        expect(runs[0]?.error?.message).toContain('This model takes at most 1 image. (Acme)'),
    ],
    [
      'reasoning-details',
      (played) => {
        expect(answerOf(played).reasoning).toBe('The visitor wants a plan.');
        expect(sentBack(played).reasoning_details).toEqual([
          {
            type: 'reasoning.text',
            text: 'The visitor wants a plan.',
            index: 0,
            format: 'unknown',
            signature: 'c2lnbmF0dXJl',
          },
        ]);
      },
    ],
  ])('%s', async (name, check) => {
    check(await playChat(name, 'always'));
  });
});

describe('bug reports of the other formats, and of tools', () => {
  const brest = { port: 'Brest' };
  const tide = { id: 'toolu_1', name: 'tide', arguments: '{"port":"Brest"}' };

  it.each<[string, (played: Played) => void]>([
    [
      'resp-content-index-per-token',
      (played) => {
        expect(answerOf(played)).toMatchObject({
          content: 'Take the ferry.',
          reasoning: 'The ferry leaves at nine.',
          warnings: [],
        });
        expect(sentBack(played)).toEqual({ role: 'assistant', content: 'Take the ferry.' });
      },
    ],
    [
      'resp-two-calls-one-index',
      (played) => {
        const call = (id: string, port: string) => ({
          call_id: id,
          name: 'tide',
          arguments: JSON.stringify({ port }),
        });
        const calls = [call('call_A', 'Brest'), call('call_B', 'Calais')];
        const shown = calls.map(({ call_id, ...called }) => ({ id: call_id, ...called }));
        expect(answerOf(played)).toMatchObject({ toolCalls: shown, warnings: [] });
        const results = calls.map(({ call_id }) => ({
          type: 'function_call_output',
          call_id,
          output: '1',
        }));
        const next = sentNext(played).slice(1);
        expect(next).toMatchObject([
          ...calls.map((item) => ({ type: 'function_call', ...item })),
          ...results,
        ]);
        expect(JSON.stringify(next)).not.toMatch(/output_index|item_id|sequence_number/);
      },
    ],
    [
      'msg-signature-on-thinking-delta',
      (played) => {
        expect(answerOf(played)).toMatchObject({ reasoning: 'Ask the table.', toolCalls: [tide] });
        expect(blocksOf(sentBack(played))[0]).toEqual({
          type: 'thinking',
          thinking: 'Ask the table.',
          signature: 'c2lnLW9mLXRoZS10aG91Z2h0',
        });
      },
    ],
    [
      'msg-pause-turn',
      (played) => {
        const { requests, answers, runs } = played;
        expect(runs[0]).toMatchObject({ status: 'succeeded', figures: { noResult: null } });
        expect(runs[0]?.figures?.finishReasons).toEqual(['pause_turn']);
        expect(requests[1]?.tools).toEqual(requests[0]?.tools);
        const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search' };
        const text = { type: 'text', text: 'I will look it up.' };
        expect(sentNext(played)).toEqual([
          { role: 'user', content: [{ type: 'text', text: 'News of the ferry?' }] },
          { role: 'assistant', content: [text, { ...search, input: { query: 'ferry news' } }] },
        ]);
        expect(answers[1]?.content).toBe('I will look it up.Done.');
      },
    ],
    [
      'msg-refusal',
      ({ runs }) =>
        expect(runs[0]?.figures?.noResult).toBe(
          'The model or its provider refused (bio). The request was declined by a safety rule about pathogens.',
        ),
    ],
    [
      'msg-tool-error-flag',
      (played) =>
        expect(sentNext(played).at(-1)?.content).toEqual([
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: 'No such port',
            is_error: true,
          },
        ]),
    ],
    [
      'msg-input-in-start-and-delta',
      (played) => {
        expect(answerOf(played).toolCalls).toEqual([tide]);
        expect(blocksOf(sentBack(played))[0]).toMatchObject({ type: 'tool_use', input: brest });
      },
    ],
    [
      'msg-search-results-back',
      (played) => {
        expect(answerOf(played).content).toBe('Nine.');
        expect(played.answers[0]?.sources).toMatchObject([{ url: 'https://ferry.example/times' }]);
        const { replies } = readCase('msg-search-results-back');
        const { content } = JSON.parse(replies[0]?.body.text ?? '');
        expect(sentBack(played).content).toMatchObject(content.map(withoutNulls));
      },
    ],
    [
      'chat-reasoning-tags',
      (played) => {
        const parts = { content: 'Nine.', reasoning: 'The table says nine.', isTagged: true };
        expect(answerOf(played)).toMatchObject(parts);
        expect(sentBack(played)).toEqual({ role: 'assistant', content: 'Nine.' });
      },
    ],
    [
      'chat-tool-image-result',
      (played) => {
        const [result, image, ...others] = sentNext(played).slice(2);
        expect(result).toEqual({
          role: 'tool',
          tool_call_id: 'call_1',
          content: 'The result follows in the next message.',
        });
        expect(image).toEqual({
          role: 'user',
          content: [
            { type: 'text', text: 'Returned by the tool harbor__camera (image):' },
            { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png/) } },
          ],
        });
        expect(others).toEqual([]);
      },
    ],
    [
      'mcp-tool-without-properties',
      ({ requests }) =>
        expect(requests[0]?.tools).toMatchObject([
          { function: { parameters: { type: 'object', properties: {} } } },
        ]),
    ],
  ])('%s', async (name, check) => {
    check(await playChat(name, 'automatic'));
  });
});

/** Fields without a value aren’t kept. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const filled = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(filled.map(([name, one]) => [name, withoutNulls(one)]));
}
