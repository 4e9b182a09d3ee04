/** Creates and connects the services that both hosts share. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Notice, SystemInfo } from '../shared/contract/system.ts';
import { getCost } from '../shared/cost.ts';
import {
  getConversationFormId,
  getFieldMessage,
  joinFieldName,
  toolsFormId,
} from '../shared/form-fields.ts';
import type { OperationName } from '../shared/operations/operation-name.ts';
import type { OtherPrices } from '../shared/prices.ts';
import type { RunSummary } from '../shared/run.ts';
import { getResponse } from '../shared/run-view.ts';
import { DEFAULT_REQUESTS_AT_ONCE, defaultTimeouts } from '../shared/settings.ts';
import { type Backups, createBackups } from './backup/backups.ts';
import { forgetRestoredRuns, hasRestoredRuns } from './backup/clean-ledger.ts';
import { finishRestore } from './backup/restore-folders.ts';
import { type ChangeEmitter, createChanges } from './base/changes.ts';
import { systemTimer } from './base/timer.ts';
import { createDefectReport } from './base/uncaught-errors.ts';
import { createCheckStore } from './checks/check-store.ts';
import { type Checks, createChecks } from './checks/checks.ts';
import { type Clearing, createClearing } from './clearing/clearing.ts';
import { createRetention, type Retention } from './clearing/retention.ts';
import { createComparisonStore } from './comparisons/comparison-store.ts';
import { type Comparisons, createComparisons } from './comparisons/comparisons.ts';
import { getConnectionId } from './connections/connection-secrets.ts';
import { type Connections, createConnections } from './connections/connections.ts';
import { createKeyVault, type KeyCipher } from './connections/key-vault.ts';
import { type Conversations, createConversations } from './conversations/conversations.ts';
import { createConversationFiles } from './conversations/files/conversation-files.ts';
import { createConversationStore } from './conversations/store/conversation-store.ts';
import { startDemo } from './demo/server.ts';
import { createNetwork, type Network } from './gateway/network.ts';
import { createMcpServers, type McpServers } from './mcp/mcp-servers.ts';
import { createMedia, type MediaService } from './media/media.ts';
import { createModelSuggester, type ModelSuggester } from './models/models.ts';
import { createDocumentThread } from './operations/document-thread.ts';
import { createListPrices } from './prices/list-prices.ts';
import { createOtherPrices, listOtherPrices, repriceListedModels } from './prices/other-prices.ts';
import { createPrices, type Prices } from './prices/prices.ts';
import { createRepricing } from './prices/repricing.ts';
import { createEngine, type Engine } from './runs/engine.ts';
import { defaultPolling, type Polling } from './runs/poll-schedule.ts';
import { createSpending, type Spending } from './runs/spending.ts';
import { readStoredView } from './runs/stored-view.ts';
import { openStorage } from './storage/database.ts';
import { createDeletions, type Deletions } from './storage/deletions.ts';
import { createForms, type Forms } from './storage/forms.ts';
import { createLedger, type Ledger } from './storage/ledger.ts';
import { createModelLists } from './storage/model-lists.ts';
import { createModelUses } from './storage/model-uses.ts';
import { createRunIndex } from './storage/run-index.ts';
import { createSavedItemStores, type SavedItemStores } from './storage/saved-items.ts';
import { createSettingsStore, type SettingsStore } from './storage/settings-store.ts';
import { createSystem, type System } from './system.ts';
import { createToolAnswers, type ToolAnswers } from './tools/tool-answers.ts';
import { createUpdates, type Updater, type Updates } from './updates.ts';

export interface ServicesOptions {
  host: SystemInfo['host'];
  home: string;
  version: string;
  environment: NodeJS.ProcessEnv;
  cipher: KeyCipher | null;
  /** Returns the system proxy in PAC format; if null, only environment variables apply. */
  systemProxy: ((url: string) => Promise<string>) | null;
  openExternal: ((url: string) => Promise<void>) | null;
  updater?: Updater | string;
  /** Reads the variables with which MCP servers find programs, if the app's own don't do. */
  readLoginEnvironment?: () => Promise<Record<string, string>>;
  /** Counts the files that the host is saving; they are lost when it quits. */
  downloadCount?: () => number;
  onRun?: (run: RunSummary) => void;
  log: (line: string) => void;
  notices?: readonly Notice[];
  polling?: Polling;
  /** Runs storage and search on the main thread, so that tests start faster. */
  inline?: boolean;
}

