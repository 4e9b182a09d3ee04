/**
 * Keeps the latest JSON-RPC messages to and from one MCP server in memory, without secrets, and
 * finds the tool call that each message is part of.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import {
  MAX_KEPT_BYTES,
  MAX_KEPT_MESSAGES,
  type McpMessage,
  type McpMessageBody,
  type McpMessageFilter,
  type McpMessageKind,
  type McpMessagePage,
} from '../../shared/mcp-messages.ts';
import { parseJson, parseRounded } from '../../shared/parse-json.ts';
import type { HeaderList } from '../../shared/run.ts';

const MAX_BODY_LENGTH = 256 * 1024;
const PREVIEW_LENGTH = 240;
const PAGE_LENGTH = 1000;
/** Exceeds the number of requests that are open at the same time. */
const MAX_OPEN_REQUESTS = 1000;

/** Handlers of a call's notifications inherit its context, but what they send isn't part of it. */
const CALL_METHOD = 'tools/call';

type Selection = Omit<McpMessageFilter, 'id'>;

/** An HTTP response that carries messages. */
interface MessageResponse {
  status: number;
  headers: HeaderList;
  /** The call of the HTTP request; null if it belongs to none. */
  callId: string | null;
}

/** A message that was sent, whose HTTP response comes later. */
interface SentMessage {
  callId: string | null;
  setStatus(status: number): void;
}

export interface MessageLog {
  /** Records a message to the server; `headers` is empty with a command. */
  addSent(text: string, headers: HeaderList): SentMessage;
  /** Records a message from the server; `response` is null with a command. */
  addReceived(text: string, response: MessageResponse | null): void;
  /** Runs a tool call, whose `tools/call` and everything that refers to it are part of it. */
  runCall<Result>(callId: string, call: () => Promise<Result>): Promise<Result>;
  /** Returns the call that a request from the server is part of, or null. */
  findCall(requestId: string | number): string | null;
  list(filter: Selection, after: number): McpMessagePage;
  /** Returns null if newer messages replaced this one. */
  read(number: number): McpMessageBody | null;
  /** Returns one JSON line for each message. */
  exportLines(filter: Selection): string[];
}

interface MessageLogOptions {
  now: () => number;
  redact: (text: string) => string;
  /** Called with each progress and log notification of a call. */
  onNotification: (callId: string, method: string, params: JsonObject) => void;
}

interface Kept {
  listed: McpMessage;
  content: McpMessageBody;
  /** The number of the last change, to a message of any number. */
  revision: number;
  /** The size that counts toward the limit. */
  bytes: number;
}

interface Request {
  method: string;
  callId: string | null;
}

type Id = string | number;

interface Sides {
  /** The open requests of the message's sender. */
  requests: Map<Id, Request>;
  /** The open requests that the message's sender has to answer. */
  answered: Map<Id, Request>;
}

