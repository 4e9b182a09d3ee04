/** What an endpoint gets: the request, the way to reply, and the gateway it belongs to. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallLimit } from '../language/call-limit.ts';
import type { TaskList } from '../media/task-list.ts';
import type { Pace } from './pace.ts';

/** What outlives one request. */
export interface DemoState {
  pace: Pace;
  callLimit: CallLimit;
  tasks: TaskList;
  /** `http://127.0.0.1:PORT`. */
  baseUrl: () => string;
}

export interface DemoExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The variable part of the path, decoded: a model or a task id. */
  parameter: string;
  /** Aborts when the client closes the connection before the reply is complete. */
  signal: AbortSignal;
  state: DemoState;
  /** Breaks the connection off after `lastBytes`. */
  cut: (lastBytes: string | Buffer) => void;
}

export type Endpoint = (exchange: DemoExchange) => Promise<void>;

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendBytes(response, status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(body)));
}

export function sendText(response: ServerResponse, contentType: string, text: string): void {
  sendBytes(response, 200, `${contentType}; charset=utf-8`, Buffer.from(text));
}

export function sendBytes(
  response: ServerResponse,
  status: number,
  contentType: string,
  bytes: Buffer,
): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length });
  response.end(bytes);
}