/** “Delete everything” spares runs of an earlier process that aren't recovered after this time. */
const RECOVERY_LIMIT_MS = 10_000;

/** Hosts flush, then exit after this time so that a hung service doesn't keep the folder locked. */
export const CLOSE_LIMIT_MS = 5_000;

export interface Services {
  backups: Backups;
  changes: ChangeEmitter;
  checks: Checks;
  clearing: Clearing;
  comparisons: Comparisons;
  connections: Connections;
  conversations: Conversations;
  deletions: Deletions;
  engine: Engine;
  forms: Forms;
  ledger: Ledger;
  mcp: McpServers;
  media: MediaService;
  models: ModelSuggester;
  network: Network;
  /** Lists the prices that the user didn't set, whose model names contain the search. */
  otherPrices(search: string): OtherPrices;
  prices: Prices;
  retention: Retention;
  saved: SavedItemStores;
  settings: SettingsStore;
  spending: Spending;
  system: System;
  toolAnswers: ToolAnswers;
  updates: Updates;
  /** Logs the line after removing every key that the services have used. */
  log(line: string): void;
  reportDefect(cause: unknown): void;
  /** Resolves when the runs of an earlier process have ended or continue. */
  recovered: Promise<void>;
  activeRunCount(): number;
  /** Counts active runs, waiting requests and turns whose tools are running. */
  countUnfinished(): number;
  /** Call this after sleep, so that dead connections fail and tasks are polled immediately. */
  wake(): void;
  /** Ends all work and writes what is pending; a second call returns the same promise. */
  close(): Promise<void>;
}

