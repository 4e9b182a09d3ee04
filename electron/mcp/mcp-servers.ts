/** Manages the user's MCP servers: stores them, connects on first use, and calls their tools. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { McpToolChoice } from '../../shared/conversation.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { isSameJson, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type {
  McpApproval,
  McpInsert,
  McpLogLine,
  McpServer,
  McpServerInput,
  McpTool,
} from '../../shared/mcp.ts';
import type { McpActivity, McpAnswer } from '../../shared/mcp-activity.ts';
import type {
  McpMessageBody,
  McpMessageFilter,
  McpMessagePage,
} from '../../shared/mcp-messages.ts';
import { getMcpToolName } from '../../shared/mcp-tool-name.ts';
import type { Content } from '../../shared/operations/chat/message.ts';
import type { ServerTool } from '../../shared/plan-calls.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { KeyVault } from '../connections/key-vault.ts';
import type { Network } from '../gateway/network.ts';
import type { MediaStore } from '../media/media-store.ts';
import { addNumberToTitle, keepNamesUnique, type SavedStorage } from '../storage/unique-names.ts';
import type { McpSession } from './mcp-session.ts';
import { createMessageLog, type MessageLog } from './message-log.ts';
import { openTransport } from './open-transport.ts';
import {
  callResultSchema,
  createUnreadableResultError,
  promptResultSchema,
  readCallResult,
  readPrompt,
  readResource,
  resourceResultSchema,
} from './read-result.ts';
import { createRunningCalls } from './running-calls.ts';
import { createServerLog, type ServerLog } from './server-log.ts';
import { createServerQuestions } from './server-questions.ts';
import { createServerSecrets } from './server-secrets.ts';
import { createServerSignIns } from './server-sign-ins.ts';
import { createServerStore, type StoredServer } from './server-store.ts';
import {
  canKeepSecrets,
  createValuesNeededError,
  getSecretNames,
  mergeValues,
  withoutValues,
} from './server-values.ts';
import type { SignInStore } from './sign-in.ts';

interface McpOptions extends SavedStorage {
  changes: Pick<ChangeEmitter, 'announce'>;
  vault: Pick<KeyVault, 'get' | 'set' | 'remove' | 'describe' | 'keeping' | 'redact'>;
  media: Pick<MediaStore, 'begin' | 'freeName'>;
  network: Pick<Network, 'connect'>;
  /** Returns why the value doesn't fit the schema; null if it does, or if it can't be applied. */
  checkValue: (value: JsonValue, schema: JsonObject, signal: AbortSignal) => Promise<string | null>;
  version: string;
  now: () => number;
  readLoginEnvironment: () => Promise<Record<string, string>>;
  log: (line: string) => void;
}

export interface McpToolCall {
  serverId: string;
  name: string;
  args: JsonObject;
  signal: AbortSignal;
  /** Identifies the call among the server's messages; a new ID by default. */
  callId?: string;
}

export interface McpToolResult {
  content: Content;
  isError: boolean;
  /** Why the result doesn't fit the tool's output schema; null if it does, or if there is none. */
  misfit: string | null;
  durationMs: number;
}

