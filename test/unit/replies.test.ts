import { describe, expect, it } from 'vitest';
import { operationNameSchema } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { foldRun, replyOf } from '../../shared/run-view.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { body, chunk, finish, foldAll } from './support/fold-events.ts';

const choice = {
  index: 0,
  role: 'assistant',
  content: 'Hello',
  reasoning: 'Hm',
  refusal: '',
  toolCalls: [{ id: '1', name: 'find', arguments: '{"a":1}' }],
  finishReason: 'stop',
};

describe('the reply of a chat', () => {
  const { reply } = operations.chat;
  const state = {
    ...operations.chat.initialState,
    id: 'chatcmpl-1',
    model: 'demo-story',
    created: 1_700_000_000,
    systemFingerprint: 'fp_1',
    usage: {
      prompt_tokens: 2,
      completion_tokens: null,
      total_tokens: 3,
      prompt_tokens_details: { cached_tokens: 1, by_tier: { flex: 0 } },
    },
    done: true,
    choices: [choice],
  };

  it('lists what it says about itself by wire name', () => {
    expect(reply(state).facts).toEqual([
      ['id', 'chatcmpl-1'],
      ['model', 'demo-story'],
      ['created', '1700000000 (2023-11-14T22:13:20.000Z)'],
      ['system_fingerprint', 'fp_1'],
      ['finish_reason', 'stop'],
      ['prompt_tokens', '2'],
      ['total_tokens', '3'],
      ['prompt_tokens_details.cached_tokens', '1'],
      ['prompt_tokens_details.by_tier.flex', '0'],
    ]);
    expect(reply(operations.chat.initialState).facts).toEqual([]);
  });

  it('says of a stream alone whether it ended with [DONE]', () => {
    const endOf = (...events: RunEventBody[]) =>
      reply(foldAll(operations.chat, events)).facts.find(([name]) => name === 'ended with [DONE]');
    const piece = { id: 'c', choices: [{ index: 0, delta: { content: 'a' } }] };
    const document = { id: 'c', choices: [{ index: 0, message: { content: 'a' } }] };
    expect(endOf(body(document), finish)).toBeUndefined();
    expect(endOf(chunk(piece), finish)?.[1]).toBe('no');
    expect(endOf(chunk(piece), chunk('[DONE]'), finish)?.[1]).toBe('yes');
  });

  it('shows a date that is none as it came', () => {
    expect(reply({ ...state, created: 1e20 }).facts).toContainEqual([
      'created',
      '100000000000000000000',
    ]);
  });

  it('puts reasoning, text and tool calls together again', () => {
    expect(reply(state).sections).toEqual([
      { title: 'Reasoning', text: 'Hm', format: 'markdown' },
      { title: 'Text', text: 'Hello', format: 'markdown' },
      { title: 'Tool calls', text: 'find({"a":1})', format: 'plain' },
    ]);
  });

  it('names the choice where there are several', () => {
    const { sections } = reply({
      ...state,
      choices: [
        { ...choice, reasoning: '', toolCalls: [] },
        { ...choice, index: 1, reasoning: '', toolCalls: [] },
      ],
    });
    expect(sections.map(({ title }) => title)).toEqual(['Text of choice 1', 'Text of choice 2']);
  });
});

describe('what a reply answered, as text', () => {
  it.each([
    [
      runView('completion', {
        state: {
          choices: [
            { index: 0, text: 'one', finishReason: null },
            { index: 1, text: 'two', finishReason: null },
          ],
        },
      }),
      'one\n\ntwo',
    ],
    [runView('chat', { state: { choices: [choice] } }), 'Hello'],
    [
      runView('image', {
        state: {
          candidates: [
            {
              role: 'model',
              parts: [{ type: 'text', text: 'see', thought: false }],
              finishReason: null,
              safetyRatings: [],
            },
          ],
        },
      }),
      'see',
    ],
    [
      runView('rerank', {
        state: { results: [{ index: 2, relevanceScore: 0.5, document: 'd', problem: null }] },
      }),
      '0.5  document 3  d',
    ],
    [runView('transcription', { state: { text: 'spoken' } }), 'spoken'],
    [runView('video', { state: { word: 'IN_PROGRESS' } }), 'Task IN_PROGRESS'],
    [runView('console', { state: { text: '{}' } }), '{}'],
    [runView('speech', {}), ''],
    [runView('chat', {}), ''],
  ])('%#', (view, text) => {
    expect(replyOf(view).text).toBe(text);
  });

  const media = medium({ kind: 'audio' });

  it.each(operationNameSchema.options)('goes with the media that came, for %s', (operation) => {
    const empty = runView(operation, {});
    expect(replyOf(empty).media).toEqual([]);
    const came = [media, { ...media, id: 'another' }].reduce(
      (view, medium, index) =>
        foldRun(view, { kind: 'media', media: medium, exchange: 0, seq: index + 2, atMs: index }),
      empty,
    );
    expect(replyOf(came).media.map(({ id }) => id)).toEqual([media.id, 'another']);
  });
});
