import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readConversationFile } from '../../electron/conversations/files/read-file.ts';
import type { Services } from '../../electron/services.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { getConversationFormId } from '../../shared/form-fields.ts';
import { answeredByYou } from '../../shared/tool-answer.ts';
import { comparable, exportText, importText, listAll } from '../fixtures/conversation-files.ts';
import { pixel } from '../fixtures/pixel.ts';
import { shareServices, startTestServices } from '../fixtures/test-services.ts';

const weather = {
  type: 'function' as const,
  function: { name: 'get_weather', parameters: { type: 'object' } },
};

async function storePixel({ media }: Services): Promise<string> {
  const writer = media.begin({ name: 'pixel.png', declaredType: 'image/png', role: 'upload' });
  await writer.write(pixel);
  return (await writer.finish()).id;
}

/** Sends a message to the demo gateway and waits for the answer. */
async function ask(
  services: Services,
  conversationId: string,
  parentId: string | null,
  message: { role: 'user'; content: string } | null,
  request: Record<string, string | number> = {},
): Promise<string> {
  const { runId, answerIds } = await services.conversations.send({
    conversationId,
    connectionId: 'demo',
    parentId,
    message,
    request: { model: 'demo-echo', ...request },
  });
  for await (const _update of services.engine.watch(runId, null, undefined));
  return answerIds[0] ?? '';
}

/** Adds two branches, two choices of one run, an image, a tool, settings and a folder. */
async function fillConversation(services: Services): Promise<string> {
  const { conversations, forms, saved } = services;
  const tool = saved.tools.save({ tool: weather });
  const { id } = conversations.create({
    systemMessage: 'Be brief.\n<script>alert(1)</script>',
    options: {
      ...defaultConversationOptions,
      toolIds: [tool.id],
      toolChoice: { name: 'get_weather' },
      responseFormat: { type: 'json_object' },
    },
  });
  const image = await storePixel(services);
  const first = await ask(
    services,
    id,
    null,
    { role: 'user', content: 'Hello, “world” 🌍' },
    { n: 2 },
  );
  const { messages } = conversations.addMessage(id, first, {
    role: 'user',
    content: [
      { type: 'text', text: 'Look: ' },
      {
        type: 'image_url',
        image_url: { url: `media:${image}`, detail: 'low' },
        extra: 12345678901234567890n.toString(),
      },
    ],
    name: 'Ada',
  });
  const question = messages[0]?.id ?? '';
  await ask(services, id, question, null, { model: 'demo-think' });
  await ask(services, id, question, null, { model: 'demo-none' });
  conversations.addMessage(id, question, {
    role: 'assistant',
    content: '',
    reasoning: 'Ask for it.',
    toolCalls: [
      { id: 'call', type: 'function', function: { name: 'get_weather', arguments: '{}' } },
    ],
  });
  conversations.update(id, { title: 'Gates & houses', activeLeafId: question });
  conversations.place([id], { pinned: true, folder: 'Work' });
  forms.change({
    id: getConversationFormId(id),
    content: {
      operation: 'chat',
      fields: {
        params: { temperature: { value: 0.2, text: '.2' }, stop: { value: ['x'] } },
        models: { demo: 'demo-think' },
        connectionId: 'demo',
        extraBody: '{"top_k": 4}',
        input: { text: 'unsent' },
      },
    },
    unset: [],
    after: null,
  });
  return id;
}

const from = await shareServices();
const id = await fillConversation(from);
const exported = await exportText(from, [id], 'json');

