import { describe, expect, it } from 'vitest';
import {
  getOpenToolCalls,
  splitResults,
} from '../../renderer/features/chat/composer/open-tool-calls.ts';
import {
  getEncodedBytes,
  getTextParts,
  toContent,
  toContentPart,
} from '../../renderer/features/chat/composer/written-message.ts';
import {
  getChoiceProblem,
  getRequestOptions,
} from '../../renderer/features/chat/options/request-options.ts';
import { defaultConversationOptions, type TreeMessage } from '../../shared/conversation.ts';
import type { Media } from '../../shared/media.ts';
import { getMediaId, type ToolCall } from '../../shared/operations/chat/message.ts';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const medium = (fields: Partial<Media>) =>
  ({
    id: ID,
    kind: 'file',
    type: 'application/pdf',
    name: 'a.pdf',
    sizeBytes: 10,
    ...fields,
  }) as Media;

describe('a content part', () => {
  it.each<[Partial<Media>, object]>([
    [{ kind: 'image', type: 'image/png' }, { image_url: { url: `media:${ID}` } }],
    [{ kind: 'audio', type: 'audio/wav' }, { input_audio: { data: `media:${ID}`, format: 'wav' } }],
    [
      { kind: 'audio', type: 'audio/mpeg' },
      { input_audio: { data: `media:${ID}`, format: 'mp3' } },
    ],
    [{ kind: 'video', type: 'video/mp4' }, { video_url: { url: `media:${ID}` } }],
    [{}, { file: { filename: 'a.pdf', file_data: `media:${ID}` } }],
  ])('names the medium %j', (fields, expected) => {
    const part = toContentPart(medium(fields));
    expect(part).toMatchObject(expected);
    expect(getMediaId(part)).toBe(ID);
  });

  it('has the encoded size of base64 or a data URL', () => {
    const sound = medium({ kind: 'audio', type: 'audio/wav', sizeBytes: 300 });
    expect(getEncodedBytes(toContentPart(sound), sound)).toBe(400);
    const image = medium({ kind: 'image', type: 'image/png', sizeBytes: 301 });
    expect(getEncodedBytes(toContentPart(image), image)).toBe(
      404 + 'data:image/png;base64,'.length,
    );
  });

  it('comes after the text, if there is any', () => {
    const part = toContentPart(medium({}));
    expect(toContent('Look', [part])).toEqual([{ type: 'text', text: 'Look' }, part]);
    expect(toContent(' ', [part])).toEqual([part]);
    expect(toContent('Look', [])).toBe('Look');
    expect(getTextParts(toContent('Look', [part]))).toBe('Look');
  });
});

const call = (id: string, name = 'f'): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
});
const message = (fields: Partial<TreeMessage>) =>
  ({ id: 'm', role: 'user', toolCalls: [], toolCallId: null, ...fields }) as TreeMessage;

describe('open tool calls', () => {
  const asks = message({ id: 'a', role: 'assistant', toolCalls: [call('1'), call('2')] });

  it('are the last calls without a result', () => {
    const result = message({ role: 'tool', toolCallId: '1' });
    expect(getOpenToolCalls([asks])).toHaveLength(2);
    expect(getOpenToolCalls([asks, result])).toEqual([{ call: call('2'), resultName: 'a 1' }]);
    expect(getOpenToolCalls([asks, result, message({ role: 'tool', toolCallId: '2' })])).toBeNull();
  });

  it('are none after another message', () => {
    expect(getOpenToolCalls([asks, message({})])).toBeNull();
    expect(getOpenToolCalls([])).toBeNull();
  });

  it('distinguish calls with the same ID', () => {
    const twins = message({ id: 'a', role: 'assistant', toolCalls: [call('1'), call('1')] });
    const open = getOpenToolCalls([twins, message({ role: 'tool', toolCallId: '1' })]);
    expect(open).toHaveLength(1);
  });

  it('become messages with their IDs', () => {
    const open = [
      { call: call('1', 'f'), resultName: 'a 0' },
      { call: call('2', 'g'), resultName: 'a 1' },
    ];
    expect(splitResults(open, { 'a 1': '42' })).toEqual({
      results: [{ role: 'tool', content: '42', toolCallId: '2' }],
      missing: [call('1', 'f')],
    });
  });
});

describe('the options of a conversation', () => {
  const tool = { type: 'function' as const, function: { name: 'f' } };
  const saved = [{ id: 't', tool, createdAt: 0 }];
  const options = { ...defaultConversationOptions, toolIds: ['t', 'deleted'] };

  it('add nothing by default', () => {
    expect(getRequestOptions(defaultConversationOptions, saved)).toEqual({});
  });

  it('add active tools and the tool choice', () => {
    expect(getRequestOptions({ ...options, toolChoice: { name: 'f' } }, saved)).toEqual({
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'f' } },
    });
    expect(getRequestOptions({ ...options, toolChoice: 'required' }, saved)).toMatchObject({
      tool_choice: 'required',
    });
  });

  it('add no tool choice without tools', () => {
    expect(getRequestOptions({ ...options, toolIds: [], toolChoice: 'auto' }, saved)).toEqual({});
  });

  it('report a chosen tool that is off', () => {
    expect(getChoiceProblem({ ...options, toolChoice: { name: 'g' } }, saved)).toContain(
      'g is turned off',
    );
    expect(getChoiceProblem({ ...options, toolChoice: { name: 'f' } }, saved)).toBeNull();
  });
});