export function createMessageLog(options: MessageLogOptions): MessageLog {
  const { now, redact } = options;
  const kept: Kept[] = [];
  let keptBytes = 0;
  let count = 0;
  let revision = 0;
  const currentCall = new AsyncLocalStorage<string>();
  const redacted = new WeakMap<HeaderList, HeaderList>();
  /** Requests that have no response yet. */
  const open = { sent: new Map<Id, Request>(), received: new Map<Id, Request>() };

  /** A response's headers are redacted once, because it may carry thousands of messages. */
  function redactHeaders(headers: HeaderList): HeaderList {
    const known = redacted.get(headers);
    if (known !== undefined) return known;
    const safe = headers.map(([name, value]): [string, string] => [name, redact(value)]);
    redacted.set(headers, safe);
    return safe;
  }

  function getOnlyCall(): string | null {
    const calls = [...open.sent.values()].flatMap(({ callId }) => callId ?? []);
    const [only = null, ...others] = calls;
    return others.length === 0 ? only : null;
  }

  /** Finds the call of a request that reports progress, or that its sender cancels. */
  function findReferredCall({ params }: JsonObject, { requests, answered }: Sides): string | null {
    if (!isJsonObject(params)) return null;
    const { progressToken, requestId } = params;
    if (isId(progressToken)) return answered.get(progressToken)?.callId ?? null;
    return (isId(requestId) ? requests.get(requestId)?.callId : null) ?? null;
  }

  /** True also for the progress of a call that was stopped. */
  function refersToCall({ params }: JsonObject): boolean {
    return isJsonObject(params) && isId(params.progressToken);
  }

  function add(
    direction: McpMessage['direction'],
    text: string,
    carrier: { status: number | null; headers: HeaderList; callId: string | null },
  ): Kept {
    const value = parseRounded(text);
    const message = isJsonObject(value) ? value : {};
    const kind = getKind(message);
    const id = isId(message.id) ? message.id : null;
    const own = typeof message.method === 'string' ? message.method : null;
    const sides: Sides =
      direction === 'sent'
        ? { requests: open.sent, answered: open.received }
        : { requests: open.received, answered: open.sent };
    const { requests, answered } = sides;
    const isResponse = kind === 'result' || kind === 'error';
    const request = isResponse && id !== null ? answered.get(id) : undefined;
    if (isResponse && id !== null) answered.delete(id);
    const carried = direction === 'sent' && own !== CALL_METHOD ? null : carrier.callId;
    const callId =
      request?.callId ??
      findReferredCall(message, sides) ??
      carried ??
      (direction === 'received' && !isResponse && !refersToCall(message) ? getOnlyCall() : null);
    if (kind === 'request' && id !== null && own !== null) {
      addRequest(requests, id, { method: own, callId });
    }
    const body = redact(text);
    const isCut = body.length > MAX_BODY_LENGTH;
    const content: McpMessageBody = {
      body: isCut ? body.slice(0, MAX_BODY_LENGTH) : body,
      isCut,
      headers: redactHeaders(carrier.headers),
    };
    count += 1;
    revision += 1;
    const listed: McpMessage = {
      number: count,
      at: now(),
      direction,
      kind,
      method: (own ?? request?.method)?.slice(0, PREVIEW_LENGTH) ?? null,
      id: typeof id === 'string' ? id.slice(0, PREVIEW_LENGTH) : id,
      callId,
      sizeBytes: Buffer.byteLength(text),
      status: carrier.status,
      preview: getPreview(content.body, kind),
    };
    const bytes = Buffer.byteLength(content.body) + JSON.stringify(content.headers).length;
    const added = { listed, content, revision, bytes };
    kept.push(added);
    keptBytes += bytes;
    dropOld();
    if (kind === 'notification' && own !== null && callId !== null) {
      options.onNotification(callId, own, isJsonObject(message.params) ? message.params : {});
    }
    return added;
  }

  function dropOld(): void {
    let dropped = 0;
    while (kept.length - dropped > MAX_KEPT_MESSAGES || keptBytes > MAX_KEPT_BYTES) {
      keptBytes -= kept[dropped]?.bytes ?? 0;
      dropped += 1;
    }
    if (dropped > 0) kept.splice(0, dropped);
  }

  function matching({ callId, search }: Selection): (message: Kept) => boolean {
    const words = search.trim().toLowerCase();
    return (message) =>
      (callId === null || message.listed.callId === callId) &&
      (words === '' || contains(message, words));
  }

  return {
    addSent(text, headers) {
      const callId = currentCall.getStore() ?? null;
      const added = add('sent', text, { status: null, headers, callId });
      return {
        callId: added.listed.callId,
        setStatus(status) {
          revision += 1;
          added.listed.status = status;
          added.revision = revision;
        },
      };
    },

    addReceived(text, response) {
      add('received', text, response ?? { status: null, headers: [], callId: null });
    },

    async runCall(callId, call) {
      try {
        return await currentCall.run(callId, call);
      } finally {
        // A server may never answer a call that was stopped.
        for (const [id, request] of open.sent) {
          if (request.callId === callId) open.sent.delete(id);
        }
      }
    },

    findCall: (requestId) => open.received.get(requestId)?.callId ?? null,

    list(filter, after) {
      const found = kept
        .filter((message) => message.revision > after)
        .filter(matching(filter))
        .toSorted((one, other) => one.revision - other.revision);
      const page = found.slice(0, PAGE_LENGTH);
      const more = found.length > page.length;
      return {
        messages: page.map(({ listed }) => listed),
        revision: more ? (page.at(-1)?.revision ?? after) : revision,
        more,
        firstNumber: kept[0]?.listed.number ?? count + 1,
      };
    },

    read(number) {
      const first = kept[0]?.listed.number ?? 0;
      return kept[number - first]?.content ?? null;
    },

    exportLines: (filter) => kept.filter(matching(filter)).map(formatLine),
  };
}

function addRequest(requests: Map<Id, Request>, id: Id, request: Request): void {
  requests.delete(id);
  requests.set(id, request);
  const [oldest] = requests.keys();
  if (requests.size > MAX_OPEN_REQUESTS && oldest !== undefined) requests.delete(oldest);
}

function getKind(message: JsonObject): McpMessageKind {
  if (typeof message.method === 'string') return 'id' in message ? 'request' : 'notification';
  if ('result' in message) return 'result';
  return 'error' in message && 'jsonrpc' in message ? 'error' : 'other';
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

const CONTENT_FIELD = {
  request: 'params',
  notification: 'params',
  result: 'result',
  error: 'error',
};

/** Returns the start of the parameters, result or error. */
function getPreview(body: string, kind: McpMessageKind): string {
  const field = kind === 'other' ? '' : `"${CONTENT_FIELD[kind]}":`;
  const at = body.indexOf(field);
  if (at === -1) return '';
  const start = at + field.length;
  const preview = body.slice(start, start + PREVIEW_LENGTH);
  const isWhole = kind !== 'other' && start + preview.length === body.length;
  return isWhole ? preview.replace(ENVELOPE_END, '') : preview;
}

/** The fields that clients write after the content, and the closing brace. */
const ENVELOPE_END = /(?:,"jsonrpc":"2\.0"|,"id":(?:\d+|"[^"]*"))*\}$/;

function contains({ listed, content }: Kept, words: string): boolean {
  const headers = content.headers.map((header) => header.join(': '));
  return [listed.method ?? '', content.body, ...headers].some((text) =>
    text.toLowerCase().includes(words),
  );
}

function formatLine({ listed, content }: Kept): string {
  const { preview: _, ...facts } = listed;
  const { body, isCut, headers } = content;
  const at = new Date(listed.at).toISOString();
  const message = (isCut ? undefined : parseJson(body)) ?? body;
  return `${JSON.stringify({ ...facts, at, headers, isCut, message })}\n`;
}
