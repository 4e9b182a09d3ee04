import { describe, expect, it } from 'vitest';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import type { RunEventBody } from '../../shared/run.ts';
import { foldRun, getResponse } from '../../shared/run-view.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { body, chunk, finish, foldAll } from './support/fold-events.ts';

const choice = chatChoice({
  content: 'Hello',
  reasoning: 'Hm',
  finishReason: 'stop',
  toolCalls: [{ id: '1', name: 'find', arguments: '{"a":1}' }],
});

describe('a chat response', () => {
  const { response } = operations.chat;
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

  it('lists its metadata by wire name', () => {
    expect(response(state).facts).toEqual([
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
    expect(response(operations.chat.initialState).facts).toEqual([]);
  });

  it('shows whether it ended with [DONE], for a stream only', () => {
    const endOf = (...events: RunEventBody[]) =>
      response(foldAll(operations.chat, events)).facts.find(
        ([name]) => name === 'ended with [DONE]',
      );
    const piece = { id: 'c', choices: [{ index: 0, delta: { content: 'a' } }] };
    const document = { id: 'c', choices: [{ index: 0, message: { content: 'a' } }] };
    expect(endOf(body(document), finish)).toBeUndefined();
    expect(endOf(chunk(piece), finish)?.[1]).toBe('no');
    expect(endOf(chunk(piece), chunk('[DONE]'), finish)?.[1]).toBe('yes');
  });

  it('shows an invalid date exactly as received', () => {
    const { facts } = response({ ...state, created: 1e20 });
    expect(facts).toContainEqual(['created', '100000000000000000000']);
  });

  it('joins reasoning, text and tool calls', () => {
    expect(response(state).sections).toEqual([
      { title: 'Reasoning', text: 'Hm', format: 'markdown' },
      { title: 'Text', text: 'Hello', format: 'markdown' },
      { title: 'Tool calls', text: 'find({"a":1})', format: 'plain' },
    ]);
  });

  it('names the choice if there are several', () => {
    const one = chatChoice({ content: 'Hello' });
    const { sections } = response({ ...state, choices: [one, { ...one, index: 1 }] });
    expect(sections.map(({ title }) => title)).toEqual(['Text of choice 1', 'Text of choice 2']);
  });
});

describe('the text of a response', () => {
  const texts = ['one', 'two'].map((text, index) => ({ index, text, finishReason: null }));
  const parts = [{ type: 'text', text: 'see', thought: false }];
  const candidate = { role: 'model', parts, finishReason: null, safetyRatings: [] };
  const ranked = { index: 2, relevanceScore: 0.5, document: 'd', problem: null };
  it.each<[OperationName, object, string]>([
    ['completion', { choices: texts }, 'one\n\ntwo'],
    ['chat', { choices: [choice] }, 'Hello'],
    ['image', { candidates: [candidate] }, 'see'],
    ['rerank', { results: [ranked] }, '0.5  document 3  d'],
    ['transcription', { text: 'spoken' }, 'spoken'],
    ['video', { word: 'IN_PROGRESS' }, 'Task IN_PROGRESS'],
    ['console', { text: '{}' }, '{}'],
    ['speech', {}, ''],
    ['chat', {}, ''],
  ])('returns the text of a %s run with %j', (operation, state, text) => {
    expect(getResponse(runView(operation, { state })).text).toBe(text);
  });

  const media = medium({ kind: 'audio' });

  it.each(operationNameSchema.options)('includes all media of a %s run', (operation) => {
    const empty = runView(operation, {});
    expect(getResponse(empty).media).toEqual([]);
    const came = [media, { ...media, id: 'another' }].reduce(
      (view, medium, index) =>
        foldRun(view, { kind: 'media', media: medium, exchange: 0, seq: index + 2, atMs: index }),
      empty,
    );
    expect(getResponse(came).media.map(({ id }) => id)).toEqual([media.id, 'another']);
  });
});
