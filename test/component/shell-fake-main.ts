import { ORPCError } from '@orpc/client';
import type { z } from 'zod';
import { createChanges } from '../../electron/base/changes.ts';
import type { CertificateFacts } from '../../shared/certificate.ts';
import type {
  Connection,
  ConnectionActivity,
  ConnectionTest,
  connectionDraftSchema,
  connectionInputSchema,
  KeyKeeping,
  KeyTest,
} from '../../shared/connection.ts';
import { type ConnectionFile, connectionFileSchema } from '../../shared/connection-file.ts';
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import type { BackupStep, CheckStep } from '../../shared/contract/backups.ts';
import type { SendInput } from '../../shared/contract/conversations.ts';
import type { ClearedKind } from '../../shared/contract/data.ts';
import type { ModelSuggestions } from '../../shared/contract/models.ts';
import type { ActiveCounts, RunUpdate, StartInput } from '../../shared/contract/runs.ts';
import type { DiskUse, Notice, SystemInfo } from '../../shared/contract/system.ts';
import type { UpdateState } from '../../shared/contract/updates.ts';
import type { Conversation } from '../../shared/conversation.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { type McpServer, type McpServerInput, noOffers, type TriedTool } from '../../shared/mcp.ts';
import type { McpActivity, McpAnswer } from '../../shared/mcp-activity.ts';
import type { McpMessage, McpMessageBody, McpMessageFilter } from '../../shared/mcp-messages.ts';
import type { LibraryItem, Media } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import {
  type ExportedPrice,
  type OtherPrices,
  type Price,
  priceInputSchema,
} from '../../shared/prices.ts';
import { isFinished } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { ParameterPreset, SavedTool } from '../../shared/saved-items.ts';
import { defaultSettings, type KeepRunsDays, type Settings } from '../../shared/settings.ts';
import { runView } from '../fixtures/run-view.ts';
import { fakeForms } from './fake-forms.ts';
import { noMetrics } from './history-metrics.ts';
import { answerCalls } from './page-api.ts';
import type { Fields, StandIn } from './stand-in.ts';

export const demo: Connection = {
  id: 'demo',
  kind: 'demo',
  name: 'Demo',
  baseUrl: 'http://127.0.0.1:4100',
  key: null,
  options: defaultConnectionOptions,
  lost: { key: false, values: false },
  createdAt: 0,
};

export const goodTest: ConnectionTest = {
  ok: true,
  summary: 'Connected. The gateway lists 3 models.',
  url: 'http://127.0.0.1:4100/v1/models',
  status: 200,
  modelCount: 3,
  models: ['a', 'b', 'c'],
  durationMs: 12,
  error: null,
  certificate: null,
  keyModel: null,
};

type ConnectionInput = z.input<typeof connectionInputSchema>;
type ConnectionDraft = z.input<typeof connectionDraftSchema>;

const changes = createChanges();

/** Changes all MCP servers, and returns the first one. */
export function changeMcp(changed: Partial<McpServer>): McpServer {
  main.mcpServers = main.mcpServers.map((server) => ({ ...server, ...changed }));
  changes.announce('mcp');
  const [first] = main.mcpServers;
  if (first === undefined) throw new ORPCError('NOT_FOUND');
  return first;
}

/** Changes what MCP servers do and ask. */
export function changeMcpActivity(changed: Partial<McpActivity>): void {
  main.mcpActivity = { ...main.mcpActivity, ...changed };
  changes.announce('mcp-activity');
}