it('preserves everything in a JSON export and import into another installation', async () => {
  const to = await startTestServices();
  const other = from.conversations.create().id;
  from.conversations.addMessage(other, null, { role: 'user', content: 'Archived' });
  from.conversations.place([other], { archived: true });
  const file = await exportText(from, [id, other], 'json');
  const { ids, notes } = await importText(to, file);
  expect(notes).toEqual([]);
  expect(comparable(await exportText(to, ids, 'json'))).toEqual(comparable(file));

  const conversation = to.conversations.get(ids[0] ?? '');
  expect(conversation).toMatchObject({ title: 'Gates & houses', pinned: true, folder: 'Work' });
  expect(conversation.messages.map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'assistant', 'user', 'assistant', 'assistant', 'assistant'],
  ]);
  const [, answer] = conversation.messages;
  expect(answer).toMatchObject({
    run: null,
    importedRun: { model: 'demo-echo', status: 'succeeded' },
  });
  expect(answer?.importedRun?.figures?.usage?.completion_tokens).toBeGreaterThan(0);
  const [stored] = to.media.list({ kind: null, after: null, limit: 5 }).media;
  expect(stored).toMatchObject({ name: 'pixel.png', role: 'upload' });
  expect(await to.media.readBytes(stored?.id ?? '')).toEqual(pixel);
  expect(JSON.stringify(conversation.messages[3]?.content)).toContain(`media:${stored?.id}`);
  const form = to.forms.get({
    id: getConversationFormId(ids[0] ?? ''),
    operation: 'chat',
    after: null,
  });
  expect(form.content.fields).toMatchObject({
    connectionId: 'demo',
    models: { demo: 'demo-think' },
    params: { temperature: { value: 0.2, text: '.2' }, stop: { value: ['x'] } },
  });
});

it('resends an imported conversation’s raw answers exactly as the original would', async () => {
  const { conversations } = from;
  const { ids } = await importText(from, exported);
  const [original, copy] = [conversations.get(id), conversations.get(ids[0] ?? '')];
  async function previewBody(parentId: string): Promise<string> {
    const { body } = await conversations.nextRequest({
      connectionId: 'demo',
      request: { model: 'm' },
      parentId,
      message: null,
      systemMessage: '',
      providerFields: 'automatic',
    });
    return (body ?? '').replaceAll(/media:[\w-]{22}/g, 'media');
  }
  for (const [index, message] of original.messages.entries()) {
    const copied = await previewBody(copy.messages[index]?.id ?? '');
    expect(copied).toBe(await previewBody(message.id));
  }
});

it('reuses an equal tool, and renames a different one with the same name', async () => {
  const services = await startTestServices();
  await importText(services, exported);
  await importText(services, exported);
  expect(services.saved.tools.list()).toHaveLength(1);
  const changed = exported.replaceAll('"parameters":{"type":"object"}', '"parameters":{}');
  const { ids, notes } = await importText(services, changed);
  expect(services.saved.tools.list().map(({ tool }) => tool.function.name)).toEqual([
    'get_weather',
    'get_weather_2',
  ]);
  expect(notes).toEqual([
    'The tool get_weather was added as get_weather_2, because the name is taken.',
  ]);
  const { options } = services.conversations.get(ids[0] ?? '');
  expect(options.toolIds).toEqual([services.saved.tools.list()[1]?.id]);
});

it('turns no tool of an MCP server on, because the user may always allow it', async () => {
  const services = await startTestServices();
  const mcpTools = '"mcpTools":[{"serverId":"known","name":"delete"}]';
  const changed = exported.replace('"mcpTools":[]', mcpTools);
  expect(changed).not.toBe(exported);
  const { ids, notes } = await importText(services, changed);
  expect(services.conversations.get(ids[0] ?? '').options.mcpTools).toEqual([]);
  expect(notes).toEqual(['Tools of MCP servers are off in imported conversations.']);
});