/** Throws a `UserFacingError` if the folder is in use or was written by a newer version. */
export async function createServices(options: ServicesOptions): Promise<Services> {
  const { environment, home } = options;
  const now = () => Date.now();
  const storage = openStorage({
    home,
    now,
    host: options.host,
    inline: options.inline ?? false,
    prepare: finishRestore,
  });
  const changes = createChanges();

  const ledger = createLedger(storage);
  ledger.onProblem = (error) => {
    const { message, nextStep } = error;
    storage.warn({ id: 'ledger-problem', level: 'danger', message, nextStep });
    options.log(`${message} ${nextStep}`);
  };
  const runIndex = createRunIndex(storage.db, storage.search);
  const onNotice = () => changes.announce('notices');
  storage.onNotice(onNotice);
  for (const notice of options.notices ?? []) storage.warn(notice);
  const deletions = createDeletions({
    db: storage.db,
    now,
    reportDefect: (cause) => reportDefect(cause),
  });
  const settings = createSettingsStore(storage.db, changes);
  const forms = createForms({ db: storage.db, now, changes });
  const saved = createSavedItemStores({
    db: storage.db,
    changes,
    deletions,
    onPurged: (id) => forms.drop(toolsFormId, (name) => name === joinFieldName('edits', id)),
  });
  const modelLists = createModelLists(storage.db, now);
  const listPrices = createListPrices(now);
  if (settings.get().usesListPrices) await listPrices.load();
  const prices = createPrices({
    db: storage.db,
    changes,
    deletions,
    connections: () => connections.list(),
    getOther: createOtherPrices({
      lists: modelLists,
      listPrices,
      usesListPrices: () => settings.get().usesListPrices,
    }),
    onChange: () => repricing.start(),
  });
  const repricing = createRepricing({
    db: storage.db,
    prices,
    onDone(conversationIds) {
      changes.announce('runs');
      for (const id of conversationIds) changes.announce('conversations', id);
    },
    reportDefect: (cause) => reportDefect(cause),
    timer: systemTimer,
  });
  const vault = await createKeyVault({
    home,
    cipher: options.cipher,
    warn: storage.warn,
    onKeyringChange: onNotice,
    onKeptLate: (id) => changes.announce('connections', getConnectionId(id)),
  });
  const system = createSystem({
    ...options,
    vault,
    storage,
    onNotice,
    getWaitingRestore: () => backups.waiting(),
  });
  const demo = await startDemo(environment, options.log);
  const network = createNetwork({ environment, systemProxy: options.systemProxy });
  const media = createMedia({
    db: storage.db,
    deletions,
    network,
    folder: storage.inMemory
      ? mkdtempSync(join(tmpdir(), 'gatehouse-media-'))
      : join(home, 'media'),
    temporary: storage.inMemory,
    now,
    onChange: (id) => changes.announce('media', id),
    onRunChange: (runId) => engine.announce(runId),
  });
  const mcp = createMcpServers({
    db: storage.db,
    changes,
    deletions,
    vault,
    media,
    network,
    checkValue: (...input) => toolAnswers.checkValue(...input),
    now,
    version: options.version,
    readLoginEnvironment: options.readLoginEnvironment ?? (async () => ({})),
    log: (line) => log(line),
  });
  const getTimeouts = (operation: OperationName) =>
    settings.get().timeouts[operation] ?? defaultTimeouts[operation];
  const models = createModelSuggester({
    resolve: (connectionId) => connections.resolve(connectionId),
    uses: createModelUses(storage.db, now),
    lists: modelLists,
    prices,
    network,
    changes,
    getTimeouts,
    clock: () => performance.now(),
  });
  const connections = createConnections({
    db: storage.db,
    vault,
    environment,
    demo,
    network,
    settings,
    getTimeouts,
    models,
    prices,
    changes,
    now,
  });
  const getSeconds = (mediaId: string) => media.get(mediaId)?.durationSeconds ?? null;
  const spending = createSpending({
    db: storage.db,
    prices,
    getCap: (connectionId) => settings.get().dailyCaps[connectionId] ?? null,
    getName: (id) => connections.list().find((connection) => connection.id === id)?.name ?? id,
    getSeconds,
    now,
  });

  const documents = options.inline === true ? null : createDocumentThread();
  const engine = createEngine({
    ledger,
    reportDefect: (cause) => reportDefect(cause),
    deletions,
    changes,
    spending,
    media,
    network,
    documents,
    resolve: (connectionId) => connections.resolve(connectionId),
    getTimeouts,
    onChange(run) {
      options.onRun?.(run);
      // A load that reaches a limit stops before its next request is sent.
      checks.follow(run);
      comparisons.follow(run);
      // A comparison must not change the usual model, because variants inherit it.
      if (run.status === 'queued' && run.comparisonId === null) models.remember(run);
    },
    onEnd(run) {
      models.settle(run);
      conversations.settle(run);
      void runIndex.add(run.id, getResponse(run));
    },
    estimateCost({ connectionId, model }, quantities) {
      return getCost(prices.getRates(connectionId, model), quantities);
    },
    now,
    clock: () => performance.now(),
    polling: options.polling ?? defaultPolling,
  });
  const conversationStore = createConversationStore({
    db: storage.db,
    search: storage.search,
    now,
    deletions,
    onLateAnswers: (id, messageIds) => changes.announce('conversations', id, messageIds),
    onUndone: (id) => {
      changes.announce('conversations', id);
      changes.announce('comparisons');
    },
    onPurged: (id) => forms.remove(getConversationFormId(id)),
    onMessagesPurged: (id, messageIds) =>
      forms.drop(getConversationFormId(id), (name) => messageIds.has(getFieldMessage(name) ?? '')),
  });
  const listConnections = () => connections.list();
  const toolAnswers = createToolAnswers(mcp);
  const conversations: Conversations = createConversations({
    store: conversationStore,
    engine,
    comparisons: () => comparisons,
    changes,
    forms,
    now,
    reportDefect: (cause) => reportDefect(cause),
    describeTarget: ({ connectionId, model }) => ({
      baseUrl: listConnections().find(({ id }) => id === connectionId)?.baseUrl ?? '',
      ownedBy: modelLists.get(connectionId)?.byId.get(model)?.ownedBy ?? null,
    }),
    listTools: () => saved.tools.list(),
    answers: toolAnswers,
    files: createConversationFiles({
      db: storage.db,
      store: conversationStore,
      deletions,
      media,
      forms,
      tools: saved.tools,
      listTools: () => saved.tools.list(),
      listConnections,
      changes,
      now,
    }),
  });
  const comparisons: Comparisons = createComparisons({
    store: createComparisonStore(storage.db, now),
    engine,
    ledger,
    conversations: () => conversations,
    changes,
    deletions,
    spending,
    onUnsent({ checkId }) {
      if (checkId !== undefined) checks.review(checkId);
    },
    atOnce: (connectionId) =>
      settings.get().requestsAtOnce[connectionId] ?? DEFAULT_REQUESTS_AT_ONCE,
    redact: (text) => connections.redact(text),
    now,
    clock: () => performance.now(),
    timer: systemTimer,
  });
  const checks: Checks = createChecks({
    store: createCheckStore(storage.db),
    comparisons,
    engine,
    ledger,
    deletions,
    changes,
    spending,
    media,
    redact: (text) => connections.redact(text),
    getSeconds,
    listConnections,
    reportDefect: (cause) => reportDefect(cause),
    now,
    timer: systemTimer,
  });
  let { usesListPrices } = settings.get();
  changes.listen(({ topic }) => {
    if (topic !== 'settings') return;
    comparisons.review();
    const changed = settings.get().usesListPrices;
    if (changed === usesListPrices) return;
    usesListPrices = changed;
    repriceListedModels(prices, listPrices).then(
      () => changes.announce('prices'),
      (cause: unknown) => reportDefect(cause),
    );
  });
  const log = (line: string) => options.log(connections.redact(line));
  const countUnfinished = () =>
    engine.activeCount() + comparisons.waitingCount() + conversations.workingCount();
  const updates = createUpdates({
    version: options.version,
    updater: options.updater ?? 'Only the installed desktop app can update itself.',
    settings,
    changes,
    countUnfinished,
    recordingCount: () => media.recordingCount(),
    downloadCount: options.downloadCount ?? (() => 0),
    timer: systemTimer,
    now,
    log,
  });
  const backups = createBackups({
    db: storage.db,
    home,
    inMemory: storage.inMemory,
    version: options.version,
    media,
    now,
    async cutSecrets() {
      await recovered;
      await engine.cutSecrets();
      await ledger.retryCuts();
    },
    flush: () => ledger.flush(),
    holdPacking: () => ledger.holdPacking(),
    countUnfinished,
    settlesDownloads: options.host === 'desktop',
    onWaiting: onNotice,
  });
  const clearing = createClearing({
    db: storage.db,
    deletions,
    comparisons,
    changes,
    countUnfinished,
    // If the disk is full, recovery waits for the space that deleting frees.
    waitUntilRecovered: () =>
      Promise.race([recovered, pause(RECOVERY_LIMIT_MS, undefined, { ref: false })]),
    flush: () => ledger.flush(),
    removeSetAside: () => storage.journals?.removeSetAside(),
  });
  const reportDefect = createDefectReport({ ...connections, log, warn: storage.warn });
  const retention = createRetention({
    db: storage.db,
    settings,
    deletions,
    changes,
    reportDefect,
    now,
    timer: systemTimer,
  });
  deletions.purgeOld();
  await media.recover();
  repricing.start();
  const isRestored = hasRestoredRuns(storage.db);
  const recovered = engine.recover({ isRestored });
  void recovered.then(() => {
    if (isRestored && closing === null) forgetRestoredRuns(storage.db);
  });
  void recovered.then(() => checks.recover()).catch((cause: unknown) => reportDefect(cause));
  void recovered.then(() =>
    runIndex.catchUp(async (id) => {
      const run = ledger.runOrHidden(id);
      if (run === null) return null;
      const view = await readStoredView(ledger, run);
      return getResponse(view);
    }),
  );

  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    updates.close();
    models.close();
    comparisons.close();
    checks.close();
    conversations.close();
    await retention.close();
    await engine.close();
    deletions.close();
    runIndex.close();
    repricing.close();
    if (!ledger.close()) options.log('Some results couldn’t be saved.');
    // Catch errors, so that a failed service doesn't keep the folder locked.
    await Promise.allSettled([mcp.close(), toolAnswers.close()]);
    await Promise.allSettled([media.close(), demo.close(), network.close(), documents?.close()]);
    await storage.close();
  }

  return {
    backups,
    changes,
    checks,
    clearing,
    comparisons,
    connections,
    conversations,
    deletions,
    engine,
    forms,
    ledger,
    mcp,
    media,
    models,
    network,
    otherPrices: (search: string) =>
      listOtherPrices({ connections: connections.list(), lists: modelLists, prices }, search),
    prices,
    retention,
    saved,
    settings,
    spending,
    system,
    toolAnswers,
    updates,
    log,
    reportDefect,
    recovered,
    activeRunCount: () => engine.activeCount(),
    countUnfinished,
    wake(): void {
      network.wake();
      engine.wake();
    },

    close(): Promise<void> {
      closing ??= close();
      return closing;
    },
  };
}