function emptyMain() {
  return {
    connections: [demo],
    activity: {} as Record<string, ConnectionActivity>,
    settings: defaultSettings,
    notices: [] as Notice[],
    presets: [] as ParameterPreset[],
    prices: [] as Price[],
    otherPrices: { prices: [], total: 0, listDate: '2026-09-23' } as OtherPrices,
    metrics: noMetrics,
    today: [] as { connectionId: string; dollars: number }[],
    keys: [] as { id: string; key: string; keeping: KeyKeeping }[],
    /** Makes every run fail to start, if set. */
    startError: null as AppError | null,
    /** Inputs of calls that create or update a connection. */
    saved: [] as ConnectionInput[],
    /** Inputs of connection tests, which `testDraft` answers. */
    drafts: [] as ConnectionDraft[],
    testDraft: async (_draft: ConnectionDraft) => goodTest,
    /** Models of key tests, which `testKey` answers. */
    keyTests: [] as string[],
    testKey: async (): Promise<KeyTest> => ({ ok: true, summary: 'The key works.', error: null }),
    /** The certificate that every chosen file contains. */
    certificate: null as CertificateFacts | null,
    models: { models: [], preselected: null, listProblem: null } as ModelSuggestions,
    tools: [] as SavedTool[],
    mcpServers: [] as McpServer[],
    /** Inputs of calls that save a server. */
    mcpSaved: [] as McpServerInput[],
    /** Makes every sign-in fail to start, if set. */
    mcpSignInError: null as AppError | null,
    mcpActivity: { calls: [], questions: [] } as McpActivity,
    /** Answers to questions of MCP servers. */
    mcpAnswers: [] as McpAnswer[],
    /** Calls that the user tried. */
    mcpTried: [] as JsonObject[],
    mcpResult: Promise.resolve<TriedTool>({
      content: 'done',
      isError: false,
      misfit: null,
      durationMs: 12,
    }),
    mcpMessages: [] as (McpMessage & McpMessageBody)[],
    conversations: [] as Conversation[],
    media: [] as Media[],
    /** Runs, newest first. */
    runs: [] as RunView[],
    /** The runs of checks that are in progress, which no list has. */
    checkRuns: 0,
    /** IDs of comparisons whose variant names are hidden. */
    blind: [] as string[],
    /** The request of every run. */
    recorded: {} as JsonObject,
    started: [] as StartInput[],
    sent: [] as SendInput[],
    cancelled: [] as string[],
    update: {
      state: 'unavailable',
      reason: 'Only the installed desktop app can update itself.',
    } as UpdateState,
    /** Names of update calls. */
    updateSteps: [] as string[],
    backupSteps: [] as BackupStep[],
    /** Ends a backup after the last of its steps. */
    backupEnd: Promise.resolve(),
    checkedBackup: {
      id: 'checked',
      createdAt: new Date(2026, 10, 28, 7, 45).getTime(),
      appVersion: '0.1.0',
      contents: { runs: 12, conversations: 3, mediaFiles: 4 },
      replaced: { runs: 1204, conversations: 8, mediaFiles: 10 },
    },
    restored: [] as string[],
    restoreProblem: null as AppError | null,
    stored: {
      runs: 1204,
      conversations: 8,
      mediaFiles: 10,
      mediaBytes: 12_300_000,
      savedItems: 5,
    },
    oldRuns: 0,
    cleared: [] as ClearedKind[],
    undone: [] as string[],
  };
}

/** State and recorded calls of the fake main process. */
export const main = emptyMain();

export function resetMain(): void {
  Object.assign(main, emptyMain());
}

function runOf(id: string): RunView {
  const found = main.runs.find((run) => run.id === id);
  if (found === undefined) throw new ORPCError('NOT_FOUND');
  return found;
}

function change(id: string, changed: Partial<Connection>): Connection {
  const found = main.connections.find((connection) => connection.id === id);
  if (found === undefined) throw new ORPCError('NOT_FOUND');
  const connection = { ...found, ...changed };
  main.connections = main.connections.map((other) => (other.id === id ? connection : other));
  changes.announce('connections', id);
  return connection;
}

function check({ name, baseUrl }: ConnectionInput): void {
  const issues = [
    ...(name === '' ? [{ path: ['name'], message: 'Enter a name.' }] : []),
    ...(baseUrl.startsWith('http') ? [] : [{ path: ['baseUrl'], message: 'Enter a URL.' }]),
  ];
  if (issues.length > 0) throw new ORPCError('BAD_REQUEST', { data: { issues } });
}

interface ListQuery {
  operation: OperationName | null;
  search?: string | undefined;
}