/** Methods throw a `not-found` `UserFacingError` for an unknown server, unless they say otherwise. */
export interface McpServers {
  list(): McpServer[];
  /** Returns null if the server was deleted. */
  server(id: string): McpServer | null;
  /**
   * Adds the server if `id` is null. A null secret value keeps the saved one; throws a
   * `UserFacingError` if none is saved, or if it belongs to another origin.
   */
  save(input: McpServerInput): Promise<McpServer>;
  /** Stops the server and returns an ID for undo, or null if it was deleted before. */
  remove(id: string): Promise<string | null>;
  /** Reconnects; a failure is shown as the server's error. */
  connect(id: string): Promise<McpServer>;
  /** Returns the sign-in page; the server connects once the user has signed in. */
  signIn(id: string): Promise<{ url: string }>;
  /** Deletes the tokens and disconnects. */
  signOut(id: string): Promise<McpServer>;
  /** Disconnects and cancels a sign-in; the next call connects again. */
  stop(id: string): Promise<McpServer>;
  /** Returns the tool that was sent to a model under this name; null if its server is gone. */
  findTool(choices: readonly McpToolChoice[], sentName: string): ServerTool | null;
  /** Returns the latest lines, oldest first. */
  log(id: string): McpLogLine[];
  /** Returns the callable tools, connecting to the server if necessary. */
  listTools(id: string): Promise<McpTool[]>;
  /**
   * Calls a tool. Throws a `UserFacingError` if the server fails, and the signal's reason if it
   * aborts, which also cancels the call on the server.
   */
  callTool(call: McpToolCall): Promise<McpToolResult>;
  /** Returns the messages to and from the server that changed since `after`, a revision. */
  messages(filter: McpMessageFilter, after: number): McpMessagePage;
  /** Throws a `not-found` `UserFacingError` if newer messages replaced this one. */
  readMessage(id: string, number: number): McpMessageBody;
  /** Yields a JSON line for each message. */
  exportMessages(filter: McpMessageFilter): AsyncGenerator<string>;
  /** Returns the calls that are running, and the questions that wait for the user. */
  activity(): McpActivity;
  /** Throws a `UserFacingError` if the answer can't be sent. */
  answer(answer: McpAnswer): Promise<void>;
  /** Returns a prompt's messages; throws a `UserFacingError` if the server fails. */
  getPrompt(id: string, name: string, args: Record<string, string>): Promise<McpInsert>;
  /** Returns a resource's content; throws a `UserFacingError` if the server fails. */
  readResource(id: string, uri: string): Promise<McpInsert>;
  /** Returns `ask` instead of `always` if the tool's definition has changed since the approval. */
  approval(serverId: string, name: string): McpApproval;
  /** Identifies the definition that an approval is for; empty if the server lacks the tool. */
  definitionHash(serverId: string, name: string): string;
  /** Approves the definition with this hash, or the current definition. */
  setApproval(serverId: string, name: string, approval: McpApproval, hash?: string): McpServer;
  resetApprovals(id: string): McpServer;
  /** Ends every server's process. */
  close(): Promise<void>;
}