it('keeps all text of the visible branch in Markdown and JSONL', async () => {
  const services = await startTestServices();
  const { conversations } = services;
  const { id } = conversations.create({ systemMessage: 'Be brief.\n\n## User\n' });
  const texts = [
    'Hi\n\n<!-- gatehouse-message: {"role":"user"} -->\n\n## Assistant\n\n-->',
    '  indented\n```js\nlet a = "--";\n```\n',
  ];
  let parentId: string | null = null;
  for (const [index, content] of texts.entries()) {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const reasoning = role === 'assistant' ? { reasoning: 'Because </details> of' } : {};
    const added = conversations.addMessage(id, parentId, { role, content, ...reasoning });
    parentId = added.messages[0]?.id ?? null;
  }
  const toolCalls = [
    { id: 'call-1', type: 'function' as const, function: { name: 'f', arguments: '{"a":"-->"}' } },
  ];
  const call = conversations.addMessage(id, parentId, {
    role: 'assistant',
    content: 'Wait',
    toolCalls,
  });
  conversations.addMessage(id, call.messages[0]?.id ?? null, {
    role: 'tool',
    content: '{"result":1}',
    toolCallId: 'call-1',
  });
  for (const format of ['markdown', 'jsonl'] as const) {
    const { ids } = await importText(services, await exportText(services, [id, id], format));
    expect(ids).toHaveLength(2);
    for (const copyId of ids) {
      const copy = conversations.get(copyId);
      expect(copy.systemMessage).toBe('Be brief.\n\n## User\n');
      expect(copy.messages.map(({ role, content }) => ({ role, content }))).toEqual(
        conversations.get(id).messages.map(({ role, content }) => ({ role, content })),
      );
      expect(copy.messages[2]).toMatchObject({ toolCalls });
      expect(copy.messages[3]).toMatchObject({ toolCallId: 'call-1' });
      if (format === 'markdown') {
        expect(copy.messages[1]?.reasoning).toBe('Because </details> of');
      }
    }
  }
});

it('writes media bytes into JSONL, and stores them again on import', async () => {
  const services = await startTestServices();
  const { conversations, media } = services;
  const { id } = conversations.create();
  const url = `media:${await storePixel(services)}`;
  conversations.addMessage(id, null, {
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url } },
      { type: 'image_url', image_url: { url: `media:${'x'.repeat(22)}` } },
    ],
  });
  const line = await exportText(services, [id], 'jsonl');
  expect(line).toContain(`data:image/png;base64,${pixel.toString('base64')}`);
  const { ids } = await importText(services, line);
  const content = conversations.get(ids[0] ?? '').messages[0]?.content;
  const text = JSON.stringify(content);
  expect(text).toContain('is no longer in the library');
  const copied = /media:([\w-]{22})"/.exec(text)?.[1] ?? '';
  expect(`media:${copied}`).not.toBe(url);
  expect(await media.readBytes(copied)).toEqual(pixel);
});

const good = { id: 'a', parentId: null, role: 'user', content: 'Hi', createdAt: 0 };

/** Builds a file with the given messages and one attachment. */
function fileWith(messages: object[], { name = 'a.png', version = 1, activeLeafId = 'a' } = {}) {
  const defaults = {
    name: null,
    reasoning: null,
    reasoningTagged: false,
    reasoningEncrypted: false,
    toolCalls: [],
    toolCallId: null,
    audio: null,
    sources: [],
    wire: null,
    run: null,
    choiceIndex: null,
  };
  const media = [
    { id: 'm'.repeat(22), name, type: null, role: 'upload', data: pixel.toString('base64') },
  ];
  const tools = [{ id: 't', tool: weather, answer: answeredByYou }];
  const conversation = {
    title: 'Broken',
    titled: true,
    pinned: false,
    archived: false,
    folder: null,
    createdAt: 0,
    updatedAt: 0,
    systemMessage: '',
    options: defaultConversationOptions,
    settings: {},
    activeLeafId,
    messages: messages.map((message) => ({ ...defaults, ...message })),
  };
  return JSON.stringify({
    format: 'gatehouse-conversations',
    version,
    exportedAt: 0,
    connections: [],
    tools,
    media,
    conversations: [
      { ...conversation, title: 'Fine', messages: [{ ...defaults, ...good }], activeLeafId: 'a' },
      conversation,
    ],
  });
}

const image = (url: string) => ({
  ...good,
  content: [{ type: 'image_url', image_url: { url } }],
});