export const api = {
  forms: fakeForms,
  system: {
    info: async (): Promise<SystemInfo> => ({
      host: 'browser',
      version: '0.1.0',
      platform: 'linux',
      dataFolder: '/home/someone/.local/share/gatehouse',
      keyKeeping: ['session', 'file'],
      keyringReason: 'There is no keyring here.',
      notices: main.notices,
    }),
    diskUse: async (): Promise<DiskUse[]> => [
      { kind: 'database', bytes: 2_000_000, items: null },
      { kind: 'image', bytes: 1_500_000, items: 4 },
    ],
    changes: async (_input: unknown, options: { signal?: AbortSignal | undefined } = {}) =>
      changes.subscribe(options.signal),
  },
  backups: {
    create: async (_input: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      (async function* (): AsyncGenerator<BackupStep> {
        yield* main.backupSteps;
        const aborted = new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        );
        await Promise.race([main.backupEnd, aborted]);
      })(),
    check: async (_input: { uploadId: string }) =>
      (async function* (): AsyncGenerator<CheckStep> {
        yield { stage: 'checking', doneBytes: 1, totalBytes: 2 };
        yield { stage: 'checked', backup: main.checkedBackup };
      })(),
    restore: async ({ id }: { id: string }) => {
      const error = main.restoreProblem;
      if (error !== null) throw new ORPCError('APP_ERROR', { data: error });
      main.restored.push(id);
      changes.announce('notices');
    },
    discard: async () => {
      main.restored = [];
      changes.announce('notices');
    },
    waiting: async () =>
      main.restored.length === 0 ? null : { createdAt: main.checkedBackup.createdAt },
  },
  data: {
    stored: async () => main.stored,
    oldRuns: async (_input: { days: KeepRunsDays }) => ({ count: main.oldRuns }),
    clear: async ({ kind }: { kind: ClearedKind }) => {
      const error = main.restoreProblem;
      if (error !== null) throw new ORPCError('APP_ERROR', { data: error });
      main.cleared.push(kind);
      main.stored = { ...main.stored, runs: 0 };
      return { deletionId: `deletion of ${kind}` };
    },
  },
  deletions: {
    undo: async ({ ids }: { ids: string[] }) => {
      main.undone.push(...ids);
      main.stored = emptyMain().stored;
      return { renamed: [], notes: [] };
    },
  },
  settings: {
    get: async () => main.settings,
    update: async (input: Fields<Settings>) => {
      main.settings = Object.assign({ ...main.settings }, input);
      changes.announce('settings');
      return main.settings;
    },
  },
  updates: {
    status: async () => ({ currentVersion: '0.1.0', update: main.update }),
    check: async () => void main.updateSteps.push('check'),
    download: async () => void main.updateSteps.push('download'),
    install: async () => void main.updateSteps.push('install'),
  },
  comparisons: { blind: async () => main.blind },
  runs: {
    list: async ({ operation, search }: ListQuery) => ({
      runs: main.runs.filter(
        (run) =>
          (operation === null || run.operation === operation) &&
          run.preview.toLowerCase().includes((search ?? '').toLowerCase()),
      ),
      comparisons: [],
      more: false,
    }),
    metrics: async () => main.metrics,
    chain: async () => ({ source: null, next: [] }),
    models: async () => [],
    activeCounts: async () => {
      const counts: ActiveCounts = main.checkRuns === 0 ? {} : { check: main.checkRuns };
      for (const { operation, status } of main.runs) {
        if (!isFinished(status)) counts[operation] = (counts[operation] ?? 0) + 1;
      }
      return counts;
    },
    start: async (input: StartInput) => {
      main.started.push(input);
      if (main.startError !== null) throw new ORPCError('APP_ERROR', { data: main.startError });
      const { operation } = input;
      const id = `started-${main.started.length}`;
      main.runs = [runView(operation, { id, status: 'running' }), ...main.runs];
      changes.announce('runs', id);
      return { runId: id };
    },
    get: async ({ id }: { id: string }) => ({
      view: runOf(id),
      request: main.recorded,
      extraBody: {},
      wireNames: {},
      follow: null,
      baseUrl: demo.baseUrl,
    }),
    /** Yields the current state only once. */
    watch: async ({ id }: { id: string }, { signal }: { signal?: AbortSignal | undefined } = {}) =>
      (async function* (): AsyncGenerator<RunUpdate> {
        const view = runOf(id);
        yield { type: 'snapshot', seq: view.seq, view, quietMs: 0 };
        if (isFinished(view.status)) return;
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      })(),
    events: async () => ({ events: [], more: false }),
    exchanges: async () => ({ exchanges: [], next: null }),
    cancel: async ({ id }: { id: string }) => void main.cancelled.push(id),
  },
  conversations: {
    list: async ({ search }: { search: string }) =>
      main.conversations.filter(({ title }) => title.toLowerCase().includes(search.toLowerCase())),
    get: async ({ id }: { id: string }) => {
      const found = main.conversations.find((conversation) => conversation.id === id);
      if (found === undefined) throw new ORPCError('NOT_FOUND');
      return found;
    },
    nextRequest: async () => ({ method: 'POST', url: '', headers: [], body: '{}' }),
    send: async (input: SendInput) => {
      main.sent.push(input);
      throw new ORPCError('NOT_FOUND');
    },
  },
  mcp: {
    list: async () => main.mcpServers,
    save: async (input: McpServerInput) => {
      main.mcpSaved.push(input);
      const { transport } = input;
      const server: McpServer = {
        id: 'mcp',
        name: input.name,
        enabled: input.enabled,
        status: 'stopped',
        error: null,
        transport:
          transport.type === 'stdio'
            ? { ...transport, env: transport.env.map(({ name }) => name) }
            : { ...transport, headers: transport.headers.map(({ name }) => name) },
        offers: noOffers,
        protection: 'session',
        missing: [],
        signedIn: false,
        approvals: {},
      };
      main.mcpServers = [server];
      changes.announce('mcp', server.id);
      return server;
    },
    connect: async () => {
      const name = main.mcpServers[0]?.name ?? '';
      const message = `${name} stopped with exit code 1.`;
      return changeMcp({
        status: 'failed',
        error: appError('unreachable', message, 'See the log.'),
      });
    },
    signIn: async () => {
      if (main.mcpSignInError !== null) {
        throw new ORPCError('APP_ERROR', { data: main.mcpSignInError });
      }
      changeMcp({ status: 'signing-in' });
      return { url: 'https://mcp.example/authorize' };
    },
    signOut: async () => changeMcp({ status: 'stopped', signedIn: false }),
    log: async () => [{ at: 0, from: 'stderr' as const, text: 'no such database' }],
    activity: async () => main.mcpActivity,
    answer: async (given: McpAnswer) => {
      main.mcpAnswers.push(given);
      const left = main.mcpActivity.questions.filter(({ id }) => id !== given.questionId);
      changeMcpActivity({ questions: left });
    },
    try: async ({ name, args }: { name: string; args: JsonObject }) => {
      main.mcpTried.push({ name, args });
      return main.mcpResult;
    },
    messages: async ({ search, callId, after }: McpMessageFilter & { after: number }) => ({
      messages: main.mcpMessages
        .filter((message) => callId === null || message.callId === callId)
        .filter(({ body }) => body.includes(search))
        .slice(after),
      revision: main.mcpMessages.length,
      more: false,
      firstNumber: main.mcpMessages[0]?.number ?? 1,
    }),
    readMessage: async ({ number }: { number: number }) => {
      const found = main.mcpMessages.find((message) => message.number === number);
      if (found === undefined) throw new ORPCError('NOT_FOUND');
      return found;
    },
    exportMessages: async () =>
      (async function* () {
        for (const { method } of main.mcpMessages) yield `${JSON.stringify({ method })}\n`;
      })(),
  },
  saved: {
    tools: { list: async () => main.tools },
    presets: { list: async () => main.presets },
    requests: { list: async () => [] },
    filters: { list: async () => [] },
  },
  prices: {
    list: async () => main.prices,
    others: async (_input: { search: string }) => main.otherPrices,
    save: async ({ id, ...given }: z.input<typeof priceInputSchema> & { id: string | null }) => {
      const input = priceInputSchema.parse(given);
      const isSame = (price: Price) =>
        id === null
          ? price.connectionId === input.connectionId && price.model === input.model
          : price.id === id;
      const price = { ...input, id: main.prices.find(isSame)?.id ?? `price ${input.model}` };
      main.prices = [...main.prices.filter((other) => !isSame(other)), price];
      changes.announce('prices');
      return price;
    },
    remove: async ({ id }: { id: string }) => {
      main.prices = main.prices.filter((price) => price.id !== id);
      changes.announce('prices');
      return { deletionId: `deletion of ${id}` };
    },
    today: async () => main.today,
    import: async (_input: { text: string }) => ({ count: 0 }),
    export: async (): Promise<{ prices: ExportedPrice[] }> => ({ prices: [] }),
  },
  checks: { hints: async () => [], list: async () => [] },
  models: {
    suggest: async () => main.models,
    facts: async () => ({ facts: null, price: null }),
    voices: async () => [],
  },
  media: {
    remove: async (_input: { id: string }) => ({ deletionId: null }),
    get: async ({ id }: { id: string }) => main.media.find((medium) => medium.id === id) ?? null,
    list: async (): Promise<{ media: LibraryItem[]; more: boolean }> => ({
      media: [],
      more: false,
    }),
  },
  connections: {
    list: async () => main.connections,
    create: async (input: ConnectionInput) => {
      const { name, baseUrl } = input;
      check(input);
      main.saved.push(input);
      const connection: Connection = { ...demo, name, baseUrl, id: 'made', kind: 'custom' };
      main.connections = [...main.connections, connection];
      changes.announce('connections', connection.id);
      return connection;
    },
    update: async ({ id, ...input }: ConnectionInput & { id: string }) => {
      main.saved.push(input);
      return change(id, { name: input.name, baseUrl: input.baseUrl });
    },
    activity: async ({ id }: { id: string }) =>
      main.activity[id] ?? { running: 0, waiting: 0, held: [] },
    remove: async ({ id }: { id: string }) => {
      main.connections = main.connections.filter((connection) => connection.id !== id);
      changes.announce('connections', id);
    },
    setKey: async (input: { id: string; key: string; keeping: KeyKeeping }) => {
      main.keys.push(input);
      const protection = input.keeping;
      const lost = { key: false, values: false };
      return change(input.id, { key: { lastFour: input.key.slice(-4), protection }, lost });
    },
    removeKey: async ({ id }: { id: string }) => change(id, { key: null }),
    test: async () => goodTest,
    testDraft: async (
      draft: ConnectionDraft,
      _options: { signal?: AbortSignal | undefined } = {},
    ) => {
      check({ name: 'Draft', baseUrl: draft.baseUrl });
      main.drafts.push(draft);
      return main.testDraft(draft);
    },
    testKey: async ({ model }: { draft: ConnectionDraft; model: string }) => {
      main.keyTests.push(model);
      return main.testKey();
    },
    readCertificate: async () => (main.certificate === null ? [] : [main.certificate]),
    export: async (): Promise<ConnectionFile> => ({
      format: 'gatehouse-connections',
      version: 1,
      connections: [],
    }),
    import: async ({ text }: { text: string }) => {
      const read = connectionFileSchema.safeParse(JSON.parse(text));
      if (!read.success) {
        const fields = read.error.issues.map(({ path, message }) => ({
          path: path.map(String),
          message,
        }));
        const error = appError('invalid-request', 'Bad.', 'Nothing was imported.', { fields });
        throw new ORPCError('APP_ERROR', { data: error });
      }
      const added = read.data.connections.map(({ name, baseUrl }): Connection => {
        return { ...demo, id: `imported ${name}`, kind: 'custom', name, baseUrl };
      });
      main.connections = [...main.connections, ...added];
      for (const { id } of added) changes.announce('connections', id);
      return added;
    },
  },
} satisfies StandIn;

answerCalls(api);
