/** A fault: what a gateway does in place of a good reply. */
import type { Socket } from 'node:net';
import type { Timeouts } from '../../shared/settings.ts';
import { chunk, lastChunk, reply, type WireExchange } from '../fixtures/wire-server.ts';
import type { Target } from './targets.ts';

export interface Fault {
  name: string;
  /** The requests that it makes sense for; all unless given. */
  on?: (target: Target) => boolean;
  /** Answers the first request that it is for. The next ones get a good reply. */
  answer?: (wire: WireExchange, target: Target, place: number) => unknown;
  /** It is run once for each number below this one; the same outcome for all is one line. */
  places?: (target: Target) => number;
  /** Answers all of them. */
  isLasting?: boolean;
  /** Takes the connection of the run's first request over before anything is read of it. */
  connected?: (socket: Socket) => void;
  /** The base URL of the connection, in place of the server's. */
  baseUrl?: () => string | Promise<string>;
  /** What is sent in place of the target's request. */
  request?: Target['request'];
  /** The timeout that it runs into. Only this one is short: a busy machine could meet the others first. */
  timeouts?: Partial<Timeouts>;
  /** What must be kept, where the bytes do not show it, as those of a compressed body. */
  words?: (target: Target) => string[];
  /** Its text has characters that no decoder can read. */
  isGarbled?: boolean;
  /** So much work that the operations take turns: together they would hold each other up. */
  isHeavy?: boolean;
  /** How often the request is sent, where the gateway asks for more than once. */
  sends?: number;
}

/** Where no timeout is meant to be met. */
export const PATIENT: Timeouts = { connectSeconds: 15, firstByteSeconds: 15, stallSeconds: 15 };

/** Time for what was sent at once to be read, also on a busy machine. */
const HASTY_SECONDS = 0.8;
export const NEVER_CONNECTS = { timeouts: { connectSeconds: HASTY_SECONDS } };
export const NEVER_BEGINS = { timeouts: { firstByteSeconds: HASTY_SECONDS } };
export const NEVER_GOES_ON = { timeouts: { stallSeconds: HASTY_SECONDS } };

export interface FaultGroup {
  title: string;
  faults: Fault[];
}

export const isStream = ({ events }: Target): boolean => events.length > 0;
export const isJson = ({ type }: Target): boolean => type === 'application/json';
/** Whatever a run sends first: what else it sends goes over the connection that is open then. */
export const isFirst = ({ name }: Target): boolean =>
  name !== 'video status' && name !== 'video file';
export const only =
  (...names: string[]) =>
  ({ name }: Target): boolean =>
    names.includes(name);
/** A reply with its length. */
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

/** The body comes in chunks, in place of the good one; its type stays. */
export function chunked(
  name: string,
  make: (target: Target) => (string | Uint8Array)[],
  more: Partial<Fault> = {},
): Fault {
  return {
    name,
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

/** One JSON reply to one request. */
export function json(name: string, to: string, body: string, status = '200 OK'): Fault {
  return whole(name, () => ({ status, type: 'application/json', body }), { on: only(to) });
}

/** A stream to one request: its events, then an end mark. */
export function stream(name: string, to: string, ...events: string[]): Fault {
  const body = [...events, '[DONE]'].map((data) => `data: ${data}\n\n`);
  return chunked(name, () => [body.join('')], { on: only(to) });
}