const refused: [what: string, file: string | Uint8Array, problem: string][] = [
  [
    'a parent that is missing',
    fileWith([good, { ...good, id: 'b', parentId: 'c' }]),
    'Conversation 2 (“Broken”) has a message whose parent isn’t in the file.',
  ],
  [
    'parents in a loop',
    fileWith([good, { ...good, id: 'b', parentId: 'c' }, { ...good, id: 'c', parentId: 'b' }]),
    'parents form a loop',
  ],
  ['two messages with one ID', fileWith([good, good]), 'two messages with the same ID'],
  [
    'an end that is missing',
    fileWith([good], { activeLeafId: 'z' }),
    'ends at a message that isn’t in the file',
  ],
  [
    'a path in a link',
    fileWith([image('file:///etc/passwd')]),
    'message 1 links to “file:///etc/passwd”, which is a script or a path.',
  ],
  ['a path without a scheme', fileWith([image('../../etc/passwd')]), 'which is a script or a path'],
  ['a Windows path', fileWith([image('C:\\Windows\\win.ini')]), 'which is a script or a path'],
  ['a script in a link', fileWith([image('javascript:alert(1)')]), 'which is a script or a path'],
  [
    'a path as the name of an attachment',
    fileWith([good], { name: '../../evil.png' }),
    'whose name is a path: “../../evil.png”',
  ],
  ['a newer version', fileWith([good], { version: 2 }), 'exported by a newer version of Gatehouse'],
  [
    'an unknown role',
    fileWith([{ ...good, role: 'boss' }]),
    'The file isn’t valid. conversations.1.messages.0.role:',
  ],
  ['no conversations', '[]', 'The file has no conversations.'],
  ['another format', '{"hello":1}', 'Gatehouse doesn’t know the format of this file.'],
  ['a web page', '<!doctype html><script>alert(1)</script>', 'The file isn’t valid JSON or JSONL.'],
  [
    'a line that isn’t JSON',
    '{"messages":[{"role":"user","content":"a"}]}\n{oops',
    'Line 2 isn’t valid JSON.',
  ],
  ['bytes that aren’t text', pixel, 'The file isn’t text.'],
  ['a ZIP archive', Buffer.from('PK\x03\x04…'), 'The file is a ZIP archive.'],
];

it.each(refused)('rejects a file with %s', (_what, file, problem) => {
  expect(() => readConversationFile(Buffer.from(file))).toThrow(problem);
});

/** Services that no rejected file changes. */
const unchanged = shareServices();
const written = ['parents in a loop', 'a path in a link', 'a script in a link', 'another format'];

it.each([
  ['nothing', '', 'The file is empty.'] as const,
  ...refused.filter(([what]) => written.includes(what)),
])('rejects a file with %s and writes nothing', async (_what, file, problem) => {
  const services = await unchanged;
  const before = await listAll(services);
  await expect(importText(services, file)).rejects.toThrow(problem);
  expect(await listAll(services)).toEqual(before);
});

it('rejects a 100 MB file and writes nothing', async () => {
  const services = await startTestServices();
  const before = await listAll(services);
  await expect(importText(services, Buffer.alloc(100_000_000, '['))).rejects.toThrow(
    'The file is larger than 64 MiB.',
  );
  expect(await listAll(services)).toEqual(before);
});

it('writes nothing if the disk becomes full during an import', async () => {
  const services = await startTestServices();
  const before = await listAll(services);
  services.saved.tools.add = () => {
    throw new Error('The disk is full.');
  };
  await expect(importText(services, exported)).rejects.toThrow('The disk is full.');
  expect(await listAll(services)).toEqual(before);
});

it('answers other requests during an import, and shows messages only once it ends', async () => {
  const services = await startTestServices();
  const line = JSON.stringify({
    messages: Array.from({ length: 1000 }, (_, index) => ({
      role: 'user',
      content: `No. ${index}`,
    })),
  });
  const counts: number[] = [];
  let isDone = false;
  const work = importText(services, `${line}\n${line}`).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const listed = await services.conversations.list({ search: '', limit: 100 });
    if (!isDone) counts.push(listed.length);
    await nextTurn();
  }
  expect((await work).ids).toHaveLength(2);
  // The import takes 20 steps of 100 messages.
  expect(counts.length).toBeGreaterThan(20);
  expect(new Set(counts)).toEqual(new Set([0]));
});
