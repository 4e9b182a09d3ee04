/** Describes how a gateway misbehaves instead of sending a good response. */
import type { Socket } from 'node:net';
import type { Timeouts } from '../../shared/settings.ts';
import { chunk, lastChunk, reply, type WireExchange } from '../fixtures/wire-server.ts';
import type { Target } from './targets.ts';

export interface Fault {
  name: string;
  /** Selects the requests it applies to. The default is all of them. */
  on?: (target: Target) => boolean;
  /** Selects enough of those requests to show every outcome, instead of the group's choice. */
  tries?: (target: Target) => boolean;
  /** Answers the first matching request. Later ones get a good response. */
  answer?: (wire: WireExchange, target: Target, place: number) => unknown;
  /** Repeats the fault at every third number below this one. Equal outcomes share a line. */
  places?: (target: Target) => number;
  /** True if its bytes are a correct HTTP response that leaves the connection reusable. */
  isFramed?: boolean;
  /** True if it answers every request. */
  isLasting?: boolean;
  /** Takes over the connection of the run's first request before anything is read. */
  connected?: (socket: Socket) => void;
  /** Returns the connection's base URL to use instead of the server's. */
  baseUrl?: () => string | Promise<string>;
  /** Replaces the target's request. */
  request?: Target['request'];
  /** The timeout it triggers. Others stay long, because a busy machine could hit them first. */
  timeouts?: Partial<Timeouts>;
  /** Text that must be kept if the bytes don't show it, such as in a compressed body. */
  words?: (target: Target) => string[];
  /** True if its text has characters that no decoder can read. */
  isGarbled?: boolean;
  /** True if it is so expensive that the operations have to take turns. */
  isHeavy?: boolean;
  /** The number of requests sent if the gateway asks for more than one. */
  sends?: number;
  /** True if the server closes the connection after its response, perhaps only once it is idle. */
  closes?: boolean;
}

/** Timeouts that no response reaches. */
export const PATIENT: Timeouts = { connectSeconds: 60, firstByteSeconds: 60, stallSeconds: 60 };

/** Enough time to read an immediate response, even on a busy machine. */
const HASTY_SECONDS = 0.8;
export const NEVER_CONNECTS = { timeouts: { connectSeconds: HASTY_SECONDS } };
export const NEVER_BEGINS = { timeouts: { firstByteSeconds: HASTY_SECONDS } };
export const NEVER_GOES_ON = { timeouts: { stallSeconds: HASTY_SECONDS } };

export interface FaultGroup {
  title: string;
  /** Selects the requests to try. The default is all of them. */
  tries?: (target: Target) => boolean;
  faults: Fault[];
}

export const isStream = ({ events }: Target): boolean => events.length > 0;
export const isJson = ({ type }: Target): boolean => type === 'application/json';
/** Returns true for the first request of a run, whose later requests reuse the connection. */
export const isFirst = ({ name }: Target): boolean =>
  name !== 'video status' && name !== 'video file';
export const only =
  (...names: string[]) =>
  ({ name }: Target): boolean =>
    names.includes(name);
export const any = (): boolean => true;
/** Selects one request per response type: a stream, JSON, audio, a poll and a download. */
export const typical = only('chat', 'rerank', 'speech', 'video status', 'video file');
/** Builds a response with a Content-Length. */
export function whole(
  name: string,
  make: (target: Target) => {
    status?: string;
    type?: string;
    headers?: Record<string, string>;
    body?: string | Uint8Array;
  },
  more: Partial<Fault> = {},
): Fault {
  return {
    name,
    isFramed: true,
    answer({ send }, target) {
      const {
        status = '200 OK',
        type = target.type,
        headers = {},
        body = target.body,
      } = make(target);
      const typed = type === '' ? headers : { 'Content-Type': type, ...headers };
      return send(reply(status, typed, body));
    },
    ...more,
  };
}

/** Replaces the good body with a chunked one, and keeps its type. */
export function chunked(
  name: string,
  make: (target: Target) => (string | Uint8Array)[],
  more: Partial<Fault> = {},
): Fault {
  return {
    name,
    isFramed: true,
    async answer({ send }, target) {
      await send(
        `HTTP/1.1 200 OK\r\nContent-Type: ${target.type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      for (const piece of make(target)) await send(chunk(piece));
      await send(lastChunk);
    },
    ...more,
  };
}

/** Builds the same fault for requests that stream. */
export const streamed = (
  name: string,
  make: (target: Target) => (string | Uint8Array)[],
  more: Partial<Fault> = {},
): Fault => chunked(name, make, { on: isStream, ...more });

/** Builds a fault that answers one request with JSON. */
export function json(name: string, to: string, body: string, status = '200 OK'): Fault {
  return whole(name, () => ({ status, type: 'application/json', body }), { on: only(to) });
}

/** Builds a fault that answers one request with a stream of events and an end mark. */
export function stream(name: string, to: string, ...events: string[]): Fault {
  const body = [...events, '[DONE]'].map((data) => `data: ${data}\n\n`);
  return chunked(name, () => [body.join('')], { on: only(to) });
}
