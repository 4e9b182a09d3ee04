import { describe, expect, it } from 'vitest';
import {
  estimateContext,
  listOutputs,
} from '../../renderer/features/chat/composer/context-size.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import { getMedian } from '../../shared/median.ts';
import type { Content } from '../../shared/operations/chat/message.ts';
import type { Usage } from '../../shared/operations/response/usage.ts';
import { runSummary } from '../fixtures/run-view.ts';

function message(content: Content, some: Partial<TreeMessage> = {}): TreeMessage {
  return {
    id: 'm',
    parentId: null,
    role: 'user',
    content,
    name: null,
    reasoning: null,
    reasoningTagged: false,
    commentaryLength: 0,
    reasoningEncrypted: false,
    toolCalls: [],
    toolCallId: null,
    callRecord: null,
    audio: null,
    sources: [],
    run: null,
    importedRun: null,
    continued: null,
    choiceIndex: null,
    createdAt: 0,
    ...some,
  };
}

function answer(usage: Usage | null): TreeMessage {
  const figures = { model: null, usage, finishReasons: [], noResult: null };
  return message('Answer', { role: 'assistant', run: runSummary({ figures }) });
}

const none = { text: '', parts: [] };
const usage = { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 };

describe('the estimated context', () => {
  it('adds messages, instructions and draft at four characters per token', () => {
    const size = estimateContext({
      path: [message('a'.repeat(40)), message('b'.repeat(8))],
      instructions: 'c'.repeat(20),
      draft: { text: 'd'.repeat(12), parts: [{ type: 'text', text: 'e'.repeat(4) }] },
    });
    expect(size).toEqual({
      messages: 12,
      instructions: 5,
      draft: 4,
      total: 21,
      isCounted: false,
    });
  });

  it('starts from the gateway’s count, which includes the instructions', () => {
    const path = [message('x'.repeat(4000)), answer(usage), message('y'.repeat(40))];
    const size = estimateContext({ path, instructions: 'z'.repeat(400), draft: none });
    expect(size).toMatchObject({ messages: 150, instructions: 0, total: 150, isCounted: true });
  });

  it('excludes reasoning, which usually isn’t sent again', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 30 } };
    const path = [answer({ ...usage, ...details })];
    expect(estimateContext({ path, instructions: '', draft: none }).total).toBe(110);
  });

  it('counts images, calls and answers without usage', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'media:a' } };
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const calls = message('', { role: 'assistant', toolCalls: [call] });
    const { total } = estimateContext({
      path: [message([image]), answer(null), calls],
      instructions: '',
      draft: none,
    });
    expect(total).toBe(1000 + Math.ceil((6 + JSON.stringify([call]).length) / 4));
  });

  it('uses the median output of the counted answers', () => {
    const outputs = listOutputs([answer(usage), answer(null), answer({ completion_tokens: 8 })]);
    expect(outputs).toEqual([40, 8]);
    expect([getMedian(outputs), getMedian([9, 1, 5]), getMedian([])]).toEqual([8, 5, null]);
  });
});
