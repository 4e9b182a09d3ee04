/** Plays a turn with an image in a tool's result against the demo gateway, in each format. */
import { expect, it, onTestFinished } from 'vitest';
import { startDemoGateway } from '../../electron/demo/server.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { getMcpToolName } from '../../shared/mcp-tool-name.ts';
import { everythingServer } from '../fixtures/mcp-server.ts';
import { testKey } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const NAME = getMcpToolName('everything', 'get-tiny-image');
const returned = { type: 'text', text: `Returned by the tool ${NAME} (image):` };
const image = expect.objectContaining({ type: 'image' });
const inputImage = expect.objectContaining({ type: 'input_image' });

/** The last message or item of the second request. */
const expected: [format: string | null, last: object][] = [
  [null, { role: 'user', content: [returned, { type: 'image_url' }] }],
  ['responses', { type: 'function_call_output', output: expect.arrayContaining([inputImage]) }],
  ['messages', { role: 'user', content: [{ content: expect.arrayContaining([image]) }] }],
];

it.each(expected)(
  'sends an image of the example server to the model in %s',
  async (format, last) => {
    const gateway = await startDemoGateway({ port: 0, key: testKey, speed: 1000 });
    onTestFinished(() => gateway.close());
    const services = await startTestServices({ baseUrl: gateway.baseUrl, key: testKey });
    const { conversations, mcp } = services;
    const { id: serverId } = await mcp.save(everythingServer());
    await mcp.connect(serverId);
    const { inputSchema = {} } =
      mcp.server(serverId)?.offers.tools.find(({ name }) => name === 'get-tiny-image') ?? {};
    const tool = { type: 'function', function: { name: NAME, parameters: inputSchema } };
    const { id: conversationId } = conversations.create({
      options: { ...defaultConversationOptions, mcpTools: [{ serverId, name: 'get-tiny-image' }] },
    });
    const get = () => conversations.get(conversationId);
    const request = { model: 'demo-tools', tools: [tool], ...(format !== null && { format }) };
    const input = { conversationId, connectionId: 'environment', extraBody: {}, request };
    await conversations.send({
      ...input,
      parentId: null,
      message: { role: 'user', content: 'Show me the tiny image' },
    });
    await expect.poll(() => get().turns[0]?.calls[0]?.status).toBe('asking');
    const [turn] = get().turns;
    conversations.decideCall(conversationId, turn?.answerId ?? '', 0, 'once');
    await expect.poll(() => get().messages.at(-1)?.run?.status).toBe('succeeded');
    await expect.poll(() => get().turns).toEqual([]);

    const { messages } = get();
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(JSON.stringify(messages.at(-1)?.content)).toContain(NAME);
    const next = await conversations.nextRequest({
      ...input,
      parentId: messages[2]?.id ?? null,
      systemMessage: '',
      providerFields: 'automatic',
      wireNames: {},
      message: null,
    });
    const [event] = services.ledger.events(messages[3]?.run?.id ?? '', {
      after: 0,
      limit: 1,
      kinds: ['request'],
    }).events;
    const sent = event?.kind === 'request' ? event.body : null;
    expect(JSON.parse(next.body ?? '')).toEqual(JSON.parse(sent ?? ''));
    const { messages: list, input: items } = JSON.parse(sent ?? '');
    expect((list ?? items).at(-1)).toMatchObject(last);
  },
);
