/** Runs an MCP server as a child process that speaks JSON-RPC, one message per line. */
import { type ChildProcessWithoutNullStreams, execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import crossSpawn from 'cross-spawn';
import { parseJson } from '../../shared/parse-json.ts';
import { createMissingProgramError } from './describe-failure.ts';
import {
  BadServerError,
  createOversizedMessageError,
  limitRate,
  limitValues,
  MAX_MESSAGE_BYTES,
} from './message-limits.ts';
import type { MessageLog } from './message-log.ts';
import { rejectUnreadableResponse } from './unreadable-response.ts';

interface StdioOptions {
  command: string;
  args: readonly string[];
  cwd: string | null;
  env: Readonly<Record<string, string>>;
  /** The variables with which a login shell finds programs. */
  loginEnvironment: Readonly<Record<string, string>>;
  /** Called with each line of standard error, and with lines that aren't messages. */
  onLine: (text: string) => void;
  messages: Pick<MessageLog, 'addSent' | 'addReceived'>;
  /** Called once, before `onclose`, with the reason, or null if `close` ended the server. */
  onEnd: (reason: BadServerError | null) => void;
  now: () => number;
}

const NEWLINE = 10;
/** The exit code of a shell or `env` for a program that isn't on PATH. */
const NOT_FOUND = 127;
const MAX_LINE_LENGTH = 4096;
/** Servers that print a banner are common, so a few other lines are only logged. */
const MAX_OTHER_LINES = 100;
const GRACE_MS = 700;

/** The SDK's own transport can't limit messages or end the processes that the server starts. */
export function createStdioTransport(options: StdioOptions): Transport {
  const rate = limitRate(options.now);
  let child: ChildProcessWithoutNullStreams | null = null;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let otherLines = 0;
  let failure: BadServerError | null = null;
  let isClosing = false;
  const ended = Promise.withResolvers<void>();

  function fail(cause: unknown): void {
    if (failure !== null || isClosing) return;
    failure = cause instanceof BadServerError ? cause : new BadServerError(String(cause));
    pending = [];
    kill(child, 'SIGKILL');
  }

  function readLine(line: Buffer): void {
    rate.countMessage(line.length);
    limitValues()(line);
    const text = line.toString('utf8').trim();
    if (text === '') return;
    const message = parseJson(text);
    if (isMessage(message)) {
      if (isJSONRPCRequest(message)) rate.countRequest();
      options.messages.addReceived(text, null);
      transport.onmessage?.(message);
      return;
    }
    options.onLine(text.slice(0, MAX_LINE_LENGTH));
    const rejection = rejectUnreadableResponse(message);
    if (rejection !== null) {
      options.messages.addReceived(text, null);
      transport.onmessage?.(rejection);
      return;
    }
    if (message === undefined && text.startsWith('{')) {
      throw new BadServerError('sent a message that isn’t valid JSON, or is nested too deeply.');
    }
    otherLines += 1;
    if (otherLines > MAX_OTHER_LINES) {
      throw new BadServerError('prints text that isn’t MCP to its standard output.');
    }
  }

  function readChunk(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
      readLine(line);
      if (failure !== null || isClosing) return;
    }
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > MAX_MESSAGE_BYTES) throw createOversizedMessageError();
  }

  const transport: Transport = {
    start: () =>
      new Promise((resolve, reject) => {
        const started = crossSpawn.spawn(options.command, options.args, {
          env: { ...getDefaultEnvironment(), ...options.loginEnvironment, ...options.env },
          cwd: options.cwd ?? homedir(),
          windowsHide: true,
          // Use a separate group, so that processes started by the server end with it.
          detached: process.platform !== 'win32',
        });
        child = started;
        started.once('spawn', resolve);
        started.once('error', (cause) => {
          reject(cause);
          transport.onerror?.(cause);
        });
        started.stdin.on('error', () => undefined);
        started.stdout.on('error', () => undefined);
        started.stdout.on('data', (chunk: Buffer) => {
          if (failure !== null || isClosing) return;
          try {
            readChunk(chunk);
          } catch (cause) {
            fail(cause);
          }
        });
        readLines(started, options.onLine);
        // Processes started by the server could keep its pipes open after it exits.
        started.once('exit', () => kill(started, 'SIGKILL'));
        started.once('close', (code, signal) => {
          child = null;
          pending = [];
          const died =
            code === NOT_FOUND
              ? createMissingProgramError()
              : new BadServerError(describeExit(code, signal));
          options.onEnd(isClosing ? null : (failure ?? died));
          ended.resolve();
          transport.onclose?.();
        });
      }),

    async send(message: JSONRPCMessage) {
      const stdin = child?.stdin;
      if (stdin === undefined || !stdin.writable) throw new Error('The server has stopped.');
      const line = JSON.stringify(message);
      options.messages.addSent(line, []);
      if (stdin.write(`${line}\n`)) return;
      await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), ended.promise]);
    },

    /** Ends standard input first, as the protocol asks, and resolves when the process is gone. */
    async close() {
      if (child === null) return;
      isClosing = true;
      child.stdin.end();
      const terminate = setTimeout(() => kill(child, 'SIGTERM'), GRACE_MS);
      const end = setTimeout(() => kill(child, 'SIGKILL'), 2 * GRACE_MS);
      await ended.promise;
      clearTimeout(terminate);
      clearTimeout(end);
    },
  };
  return transport;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    isJSONRPCResultResponse(value) ||
    isJSONRPCNotification(value) ||
    isJSONRPCRequest(value) ||
    isJSONRPCErrorResponse(value)
  );
}

/** More lines per second are noise, and the log keeps fewer anyway. */
const MAX_LINES_PER_SECOND = 500;

function readLines(child: ChildProcessWithoutNullStreams, onLine: (text: string) => void): void {
  let second = 0;
  let count = 0;
  const endSecond = () => {
    if (count > MAX_LINES_PER_SECOND) onLine(`… ${count - MAX_LINES_PER_SECOND} lines left out`);
    count = 0;
  };
  const addLine = (line: string) => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      endSecond();
      second = now;
    }
    count += 1;
    if (count <= MAX_LINES_PER_SECOND) onLine(line.slice(0, MAX_LINE_LENGTH));
  };
  const decoder = new StringDecoder('utf8');
  let rest = '';
  child.stderr.on('error', () => undefined);
  child.stderr.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    for (const line of lines) if (line !== '') addLine(line);
  });
  child.stderr.on('end', () => {
    if (rest !== '') addLine(rest);
    endSecond();
  });
}

/** Kills the process and those that it started. */
function kill(child: ChildProcessWithoutNullStreams | null, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child?.pid === undefined) return;
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(child.pid), '/T', '/F'], () => undefined);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has already exited.
  }
}

function describeExit(code: number | null, signal: string | null): string {
  if (signal !== null) return `was ended by ${signal}.`;
  return code === 0 ? 'stopped by itself.' : `stopped with exit code ${code}.`;
}
