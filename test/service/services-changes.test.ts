/** Checks what the services announce, without a router or a page. */
import { describe, expect, it } from 'vitest';
import type { Services } from '../../electron/services.ts';
import type { SendInput } from '../../shared/contract/conversations.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { always, jsonReply, type Script, type WireServer } from '../fixtures/wire-server.ts';

const modelList = always(jsonReply('{"object":"list","data":[{"id":"listed"}]}'));
const completed = always(
  jsonReply('{"id":"x","choices":[{"index":0,"message":{"content":"Hi."}}]}'),
);
const silent: Script = () => undefined;

/** Counts requests for the model list, but not those for details such as voices. */
function listRequests({ requests }: WireServer): number {
  return requests.filter((request) => request.startsWith('GET /v1/models ')).length;
}

async function start(script: Script) {
  const server = await serveScript(script);
  const services = await startTestServices({ baseUrl: server.url });
  const conversation = services.conversations.create();
  const send = (input: Partial<SendInput> = {}) =>
    services.conversations.send({
      conversationId: conversation.id,
      connectionId: 'environment',
      parentId: null,
      message: { role: 'user', content: 'Hello' },
      request: { model: 'm' },
      extraBody: {},
      ...input,
    });
  return { server, services, conversation, send };
}

/** Returns the announcements made while `act` runs, as `topic id`, without duplicates. */
async function announced({ changes }: Services, act: () => unknown): Promise<string[]> {
  const feed = changes.subscribe(undefined);
  const seen: string[] = [];
  let next = feed.next();
  await act();
  changes.announce('notices', 'last');
  for (;;) {
    const { value } = await next;
    if (!value || value.id === 'last') break;
    seen.push(`${value.topic} ${value.id}`);
    next = feed.next();
  }
  await feed.return();
  return seen;
}

describe('conversations', () => {
  it('announces changes, and a new conversation with its first message', async () => {
    const { services, conversation } = await start(silent);
    const { conversations } = services;
    const { id } = conversation;
    let other = '';
    let message = '';
    expect(
      await announced(services, () => {
        other = conversations.create({ systemMessage: 'Be brief.' }).id;
      }),
    ).toEqual([]);
    expect(conversations.get(other)).toMatchObject({ systemMessage: 'Be brief.' });
    expect(
      await announced(services, () => {
        conversations.addMessage(other, null, { role: 'user', content: 'Hi' });
      }),
    ).toEqual([`conversations ${other}`]);
    expect(await announced(services, () => conversations.update(id, { title: 'T' }))).toEqual([
      `conversations ${id}`,
    ]);
    expect(
      await announced(services, () => {
        const added = conversations.addMessage(id, null, { role: 'user', content: 'Hi' });
        expect(added.activeLeafId).toBe(added.messages[0]?.id);
        message = added.messages[0]?.id ?? '';
      }),
    ).toEqual([`conversations ${id}`]);
    expect(await announced(services, () => conversations.removeMessage(id, message))).toEqual([
      `conversations ${id}`,
    ]);
    let deletionId = '';
    expect(
      await announced(services, () => {
        deletionId = conversations.remove(id);
      }),
    ).toEqual([`conversations ${id}`, 'comparisons null']);
    expect(await announced(services, () => services.deletions.undo([deletionId]))).toEqual([
      `conversations ${id}`,
      'comparisons null',
    ]);
  });

  it('announces a sent message and its answer', async () => {
    const { services, conversation, send } = await start(completed);
    let runId = '';
    const seen = await announced(services, async () => {
      const sent = await send();
      runId = sent.runId;
      expect(sent.messages.map(({ role, run }) => [role, run?.id])).toEqual([
        ['user', undefined],
        ['assistant', runId],
      ]);
      expect(sent).toMatchObject({
        conversation: { id: conversation.id, title: 'Hello', messageCount: 2 },
        activeLeafId: sent.answerIds[0],
      });
    });
    expect(seen).toContain(`conversations ${conversation.id}`);
    expect(seen).toContain(`runs ${runId}`);
    expect(seen).toContain('models environment');
    expect(await announced(services, () => untilEnded(services, runId))).toContain(
      `conversations ${conversation.id}`,
    );
    expect(services.conversations.get(conversation.id).messages.at(-1)?.content).toBe('Hi.');
  });

  it('stops runs of removed answers', async () => {
    const { services, conversation, send } = await start(silent);
    const first = await send();
    const second = await send();
    await services.conversations.removeMessage(conversation.id, first.messageId ?? '');
    expect((await untilEnded(services, first.runId)).status).toBe('cancelled');
    expect((await services.engine.view(second.runId)).status).not.toBe('cancelled');
    const seen = await announced(services, async () => {
      services.conversations.remove(conversation.id);
      await untilEnded(services, second.runId);
    });
    expect((await services.engine.view(second.runId)).status).toBe('cancelled');
    expect(seen).toContain(`conversations ${conversation.id}`);
    expect(seen).toContain(`runs ${second.runId}`);
  });
});

