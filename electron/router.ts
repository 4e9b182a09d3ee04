/** Implements the RPC contract; each procedure calls a service, which announces its own changes. */
import { mapEventIterator } from '@orpc/client';
import { implement, ORPCError } from '@orpc/server';
import { contract } from '../shared/contract/contract.ts';
import { UserFacingError } from '../shared/errors.ts';
import type { ChangeOrigin } from './base/changes.ts';
import { formatStack } from './base/uncaught-errors.ts';
import { readCaCertificates, readClientCertificate } from './gateway/certificates.ts';
import { exportRuns } from './runs/export-runs.ts';
import { sendInParts } from './runs/live-run.ts';
import type { Services } from './services.ts';

interface RouterContext {
  /** Identifies the page; undefined for a caller in this process. */
  link?: ChangeOrigin;
}

export function createRouter(services: Services) {
  const { backups, changes, checks, comparisons, connections, conversations, deletions } = services;
  const {
    engine,
    forms,
    ledger,
    mcp,
    media,
    models,
    prices,
    saved,
    settings,
    spending,
    system,
    toolAnswers,
    updates,
  } = services;

  /** Sends expected failures to the page with their type, and other errors without details. */
  function getFailure(cause: unknown, path: readonly string[], signal?: AbortSignal): unknown {
    // The caller aborted, for example because a newer search replaced this one.
    if (signal?.aborted === true) return cause;
    if (cause instanceof UserFacingError) {
      const { error } = cause;
      return new ORPCError('APP_ERROR', { defined: true, message: error.message, data: error });
    }
    if (!(cause instanceof ORPCError)) services.log(`${path.join('.')}: ${formatStack(cause)}`);
    return cause;
  }

  const base = implement(contract).$context<RouterContext>();
  const app = base.use(async ({ next, path, signal }) => {
    try {
      const result = await next();
      if (!isStream(result.output)) return result;
      // The iterator may fail after the procedure has returned.
      const output = mapEventIterator(result.output, {
        value: async (value) => value,
        error: async (cause) => getFailure(cause, path, signal),
      });
      return { ...result, output };
    } catch (cause) {
      throw getFailure(cause, path, signal);
    }
  });

  return app.router({
    system: {
      info: app.system.info.handler(() => system.info()),
      diskUse: app.system.diskUse.handler(() => system.diskUse()),
      changes: app.system.changes.handler(({ signal, context }) =>
        changes.subscribe(signal, context.link),
      ),
      openExternal: app.system.openExternal.handler(({ input }) => system.openExternal(input.url)),
    },
    settings: {
      get: app.settings.get.handler(() => settings.get()),
      update: app.settings.update.handler(({ input }) => settings.update(input)),
    },
    connections: {
      list: app.connections.list.handler(() => connections.list()),
      create: app.connections.create.handler(({ input }) => connections.create(input)),
      update: app.connections.update.handler(({ input: { id, ...input } }) =>
        connections.update(id, input),
      ),
      activity: app.connections.activity.handler(({ input: { id } }) => ({
        running: engine.active().filter(({ connectionId }) => connectionId === id).length,
        waiting: comparisons.waiting(id),
        held: comparisons.countHeld(id),
      })),
      remove: app.connections.remove.handler(({ input }) => connections.remove(input.id)),
      setKey: app.connections.setKey.handler(({ input }) =>
        connections.setKey(input.id, input.key, input.keeping),
      ),
      removeKey: app.connections.removeKey.handler(({ input }) => connections.removeKey(input.id)),
      test: app.connections.test.handler(({ input, signal }) => connections.test(input.id, signal)),
      testDraft: app.connections.testDraft.handler(({ input, signal }) =>
        connections.testDraft(input, signal),
      ),
      testKey: app.connections.testKey.handler(({ input, signal }) =>
        connections.testKey(input.draft, input.model, signal),
      ),
      readCertificate: app.connections.readCertificate.handler(({ input }) =>
        input.use === 'ca'
          ? readCaCertificates(input.text)
          : [readClientCertificate(input.certificate)],
      ),
      export: app.connections.export.handler(() => connections.export()),
      import: app.connections.import.handler(({ input }) => connections.import(input.text)),
    },
    models: {
      suggest: app.models.suggest.handler(({ input }) =>
        models.suggest(input.connectionId, input.operation),
      ),
      facts: app.models.facts.handler(({ input }) => models.facts(input.connectionId, input.model)),
      voices: app.models.voices.handler(({ input }) => models.voices(input.connectionId)),
    },
    runs: {
      start: app.runs.start.handler(async ({ input }) => ({ runId: await engine.start(input) })),
      preview: app.runs.preview.handler(({ input }) => engine.preview(input)),
      cancel: app.runs.cancel.handler(({ input }) => engine.cancel(input.id)),
      resume: app.runs.resume.handler(({ input }) => engine.resume(input.id)),
      watch: app.runs.watch.handler(({ input, signal }) =>
        sendInParts(engine.watch(input.id, input.after, signal)),
      ),
      list: app.runs.list.handler(({ input, signal }) => {
        const search = input.search.trim();
        return search === '' && input.sort.by === 'time'
          ? ledger.list(input)
          : ledger.search({ ...input, search }, signal);
      }),
      metrics: app.runs.metrics.handler(({ input, signal }) => ledger.metrics(input, signal)),
      export: app.runs.export.handler(({ input, signal }) =>
        exportRuns({ ledger, redact: connections.redact }, input, signal),
      ),
      activeCounts: app.runs.activeCounts.handler(() => engine.activeCounts()),
      get: app.runs.get.handler(({ input }) => engine.read(input.id)),
      chain: app.runs.chain.handler(({ input }) => engine.chain(input.id)),
      exchanges: app.runs.exchanges.handler(async ({ input: { id, ...page } }) => {
        await engine.waitUntilReadable(id);
        return ledger.exchanges(id, page);
      }),
      events: app.runs.events.handler(async ({ input: { id, ...page } }) => {
        await engine.waitUntilReadable(id);
        return ledger.events(id, page);
      }),
      remove: app.runs.remove.handler(async ({ input }) => ({
        deletionId: await engine.remove(input.id),
      })),
      models: app.runs.models.handler(() => ledger.models()),
    },
    media: {
      get: app.media.get.handler(({ input }) => media.get(input.id)),
      list: app.media.list.handler(({ input }) => media.list(input)),
      remove: app.media.remove.handler(({ input }) => ({ deletionId: media.discard(input.id) })),
      rename: app.media.rename.handler(({ input }) => media.rename(input.id, input.name)),
      setShape: app.media.setShape.handler(({ input }) => media.setShape(input.id, input)),
      fetchRemote: app.media.fetchRemote.handler(({ input }) => media.fetchRemote(input.url)),
    },
    saved: {
      presets: {
        list: app.saved.presets.list.handler(() => saved.presets.list()),
        save: app.saved.presets.save.handler(({ input }) => saved.presets.save(input)),
      },
      prompts: {
        list: app.saved.prompts.list.handler(() => saved.prompts.list()),
        save: app.saved.prompts.save.handler(({ input }) => saved.prompts.save(input)),
      },
      requests: {
        list: app.saved.requests.list.handler(() => saved.requests.list()),
        save: app.saved.requests.save.handler(({ input }) => saved.requests.save(input)),
      },
      tools: {
        list: app.saved.tools.list.handler(() => saved.tools.list()),
        save: app.saved.tools.save.handler(({ input }) => saved.tools.save(input)),
      },
      toolSets: {
        list: app.saved.toolSets.list.handler(() => saved.toolSets.list()),
        save: app.saved.toolSets.save.handler(({ input }) => saved.toolSets.save(input)),
      },
      filters: {
        list: app.saved.filters.list.handler(() => saved.filters.list()),
        save: app.saved.filters.save.handler(({ input }) => saved.filters.save(input)),
      },
      remove: app.saved.remove.handler(({ input }) => ({ deletionId: saved.remove(input.id) })),
    },
    tools: {
      try: app.tools.try.handler(({ input, signal }) => toolAnswers.tryAnswer(input, signal)),
    },
    mcp: {
      list: app.mcp.list.handler(() => mcp.list()),
      save: app.mcp.save.handler(({ input }) => mcp.save(input)),
      remove: app.mcp.remove.handler(async ({ input }) => ({
        deletionId: await mcp.remove(input.id),
      })),
      connect: app.mcp.connect.handler(({ input }) => mcp.connect(input.id)),
      stop: app.mcp.stop.handler(({ input }) => mcp.stop(input.id)),
      signIn: app.mcp.signIn.handler(({ input }) => mcp.signIn(input.id)),
      signOut: app.mcp.signOut.handler(({ input }) => mcp.signOut(input.id)),
      log: app.mcp.log.handler(({ input }) => mcp.log(input.id)),
      messages: app.mcp.messages.handler(({ input: { after, ...filter } }) =>
        mcp.messages(filter, after),
      ),
      readMessage: app.mcp.readMessage.handler(({ input }) =>
        mcp.readMessage(input.id, input.number),
      ),
      exportMessages: app.mcp.exportMessages.handler(({ input }) => mcp.exportMessages(input)),
      activity: app.mcp.activity.handler(() => mcp.activity()),
      answer: app.mcp.answer.handler(({ input }) => mcp.answer(input)),
      try: app.mcp.try.handler(
        ({ input: { id, ...call }, signal = new AbortController().signal }) =>
          mcp.callTool({ serverId: id, ...call, signal }),
      ),
      setApproval: app.mcp.setApproval.handler(({ input: { serverId, name, approval } }) =>
        mcp.setApproval(serverId, name, approval),
      ),
      resetApprovals: app.mcp.resetApprovals.handler(({ input }) => mcp.resetApprovals(input.id)),
      getPrompt: app.mcp.getPrompt.handler(({ input: { id, name, args } }) =>
        mcp.getPrompt(id, name, args),
      ),
      readResource: app.mcp.readResource.handler(({ input }) =>
        mcp.readResource(input.id, input.uri),
      ),
    },
    forms: {
      get: app.forms.get.handler(({ input }) => forms.get(input)),
      change: app.forms.change.handler(({ input, context }) => forms.change(input, context.link)),
      remove: app.forms.remove.handler(({ input }) => forms.remove(input.id)),
    },
    prices: {
      list: app.prices.list.handler(() => prices.list()),
      others: app.prices.others.handler(({ input }) => services.otherPrices(input.search)),
      save: app.prices.save.handler(({ input: { id, ...input } }) => prices.save(id, input)),
      remove: app.prices.remove.handler(({ input }) => ({ deletionId: prices.remove(input.id) })),
      today: app.prices.today.handler(() => {
        const ids = connections.list().map(({ id }) => id);
        return ids.map((connectionId) => ({ connectionId, dollars: spending.today(connectionId) }));
      }),
      export: app.prices.export.handler(() => ({ prices: prices.export() })),
      import: app.prices.import.handler(({ input }) => ({ count: prices.import(input.text) })),
    },
    checks: {
      plan: app.checks.plan.handler(({ input }) => checks.plan(input)),
      start: app.checks.start.handler(async ({ input: { input, overCap } }) => ({
        id: await checks.start(input, overCap),
      })),
      list: app.checks.list.handler(() => checks.list()),
      get: app.checks.get.handler(({ input }) => checks.get(input.id)),
      watch: app.checks.watch.handler(({ input, signal }) => checks.watch(input.id, signal)),
      stop: app.checks.stop.handler(({ input }) => checks.stop(input.id)),
      resume: app.checks.resume.handler(({ input }) => checks.resume(input.id, input.overCap)),
      remove: app.checks.remove.handler(async ({ input }) => ({
        deletionId: await checks.remove(input.id, input.keepsResults),
      })),
      export: app.checks.export.handler(({ input }) => checks.export(input.id, input.format)),
      hints: app.checks.hints.handler(({ input }) =>
        checks.listHints(input.connectionId, input.model),
      ),
    },
    comparisons: {
      start: app.comparisons.start.handler(async ({ input: { overCap, notesFrom, ...plan } }) => ({
        id: await comparisons.start(plan, overCap, notesFrom),
      })),
      get: app.comparisons.get.handler(({ input }) => comparisons.get(input.id)),
      blind: app.comparisons.blind.handler(() => comparisons.blind()),
      rename: app.comparisons.rename.handler(({ input }) =>
        comparisons.rename(input.id, input.title),
      ),
      note: app.comparisons.note.handler(({ input }) => comparisons.note(input.id, input.change)),
      export: app.comparisons.export.handler(({ input }) => comparisons.export(input.id)),
      watch: app.comparisons.watch.handler(({ input, signal }) =>
        comparisons.watch(input.id, signal),
      ),
      stop: app.comparisons.stop.handler(({ input }) => comparisons.stop(input.id, input.places)),
      retry: app.comparisons.retry.handler(({ input }) =>
        comparisons.retry(input.id, input.places, input.overCap),
      ),
      resume: app.comparisons.resume.handler(({ input }) =>
        comparisons.resume(input.id, input.overCap),
      ),
      repeat: app.comparisons.repeat.handler(({ input }) =>
        comparisons.repeat(input.id, input.times, input.overCap),
      ),
      remove: app.comparisons.remove.handler(async ({ input }) => ({
        deletionId: await comparisons.remove(input.id),
      })),
    },
    conversations: {
      list: app.conversations.list.handler(({ input, signal }) =>
        conversations.list(input, signal),
      ),
      get: app.conversations.get.handler(({ input }) => conversations.get(input.id, input.since)),
      messages: app.conversations.messages.handler(({ input: { id, ...page } }) =>
        conversations.messages(id, page),
      ),
      create: app.conversations.create.handler(({ input }) => conversations.create(input)),
      update: app.conversations.update.handler(({ input: { id, ...fields } }) =>
        conversations.update(id, fields),
      ),
      place: app.conversations.place.handler(({ input: { ids, ...placement } }) =>
        conversations.place(ids, placement),
      ),
      renameFolder: app.conversations.renameFolder.handler(({ input }) =>
        conversations.renameFolder(input.folder, input.name),
      ),
      export: app.conversations.export.handler(({ input }) => conversations.export(input)),
      import: app.conversations.import.handler(({ input, signal }) =>
        conversations.import(input.uploadId, signal),
      ),
      duplicate: app.conversations.duplicate.handler(({ input }) => conversations.duplicate(input)),
      remove: app.conversations.remove.handler(({ input }) => ({
        deletionId: conversations.remove(input.id),
      })),
      send: app.conversations.send.handler(({ input }) => conversations.send(input)),
      queue: app.conversations.queue.handler(({ input }) => conversations.queue(input)),
      editQueued: app.conversations.editQueued.handler(({ input }) =>
        conversations.editQueued(input),
      ),
      sendQueued: app.conversations.sendQueued.handler(({ input }) =>
        conversations.sendQueued(input),
      ),
      continueTurn: app.conversations.continueTurn.handler(({ input }) =>
        conversations.continueTurn(input.conversationId, input.leafId, input.overCap),
      ),
      stopTurns: app.conversations.stopTurns.handler(({ input }) =>
        conversations.stopTurns(input.conversationId),
      ),
      decideCall: app.conversations.decideCall.handler(
        ({ input: { conversationId, answerId, place, decision } }) =>
          conversations.decideCall(conversationId, answerId, place, decision),
      ),
      compare: app.conversations.compare.handler(({ input }) => conversations.compare(input)),
      addMessage: app.conversations.addMessage.handler(({ input }) =>
        conversations.addMessage(input.conversationId, input.parentId, input.message),
      ),
      sentMessages: app.conversations.sentMessages.handler(({ input }) =>
        conversations.sentMessages(input),
      ),
      nextRequest: app.conversations.nextRequest.handler(({ input }) =>
        conversations.nextRequest(input),
      ),
      countTokens: app.conversations.countTokens.handler(async ({ input, signal }) => ({
        tokens: await conversations.countTokens(input, signal),
      })),
      removeMessage: app.conversations.removeMessage.handler(async ({ input }) => ({
        deletionId: await conversations.removeMessage(input.conversationId, input.messageId),
      })),
    },
    backups: {
      create: app.backups.create.handler(({ signal }) => backups.create(signal)),
      check: app.backups.check.handler(({ input, signal }) =>
        backups.check(input.uploadId, signal),
      ),
      restore: app.backups.restore.handler(({ input }) => backups.restore(input.id)),
      discard: app.backups.discard.handler(() => backups.discard()),
      waiting: app.backups.waiting.handler(() => backups.waiting()),
    },
    data: {
      stored: app.data.stored.handler(() => services.clearing.countStored()),
      oldRuns: app.data.oldRuns.handler(({ input }) => ({
        count: services.retention.count(input.days),
      })),
      clear: app.data.clear.handler(async ({ input }) => ({
        deletionId: await services.clearing.clear(input.kind),
      })),
    },
    deletions: {
      undo: app.deletions.undo.handler(async ({ input }) => {
        await deletions.prepareUndo(input.ids);
        return deletions.undo(input.ids);
      }),
    },
    updates: {
      status: app.updates.status.handler(() => updates.status()),
      check: app.updates.check.handler(() => updates.check()),
      download: app.updates.download.handler(() => updates.download()),
      install: app.updates.install.handler(() => updates.install()),
    },
  });
}

function isStream(output: unknown): output is AsyncIterator<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}

export type AppRouter = ReturnType<typeof createRouter>;
