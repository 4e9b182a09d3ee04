import { describe, expect, it } from 'vitest';
import {
  getContent,
  getPart,
  textIn,
  wireBytes,
} from '../../renderer/features/chat/composer/content-parts.ts';
import {
  openToolCalls,
  splitResults,
} from '../../renderer/features/chat/composer/open-tool-calls.ts';
import {
  choiceProblem,
  requestOptions,
} from '../../renderer/features/chat/options/request-options.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import { defaultConversationOptions } from '../../shared/conversation-options.ts';
import type { Media } from '../../shared/media.ts';
import type { ToolCall } from '../../shared/operations/chat/message.ts';
import { getMediaId } from '../../shared/operations/chat/part-source.ts';

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
    const part = getPart(medium(fields));
    expect(part).toMatchObject(expected);
    expect(getMediaId(part)).toBe(ID);
  });

  it('weighs four thirds on the wire, with the head of a data URL where there is one', () => {
    const sound = medium({ kind: 'audio', type: 'audio/wav', sizeBytes: 300 });
    expect(wireBytes(getPart(sound), sound)).toBe(400);
    const image = medium({ kind: 'image', type: 'image/png', sizeBytes: 301 });
    expect(wireBytes(getPart(image), image)).toBe(404 + 'data:image/png;base64,'.length);
  });

  it('is after the text, and alone where there is none', () => {
    const part = getPart(medium({}));
    expect(getContent('Look', [part])).toEqual([{ type: 'text', text: 'Look' }, part]);
    expect(getContent(' ', [part])).toEqual([part]);
    expect(getContent('Look', [])).toBe('Look');
    expect(textIn(getContent('Look', [part]))).toBe('Look');
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

  it('are those at the end without a result', () => {
    const result = message({ role: 'tool', toolCallId: '1' });
    expect(openToolCalls([asks])).toHaveLength(2);
    expect(openToolCalls([asks, result])).toEqual([{ call: call('2'), resultName: 'a 1' }]);
    expect(openToolCalls([asks, result, message({ role: 'tool', toolCallId: '2' })])).toBeNull();
  });

  it('are none once the conversation continued', () => {
    expect(openToolCalls([asks, message({})])).toBeNull();
    expect(openToolCalls([])).toBeNull();
  });

  it('keep two calls of the same id apart', () => {
    const twins = message({ id: 'a', role: 'assistant', toolCalls: [call('1'), call('1')] });
    const open = openToolCalls([twins, message({ role: 'tool', toolCallId: '1' })]);
    expect(open).toHaveLength(1);
  });

  it('become messages with their ids; what has none is missing', () => {
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

  it('send nothing by themselves', () => {
    expect(requestOptions(defaultConversationOptions, saved)).toEqual({});
  });

  it('send the tools that are on, and the choice among them', () => {
    expect(requestOptions({ ...options, toolChoice: { name: 'f' } }, saved)).toEqual({
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'f' } },
    });
    expect(requestOptions({ ...options, toolChoice: 'required' }, saved)).toMatchObject({
      tool_choice: 'required',
    });
  });

  it('send no choice where no tool is on', () => {
    expect(requestOptions({ ...options, toolIds: [], toolChoice: 'auto' }, saved)).toEqual({});
  });

  it('name a chosen tool that is not on', () => {
    expect(choiceProblem({ ...options, toolChoice: { name: 'g' } }, saved)).toContain('g is off');
    expect(choiceProblem({ ...options, toolChoice: { name: 'f' } }, saved)).toBeNull();
  });
});