describe('a deleted run', () => {
  it('stops the run and removes it from its conversation', async () => {
    const { services, conversation, send } = await start(silent);
    const { runId } = await send();
    const seen = await announced(services, () => services.engine.remove(runId));
    expect(seen).toContain(`runs ${runId}`);
    expect(seen).toContain(`conversations ${conversation.id}`);
    await expect(services.engine.read(runId)).rejects.toThrow('was deleted');
    expect(services.conversations.get(conversation.id).messages.at(-1)?.run).toBeNull();
    expect(services.activeRunCount()).toBe(0);
  });

  it('restores the run with its result', async () => {
    const { services, conversation, send } = await start(completed);
    const { runId } = await send();
    const before = await untilEnded(services, runId);
    const deletionId = (await services.engine.remove(runId)) ?? '';
    const seen = await announced(services, () => services.deletions.undo([deletionId]));
    expect(seen).toContain(`conversations ${conversation.id}`);
    expect(await services.engine.view(runId)).toEqual(before);
    expect(services.conversations.get(conversation.id).messages.at(-1)?.run?.id).toBe(runId);
  });
});

describe('connections', () => {
  const input = { name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' };

  it('removes a connection with its selection and models', async () => {
    const { server, services } = await start(modelList);
    const { connections, models, settings } = services;
    const { id } = await connections.create({ ...input, baseUrl: server.url });
    settings.update({ selectedConnectionId: id });
    models.remember({ connectionId: id, operation: 'chat', model: 'used' });
    // A list that arrives late is part of the next response.
    const suggested = async () =>
      (await models.suggest(id, 'chat')).models.map((model) => model.id);
    await expect.poll(suggested).toEqual(['used', 'listed']);
    const seen = await announced(services, () => connections.remove(id));
    expect(seen.sort()).toEqual([`connections ${id}`, `models ${id}`, 'settings null']);
    expect(settings.get().selectedConnectionId).toBeNull();
    const gone = await models.suggest(id, 'chat');
    expect(gone).toMatchObject({ models: [], listProblem: 'This connection no longer exists.' });
  });

  it('keeps the selection if another connection is removed', async () => {
    const { services } = await start(silent);
    const { connections, settings } = services;
    const { id } = await connections.create(input);
    const seen = await announced(services, () => connections.remove(id));
    expect(seen).not.toContain('settings null');
    expect(settings.get().selectedConnectionId).toBe('environment');
  });

  it('reloads models after the base URL or key changes, but not the name', async () => {
    const { server, services } = await start(modelList);
    const { connections, models } = services;
    const { id } = await connections.create({ ...input, baseUrl: server.url });
    const requests = async (change: () => unknown) => {
      await models.suggest(id, 'chat');
      const before = listRequests(server);
      await change();
      await models.suggest(id, 'chat');
      return listRequests(server) - before;
    };
    expect(
      await requests(() => connections.update(id, { name: 'Other', baseUrl: server.url })),
    ).toBe(0);
    expect(
      await requests(() => connections.update(id, { ...input, baseUrl: `${server.url}/v1` })),
    ).toBe(1);
    expect(await requests(() => connections.setKey(id, 'sk-other-0123', 'session'))).toBe(1);
    expect(await requests(() => connections.removeKey(id))).toBe(1);
  });
});

describe('suggested models', () => {
  const listing = (data: unknown[]): Script => {
    const body = JSON.stringify({ object: 'list', data });
    return ({ send, end }) => send(jsonReply(body)).then(end);
  };
  const listed = (id: string, ...types: string[]) => ({ id, supported_endpoint_types: types });
  const several = [listed('vectors', 'embeddings'), { id: 'unsaid' }, listed('talker', 'openai')];

  it('sorts models by last use, then by fit', async () => {
    const { services } = await start(listing(several));
    const { models } = services;
    const first = await models.suggest('environment', 'chat');
    expect(first.models.map(({ id }) => id)).toEqual(['talker', 'unsaid', 'vectors']);
    expect(first.preselected).toBe('talker');
    models.remember({ connectionId: 'environment', operation: 'chat', model: 'unsaid' });
    const then = await models.suggest('environment', 'chat');
    expect(then.models.map(({ id, usedAt }) => [id, usedAt])).toEqual([
      ['unsaid', expect.any(Number)],
      ['talker', null],
      ['vectors', null],
    ]);
    expect(then.preselected).toBe('unsaid');
  });

  it.each([
    ['the only one', [{ id: 'only' }], 'only'],
    ['the first of several', [{ id: 'one' }, { id: 'two' }], 'one'],
    ['one whose name chats', [{ id: 'whisper-1' }, { id: 'one' }, { id: 'gpt-4o' }], 'gpt-4o'],
    ['no model whose name suits another task', [{ id: 'whisper-1' }, { id: 'tts-1' }], null],
    ['no model that can’t answer here', [listed('vectors', 'embeddings')], null],
    [
      'a chat model, even if others of its type come first',
      [
        listed('dall-e-3', 'image-generation', 'openai'),
        listed('tts-1', 'openai'),
        listed('gpt-4o', 'openai'),
      ],
      'gpt-4o',
    ],
    [
      'a known chat model before an unknown one',
      [listed('aurora', 'openai'), listed('gpt-4o', 'openai')],
      'gpt-4o',
    ],
    [
      'the first of names that say nothing',
      [listed('aurora', 'openai'), listed('borealis', 'openai')],
      'aurora',
    ],
  ])('preselects %s', async (_name, data, preselected) => {
    const { services } = await start(listing(data));
    expect((await services.models.suggest('environment', 'chat')).preselected).toBe(preselected);
  });

  it('preselects only a model whose name suits the panel', async () => {
    const { services } = await start(listing([{ id: 'gpt-4o' }, { id: 'whisper-1' }]));
    const preselected = async (operation: 'transcription' | 'speech') =>
      (await services.models.suggest('environment', operation)).preselected;
    expect(await preselected('transcription')).toBe('whisper-1');
    expect(await preselected('speech')).toBeNull();
  });

  it('preselects an image model for images', async () => {
    const { services } = await start(
      listing([listed('gemini-pro', 'gemini'), listed('gemini-image', 'gemini')]),
    );
    expect((await services.models.suggest('environment', 'image')).preselected).toBe(
      'gemini-image',
    );
  });

  it.each([
    ['the list', listing(several), ['unsaid', 'talker', 'vectors'], null],
    [
      'the reason why there is none',
      (({ send }) => send(jsonReply('{}', '404 Not Found'))) satisfies Script,
      ['unsaid'],
      expect.stringContaining('Not found'),
    ],
  ])(
    'suggests used models while the list is slow, then %s',
    async (_name, answer, ids, problem) => {
      const released = Promise.withResolvers<void>();
      const { server, services } = await start(async (exchange) => {
        await released.promise;
        await answer(exchange);
      });
      const { models } = services;
      models.remember({ connectionId: 'environment', operation: 'chat', model: 'unsaid' });
      const early = await models.suggest('environment', 'chat');
      expect(early).toMatchObject({
        models: [{ id: 'unsaid', usedAt: expect.any(Number) }],
        preselected: 'unsaid',
        listProblem: null,
      });
      const feed = services.changes.subscribe(undefined);
      const next = feed.next();
      released.resolve();
      expect((await next).value).toMatchObject({ topic: 'models', id: 'environment' });
      const then = await models.suggest('environment', 'chat');
      expect(then.models.map(({ id }) => id)).toEqual(ids);
      expect(then.listProblem).toEqual(problem);
      expect(listRequests(server)).toBe(1);
    },
  );

  it('reuses the models from a connection test', async () => {
    const { server, services } = await start(listing(several));
    const { connections, models } = services;
    const { id } = await connections.create({ name: 'Mine', baseUrl: server.url });
    const seen = await announced(services, () => connections.test(id));
    expect(seen).toContain(`models ${id}`);
    expect((await models.suggest(id, 'chat')).preselected).toBe('talker');
    expect(listRequests(server)).toBe(1);
  });

  it('ignores a connection test from before the key changed', async () => {
    const arrived = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const { server, services } = await start(async (connection) => {
      arrived.resolve();
      await changed.promise;
      await listing(several)(connection);
    });
    const { connections, models } = services;
    const { id } = await connections.create({ name: 'Mine', baseUrl: server.url });
    const tested = connections.test(id);
    await arrived.promise;
    await connections.setKey(id, 'sk-other-0123', 'session');
    changed.resolve();
    await tested;
    await models.suggest(id, 'chat');
    expect(listRequests(server)).toBe(2);
  });

  it('describes the demo models', async () => {
    const { services } = await start(silent);
    const { models } = await services.models.suggest('demo', 'chat');
    expect(models.find(({ id }) => id === 'demo-limit')).toMatchObject({
      description: 'every other call returns 429',
      fits: true,
    });
  });
});

describe('settings, tools and media', () => {
  it('announces saves and removals', async () => {
    const { services } = await start(silent);
    const { settings, saved, media } = services;
    const tool = { type: 'function' as const, function: { name: 'a', parameters: {} } };
    let id = '';
    expect(await announced(services, () => settings.update({ theme: 'dark' }))).toEqual([
      'settings null',
    ]);
    expect(
      await announced(services, () => {
        id = saved.tools.save({ tool }).id;
      }),
    ).toEqual(['saved-items null']);
    expect(await announced(services, () => saved.remove(id))).toEqual(['saved-items null']);
    const writer = media.begin({ name: 'a.txt', declaredType: null });
    await writer.write(Buffer.from('text'));
    const stored = await announced(services, async () => {
      id = (await writer.finish()).id;
    });
    expect(stored).toEqual([`media ${id}`]);
    expect(await announced(services, () => media.remove(id))).toEqual([`media ${id}`]);
  });

  it('announces nothing if saving fails', async () => {
    const { services } = await start(silent);
    const tool = { type: 'function' as const, function: { name: 'a', parameters: {} } };
    services.saved.tools.save({ tool });
    const seen = await announced(services, () => {
      expect(() => services.saved.tools.save({ tool })).toThrow('named a already exists');
      expect(() => services.conversations.update('gone', { title: 'T' })).toThrow();
    });
    expect(seen).toEqual([]);
  });
});
