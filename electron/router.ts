/** Implements the contract: a line or two per procedure, the work is done by the services. */
import { implement, ORPCError } from '@orpc/server';
import { contract } from '../shared/contract/contract.ts';
import { AppFailure, appError } from '../shared/errors.ts';
import { newMessage, sendMessage } from './conversations/send-message.ts';
import { testConnection } from './gateway/connection-test.ts';
import { fetchRemoteImage } from './media/fetch-remote-image.ts';
import { describeOperations } from './operations/operations.ts';
import type { Services } from './services.ts';

export function createRouter(services: Services) {
  const { changes, connections, conversations, engine, ledger, media, models, settings, tools } =
    services;

  /** Expected failures travel typed; anything else stays a defect without detail for the page. */
  const app = implement(contract).use(async ({ next, path }) => {
    try {
      return await next();
    } catch (cause) {
      if (cause instanceof AppFailure) {
        throw new ORPCError('APP_ERROR', {
          defined: true,
          message: cause.error.message,
          data: cause.error,
        });
      }
      if (!(cause instanceof ORPCError)) services.log(`${path.join('.')}: ${String(cause)}`);
      throw cause;
    }
  });

  return app.router({
    system: {
      info: app.system.info.handler(() => services.info()),
      describe: app.system.describe.handler(() => describeOperations()),
      changes: app.system.changes.handler(({ signal }) => changes.subscribe(signal)),
      openExternal: app.system.openExternal.handler(({ input }) =>
        services.openExternal(input.url),
      ),
    },
    settings: {
      get: app.settings.get.handler(() => settings.get()),
      update: app.settings.update.handler(({ input }) => {
        const updated = settings.update(input);
        changes.announce('settings');
        return updated;
      }),
    },
    connections: {
      list: app.connections.list.handler(() => connections.list()),
      create: app.connections.create.handler(({ input }) =>
        announced('connections', connections.create(input)),
      ),
      update: app.connections.update.handler(async ({ input: { id, ...input } }) => {
        models.forget(id);
        return announced('connections', await connections.update(id, input));
      }),
      remove: app.connections.remove.handler(async ({ input }) => {
        await connections.remove(input.id);
        models.forget(input.id);
        if (settings.get().selectedConnectionId === input.id) {
          settings.update({ selectedConnectionId: null });
          changes.announce('settings');
        }
        changes.announce('connections');
      }),
      setKey: app.connections.setKey.handler(async ({ input }) => {
        models.forget(input.id);
        return announced(
          'connections',
          await connections.setKey(input.id, input.key, input.keeping),
        );
      }),
      removeKey: app.connections.removeKey.handler(async ({ input }) => {
        models.forget(input.id);
        return announced('connections', await connections.removeKey(input.id));
      }),
      test: app.connections.test.handler(async ({ input }) => {
        const { baseUrl, key } = await connections.resolve(input.id);
        return testConnection({ baseUrl, key, network: services.network });
      }),
    },
    models: {
      suggest: app.models.suggest.handler(({ input }) =>
        models.suggest(input.connectionId, input.operation),
      ),
    },
    runs: {
      start: app.runs.start.handler(async ({ input }) => ({ runId: await engine.start(input) })),
      cancel: app.runs.cancel.handler(({ input }) => engine.cancel(input.id)),
      resume: app.runs.resume.handler(({ input }) => engine.resume(input.id)),
      watch: app.runs.watch.handler(({ input, signal }) =>
        engine.watch(input.id, input.after, signal),
      ),
      list: app.runs.list.handler(({ input }) => ledger.list(input)),
      get: app.runs.get.handler(async ({ input }) => {
        const view = await engine.view(input.id);
        const stored = ledger.run(input.id);
        if (!stored) throw new AppFailure(gone);
        const { request, extraBody, baseUrl } = stored;
        return { view, request, extraBody, baseUrl };
      }),
      events: app.runs.events.handler(({ input: { id, ...page } }) => ledger.events(id, page)),
      remove: app.runs.remove.handler(async ({ input }) => {
        await engine.abandon(input.id);
        ledger.remove(input.id);
        changes.announce('runs', input.id);
      }),
      models: app.runs.models.handler(() => ledger.models()),
    },
    media: {
      get: app.media.get.handler(({ input }) => media.get(input.id)),
      list: app.media.list.handler(({ input }) => media.list(input)),
      remove: app.media.remove.handler(({ input }) => media.remove(input.id)),
      fetchRemote: app.media.fetchRemote.handler(({ input }) =>
        fetchRemoteImage(input.url, {
          network: services.network,
          media,
          signal: AbortSignal.timeout(60_000),
        }),
      ),
    },
    tools: {
      list: app.tools.list.handler(() => tools.list()),
      save: app.tools.save.handler(({ input }) => {
        const saved = tools.save(input.id, input.tool);
        changes.announce('tools');
        return saved;
      }),
      remove: app.tools.remove.handler(({ input }) => {
        tools.remove(input.id);
        changes.announce('tools');
      }),
    },
    conversations: {
      list: app.conversations.list.handler(({ input }) => conversations.list(input)),
      get: app.conversations.get.handler(({ input }) => conversations.get(input.id)),
      create: app.conversations.create.handler(() =>
        announced('conversations', conversations.create()),
      ),
      update: app.conversations.update.handler(({ input: { id, ...fields } }) =>
        announced('conversations', conversations.update(id, fields)),
      ),
      remove: app.conversations.remove.handler(({ input }) => {
        for (const runId of conversations.remove(input.id)) engine.cancel(runId);
        changes.announce('conversations', input.id);
      }),
      send: app.conversations.send.handler(async ({ input }) => {
        const result = await sendMessage(conversations, engine, input);
        changes.announce('conversations', input.conversationId);
        return result;
      }),
      addMessage: app.conversations.addMessage.handler(({ input }) => {
        const message = newMessage(input.parentId, input.message);
        const { conversationId } = input;
        conversations.insert({ conversationId, messages: [message], activeLeafId: message.id });
        changes.announce('conversations', conversationId);
        return conversations.message(message.id);
      }),
      removeMessage: app.conversations.removeMessage.handler(({ input }) => {
        const { conversationId, messageId } = input;
        for (const runId of conversations.removeMessage(conversationId, messageId)) {
          engine.cancel(runId);
        }
        changes.announce('conversations', conversationId);
      }),
    },
  });

  function announced<Value extends { id: string }>(
    topic: 'connections' | 'conversations',
    value: Value,
  ): Value {
    changes.announce(topic, value.id);
    return value;
  }
}
export type AppRouter = ReturnType<typeof createRouter>;

const gone = appError(
  'not-found',
  'This run is no longer in the history.',
  'Close it and pick another run.',
  {},
);
