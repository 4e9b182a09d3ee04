/** A fault describes what a gateway does instead of sending a good response. */
import type { Socket } from 'node:net';
import type { Timeouts } from '../../shared/settings.ts';
import { chunk, lastChunk, reply, type WireExchange } from '../fixtures/wire-server.ts';
import type { Target } from './targets.ts';

export interface Fault {
  name: string;
  /** The requests it applies to; all by default. */
  on?: (target: Target) => boolean;
  /** Enough of those requests to show every outcome, in place of its group's choice. */
  tries?: (target: Target) => boolean;
  /** Answers the first such request. Later ones get a good response. */
  answer?: (wire: WireExchange, target: Target, place: number) => unknown;
  /** Runs at every third number below this one; places with the same outcome share a line. */
  places?: (target: Target) => number;
  /** Its bytes are a correct HTTP response, which leaves the connection in order. */
  isFramed?: boolean;
  /** Answers all requests. */
  isLasting?: boolean;
  /** Takes over the connection of the run's first request before anything is read. */
  connected?: (socket: Socket) => void;
  /** The connection's base URL, in place of the server's. */
  baseUrl?: () => string | Promise<string>;
  /** The request, in place of the target's. */
  request?: Target['request'];
  /** The timeout it runs into. Only this one is short, because a busy machine could reach others first. */
  timeouts?: Partial<Timeouts>;
  /** The text that must be kept if the bytes don't show it, as in a compressed body. */
  words?: (target: Target) => string[];
  /** Its text has characters that no decoder can read. */
  isGarbled?: boolean;
  /** So expensive that the operations take turns. */
  isHeavy?: boolean;
  /** How often the request is sent if the gateway asks for more than one. */
  sends?: number;
}

/** A timeout that is never reached. */
export const PATIENT: Timeouts = { connectSeconds: 15, firstByteSeconds: 15, stallSeconds: 15 };

/** Time to read what was sent at once, even on a busy machine. */
const HASTY_SECONDS = 0.8;
export const NEVER_CONNECTS = { timeouts: { connectSeconds: HASTY_SECONDS } };
export const NEVER_BEGINS = { timeouts: { firstByteSeconds: HASTY_SECONDS } };
export const NEVER_GOES_ON = { timeouts: { stallSeconds: HASTY_SECONDS } };

export interface FaultGroup {
  title: string;
  /** All by default. */
  tries?: (target: Target) => boolean;
  faults: Fault[];
}

export const isStream = ({ events }: Target): boolean => events.length > 0;
export const isJson = ({ type }: Target): boolean => type === 'application/json';
/** The first request of a run; its other requests use the open connection. */
export const isFirst = ({ name }: Target): boolean =>
  name !== 'video status' && name !== 'video file';
export const only =
  (...names: string[]) =>
  ({ name }: Target): boolean =>
    names.includes(name);
export const any = (): boolean => true;
/** One request for each way to read a response: a stream, JSON, audio, a poll and a download. */
export const typical = only('chat', 'rerank', 'speech', 'video status', 'video file');
/** A response with its length. */
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

/** Replaces the good body by a chunked one; its type stays. */
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

/** The same for the requests that stream. */
export const streamed = (
  name: string,
  make: (target: Target) => (string | Uint8Array)[],
  more: Partial<Fault> = {},
): Fault => chunked(name, make, { on: isStream, ...more });

/** One JSON response to one request. */
export function json(name: string, to: string, body: string, status = '200 OK'): Fault {
  return whole(name, () => ({ status, type: 'application/json', body }), { on: only(to) });
}

/** A stream to one request: its events, then an end mark. */
export function stream(name: string, to: string, ...events: string[]): Fault {
  const body = [...events, '[DONE]'].map((data) => `data: ${data}\n\n`);
  return chunked(name, () => [body.join('')], { on: only(to) });
}
