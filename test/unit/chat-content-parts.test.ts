import { describe, expect, it } from 'vitest';
import {
  getEncodedBytes,
  getTextParts,
  toContentPart,
  toWrittenContent,
} from '../../renderer/features/chat/conversation/written-message.ts';
import {
  getOpenToolCalls,
  splitResults,
} from '../../renderer/features/chat/session/open-tool-calls.ts';
import {
  getChoiceProblem,
  getRequestOptions,
  listToolNames,
} from '../../renderer/features/chat/session/request-options.ts';
import { defaultConversationOptions, type TreeMessage } from '../../shared/conversation.ts';
import type { McpServer, McpTool } from '../../shared/mcp.ts';
import type { Media } from '../../shared/media.ts';
import { getMediaId, type ToolCall } from '../../shared/operations/chat/message.ts';
import { medium as makeMedium } from '../fixtures/medium.ts';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const medium = (fields: Partial<Media>) =>
  makeMedium({ id: ID, type: 'application/pdf', name: 'a.pdf', sizeBytes: 10, ...fields });

describe('a content part', () => {
  const data = `media:${ID}`;
  it.each<[Partial<Media>, object]>([
    [{ kind: 'image', type: 'image/png' }, { image_url: { url: data } }],
    [{ kind: 'audio', type: 'audio/wav' }, { input_audio: { data, format: 'wav' } }],
    [{ kind: 'audio', type: 'audio/mpeg' }, { input_audio: { data, format: 'mp3' } }],
    [{ kind: 'video', type: 'video/mp4' }, { video_url: { url: data } }],
    [{}, { file: { filename: 'a.pdf', file_data: data } }],
  ])('references the media item %j', (fields, expected) => {
    const part = toContentPart(medium(fields));
    expect(part).toMatchObject(expected);
    expect(getMediaId(part)).toBe(ID);
  });

  it('returns the encoded size of base64 or a data URL', () => {
    const encoded = (media: Media) => getEncodedBytes(toContentPart(media), media);
    const prefix = 'data:image/png;base64,';
    expect(encoded(medium({ kind: 'audio', type: 'audio/wav', sizeBytes: 300 }))).toBe(400);
    const image = medium({ kind: 'image', type: 'image/png', sizeBytes: 301 });
    expect(encoded(image)).toBe(404 + prefix.length);
  });

  it('places parts after the text', () => {
    const part = toContentPart(medium({}));
    expect(toWrittenContent('Look', [part])).toEqual([{ type: 'text', text: 'Look' }, part]);
    expect(toWrittenContent(' ', [part])).toEqual([part]);
    expect(toWrittenContent('Look', [])).toBe('Look');
    expect(getTextParts(toWrittenContent('Look', [part]))).toBe('Look');
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

  it('lists the last calls without a result', () => {
    const result = message({ role: 'tool', toolCallId: '1' });
    expect(getOpenToolCalls([asks])).toHaveLength(2);
    const open = { call: call('2'), resultName: 'a 1' };
    expect(getOpenToolCalls([asks, result])).toMatchObject([open]);
    expect(getOpenToolCalls([asks, result, message({ role: 'tool', toolCallId: '2' })])).toBeNull();
    const twins = message({ id: 'a', role: 'assistant', toolCalls: [call('1'), call('1')] });
    expect(getOpenToolCalls([twins, result])).toHaveLength(1);
  });

  it('returns null after another message', () => {
    expect(getOpenToolCalls([asks, message({})])).toBeNull();
    expect(getOpenToolCalls([])).toBeNull();
  });

  it('creates result messages with the IDs of their calls', () => {
    const one = call('1', 'f');
    const open = [one, call('2', 'g')].map((call, at) => ({
      call,
      resultName: `a ${at}`,
      isInvalid: false,
    }));
    const results = [{ role: 'tool', content: '42', toolCallId: '2' }];
    expect(splitResults(open, { 'a 1': '42' })).toEqual({ results, missing: [one] });
  });

  it('fills in a result for the example tool', () => {
    const asked = { name: 'get_weather', arguments: '{"place":"Oslo"}' };
    const open = [{ call: { ...call('1'), function: asked }, resultName: 'a 0', isInvalid: false }];
    const { results } = splitResults(open, {});
    expect(JSON.parse(String(results[0]?.content))).toMatchObject({ place: 'Oslo' });
    expect(splitResults(open, { 'a 0': '' }).missing).toHaveLength(1);
  });
});

describe('the options of a conversation', () => {
  const tool = { type: 'function' as const, function: { name: 'f' } };
  const answer = { by: 'you' } as const;
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
  const offered = (name: string, problem: string | null = null): McpTool => ({
    name,
    title: null,
    description: `Does ${name}`,
    inputSchema,
    outputSchema: null,
    problem,
    annotations: { readOnly: null, destructive: null },
  });
  const server: McpServer = {
    id: 's',
    name: 'files',
    enabled: true,
    status: 'ready',
    error: null,
    transport: { type: 'http', url: 'https://example.com/mcp', headers: [] },
    offers: {
      tools: [offered('read'), offered('bad', 'Broken')],
      prompts: [],
      resources: [],
      cut: [],
      repeated: [],
    },
    protection: null,
    missing: [],
    signedIn: false,
    approvals: {},
  };
  const known = { saved: [{ id: 't', tool, answer, createdAt: 0 }], servers: [server] };
  const options = { ...defaultConversationOptions, toolIds: ['t', 'deleted'] };
  const tool_choice = { type: 'function', function: { name: 'f' } };

  it.each<[string, Partial<typeof options>, object]>([
    ['nothing by default', { toolIds: [] }, {}],
    ['the chosen tool', { toolChoice: { name: 'f' } }, { tools: [tool], tool_choice }],
    ['a tool choice', { toolChoice: 'required' }, { tools: [tool], tool_choice: 'required' }],
    ['no tool choice without tools', { toolIds: [], toolChoice: 'auto' }, {}],
  ])('adds %s', (_name, change, expected) => {
    expect(getRequestOptions({ ...options, ...change }, known)).toEqual(expected);
  });

  it('adds the chosen tools of MCP servers with their schema', () => {
    const mcpTools = ['read', 'bad', 'gone'].map((name) => ({ serverId: 's', name }));
    const read = { name: 'files__read', description: 'Does read', parameters: inputSchema };
    const sent = { type: 'function', function: read };
    expect(getRequestOptions({ ...options, mcpTools }, known)).toEqual({ tools: [tool, sent] });
    const off = { ...known, servers: [{ ...server, enabled: false }] };
    expect(getRequestOptions({ ...options, mcpTools }, off)).toEqual({ tools: [tool] });
  });

  it('reports a selected tool that is turned off', () => {
    const problem = (name: string, toolIds = options.toolIds, format?: string) => {
      const builtInTools = [{ format: 'responses', name: 'webSearch', values: {} }];
      const names = listToolNames({ ...options, builtInTools, toolIds }, known, format);
      return getChoiceProblem({ name }, names);
    };
    expect(problem('g')).toContain('g is turned off');
    expect(problem('f')).toBeNull();
    expect(problem('f', [])).toBeNull();
    expect(problem('f', [], 'responses')).toContain('f is turned off');
  });
});