export function createMcpServers(options: McpOptions): McpServers {
  const { db, changes, deletions, vault, media, now } = options;
  const store = createServerStore(db, now);
  const secrets = createServerSecrets(vault);
  const sessions = new Map<string, Promise<McpSession>>();
  const states = new Map<string, McpSession>();
  const logs = new Map<string, ServerLog>();
  const messageLogs = new Map<string, MessageLog>();
  const redact = (text: string) => vault.redact(text);
  const announce = (id: string) => changes.announce('mcp', id);
  let announcing: NodeJS.Timeout | null = null;
  /** Gathers changes, because servers report progress by the thousand. */
  function announceActivity(): void {
    announcing ??= setTimeout(() => {
      announcing = null;
      changes.announce('mcp-activity');
    }, ANNOUNCE_MS).unref();
  }
  const running = createRunningCalls({ redact, onChange: announceActivity });
  const questions = createServerQuestions({
    redact,
    checkValue: options.checkValue,
    onChange: announceActivity,
  });
  const removeRow = keepNamesUnique(options, {
    table: 'mcp_servers',
    addNumber: addNumberToTitle,
    onChange: announce,
  });
  const reading = { media, redact };
  const signIns = createServerSignIns({
    network: options.network,
    now,
    onChange: announce,
    getStore: getSignInStore,
    getHeaders: (id) => secrets.get(id, 'values'),
    onSignedIn: (id) => void connect(id).catch(() => undefined),
    log: (id, text) => getLog(id).add('gatehouse', text),
  });

  deletions.onPurge('mcp_servers', (deletedAt) => {
    for (const id of store.purge(deletedAt)) {
      secrets.forget(id).catch((cause: unknown) => options.log(`mcp: ${String(cause)}`));
      logs.delete(id);
      messageLogs.delete(id);
    }
  });

  function getLog(id: string): ServerLog {
    const log = logs.get(id) ?? createServerLog(now, redact);
    logs.set(id, log);
    return log;
  }

  function getMessages(id: string): MessageLog {
    const messages =
      messageLogs.get(id) ?? createMessageLog({ now, redact, onNotification: running.notify });
    messageLogs.set(id, messages);
    return messages;
  }

  async function findMisfit(
    { serverId, name, signal }: McpToolCall,
    { isError, structuredContent }: z.infer<typeof callResultSchema>,
  ): Promise<string | null> {
    const tool = store.get(serverId).offers.tools.find((one) => one.name === name);
    const schema = tool?.outputSchema ?? null;
    // Servers don't need to structure an error.
    if (schema === null || isError === true) return null;
    if (structuredContent === undefined) return 'It has no structured content.';
    return options.checkValue(structuredContent, schema, signal);
  }

  function show(server: StoredServer): McpServer {
    const { id, transport } = server;
    const names = getSecretNames(transport);
    const protection = secrets.protection(id, 'values');
    return {
      ...server,
      ...(states.get(id)?.state() ?? signIns.state(id) ?? { status: 'stopped', error: null }),
      protection,
      missing: protection === null ? names : [],
      signedIn: secrets.protection(id, 'sign-in') !== null,
      approvals: store.approvals(id),
    };
  }

  /** The SDK is loaded on first use, because it is large. */
  async function openSession(id: string): Promise<McpSession> {
    const { createMcpSession } = await import('./mcp-session.ts');
    const { name } = store.get(id);
    const log = getLog(id);
    const messages = getMessages(id);
    const session = createMcpSession({
      name,
      version: options.version,
      openTransport: async (onEnd) => {
        const server = store.get(id);
        const values = await secrets.get(id, 'values');
        const missing = getSecretNames(server.transport).filter((one) => !values.has(one));
        if (missing.length > 0)
          throw new UserFacingError(createValuesNeededError(server.name, missing));
        const { network } = options;
        const signIn = getSignInStore(id);
        return openTransport(server.transport, {
          values,
          store: signIn,
          network,
          readLoginEnvironment: options.readLoginEnvironment,
          now,
          onEnd,
          log,
          messages,
        });
      },
      ask(params, requestId, signal) {
        const callId = requestId === null ? null : messages.findCall(requestId);
        const tool = (callId === null ? null : running.find(callId))?.tool ?? null;
        return questions.ask({ serverId: id, server: name, tool }, params, signal);
      },
      onAccessNeeded: (access) => signIns.require(id, access),
      onChange: () => announce(id),
      onOffers(offers) {
        store.keepOffers(id, offers);
        announce(id);
      },
      log: log.add,
      redact,
    });
    states.set(id, session);
    return session;
  }

  function getSignInStore(id: string): SignInStore {
    return {
      get: () => secrets.get(id, 'sign-in'),
      async set(values) {
        await secrets.set(id, 'sign-in', values);
        announce(id);
      },
    };
  }

  async function ensureSession(id: string): Promise<McpSession> {
    const { enabled, name } = store.get(id);
    if (!enabled) throw new UserFacingError(createTurnedOffError(name));
    const opening = sessions.get(id) ?? openSession(id);
    sessions.set(id, opening);
    opening.catch(() => sessions.delete(id));
    return opening;
  }

  async function endSession(id: string): Promise<void> {
    const opening = sessions.get(id);
    sessions.delete(id);
    const session = await opening?.catch(() => null);
    if (states.get(id) === session) states.delete(id);
    await session?.close();
  }

  async function mergeWithSaved(before: StoredServer | null, { transport }: McpServerInput) {
    const isSameTarget = before !== null && canKeepSecrets(before.transport, transport);
    const saved = isSameTarget ? await secrets.get(before.id, 'values') : new Map<string, string>();
    return { isSameTarget, values: mergeValues(saved, transport) };
  }

  async function connect(id: string): Promise<McpServer> {
    await endSession(id);
    const session = await ensureSession(id);
    await session.connect().catch((cause: unknown) => {
      if (!(cause instanceof UserFacingError)) throw cause;
    });
    return show(store.get(id));
  }

  /** Throws a `UserFacingError` if a result can't be read, such as one nested too deeply. */
  async function readOrExplain<Value>(id: string, read: () => Promise<Value>): Promise<Value> {
    try {
      return await read();
    } catch (cause) {
      if (cause instanceof UserFacingError) throw cause;
      getLog(id).add('gatehouse', String(cause));
      throw new UserFacingError(createUnreadableResultError(store.get(id).name));
    }
  }

  return {
    list: (): McpServer[] => store.list().map(show),
    server: (id: string): McpServer | null =>
      store
        .list()
        .filter((server) => server.id === id)
        .map(show)[0] ?? null,

    async save(input: McpServerInput): Promise<McpServer> {
      const before = input.id === null ? null : store.get(input.id);
      const { isSameTarget, values } = await mergeWithSaved(before, input);
      // A pending sign-in belongs to the old address.
      if (before !== null) signIns.end(before.id);
      if (before !== null) await endSession(before.id);
      // Delete the secrets first, so that a crash never leaves them with another origin.
      if (before !== null && !isSameTarget) await secrets.forget(before.id);
      const transport = withoutValues(input.transport);
      const { id } = store.write(input.id, { name: input.name, transport, enabled: input.enabled });
      // A new program or address requires the user's approval again.
      if (before !== null && !isSameJson(before.transport, transport)) store.resetApprovals(id);
      await secrets.set(id, 'values', values, input.keeping);
      // A call may have started the old program in the meantime.
      if (before !== null) await endSession(before.id);
      announce(id);
      return show(store.get(id));
    },

    async remove(id: string): Promise<string | null> {
      const deletionId = removeRow(id);
      signIns.end(id);
      await endSession(id);
      return deletionId;
    },

    connect,

    async signIn(id: string): Promise<{ url: string }> {
      const { name, transport } = store.get(id);
      if (transport.type !== 'http') throw new UserFacingError(createNoSignInError(name));
      const starting = signIns.start(id, name, transport.url);
      const [started] = await Promise.all([starting, endSession(id)]);
      return started;
    },

    async signOut(id: string): Promise<McpServer> {
      signIns.end(id);
      await endSession(id);
      await getSignInStore(id).set(new Map());
      return show(store.get(id));
    },

    async stop(id: string): Promise<McpServer> {
      signIns.end(id);
      await endSession(id);
      announce(id);
      return show(store.get(id));
    },

    findTool(choices: readonly McpToolChoice[], sentName: string): ServerTool | null {
      for (const { serverId, name } of choices) {
        const server = store.list().find(({ id, enabled }) => id === serverId && enabled);
        if (server === undefined || getMcpToolName(server.name, name) !== sentName) continue;
        return { serverId, server: server.name, name };
      }
      return null;
    },

    log: (id: string): McpLogLine[] => getLog(store.get(id).id).list(),

    async listTools(id: string): Promise<McpTool[]> {
      const session = await ensureSession(id);
      await session.connect();
      return store.get(id).offers.tools.filter(({ problem }) => problem === null);
    },

    async callTool(call: McpToolCall): Promise<McpToolResult> {
      const { serverId, name, args, signal, callId = randomUUID() } = call;
      const session = await ensureSession(serverId);
      const startedAt = now();
      running.add({ callId, serverId, server: store.get(serverId).name, tool: name });
      try {
        const params = { name, arguments: args };
        const result = await getMessages(serverId).runCall(callId, () =>
          session.request('tools/call', params, callResultSchema, signal),
        );
        const content = await readOrExplain(serverId, () => readCallResult(result, reading));
        const durationMs = Math.max(0, now() - startedAt);
        const misfit = await findMisfit(call, result);
        return { content, isError: result.isError === true, misfit, durationMs };
      } finally {
        running.remove(callId);
      }
    },

    messages: ({ id, ...filter }: McpMessageFilter, after: number): McpMessagePage =>
      getMessages(store.get(id).id).list(filter, after),

    readMessage(id: string, number: number): McpMessageBody {
      const body = getMessages(store.get(id).id).read(number);
      if (body === null) throw new UserFacingError(messageGone);
      return body;
    },

    async *exportMessages({ id, ...filter }: McpMessageFilter): AsyncGenerator<string> {
      yield* getMessages(store.get(id).id).exportLines(filter);
    },

    activity: (): McpActivity => ({ calls: running.list(), questions: questions.list() }),
    answer: questions.answer,

    async getPrompt(id: string, name: string, args: Record<string, string>): Promise<McpInsert> {
      const session = await ensureSession(id);
      const params = { name, arguments: args };
      const result = await session.request('prompts/get', params, promptResultSchema);
      return readOrExplain(id, () => readPrompt(result, reading));
    },

    async readResource(id: string, uri: string): Promise<McpInsert> {
      const session = await ensureSession(id);
      const result = await session.request('resources/read', { uri }, resourceResultSchema);
      return readOrExplain(id, () => readResource(result, reading));
    },

    approval: (serverId: string, name: string): McpApproval => store.approval(serverId, name),
    definitionHash: store.definitionHash,
    setApproval(serverId: string, name: string, approval: McpApproval, hash?: string): McpServer {
      store.setApproval(serverId, name, approval, hash);
      announce(serverId);
      return show(store.get(serverId));
    },
    resetApprovals(id: string): McpServer {
      store.resetApprovals(id);
      announce(id);
      return show(store.get(id));
    },

    async close(): Promise<void> {
      if (announcing !== null) clearTimeout(announcing);
      signIns.close();
      await Promise.allSettled([...sessions.keys()].map(endSession));
    },
  };
}

function createNoSignInError(name: string) {
  const message = `${name} runs on your computer, so there is nothing to sign in to.`;
  return appError('invalid-request', message, 'Edit the server in Settings → MCP servers.');
}

const ANNOUNCE_MS = 100;

const messageGone = appError(
  'not-found',
  'This message is no longer kept.',
  'Newer messages took its place.',
);

function createTurnedOffError(name: string) {
  const message = `${name} is turned off.`;
  return appError('invalid-request', message, 'Turn it on in Settings → MCP servers.');
}
