/** Decides when a request of a comparison is sent: a few at once for each connection, and none while its gateway wants peace. */
import type { Sending } from '../../shared/comparison.ts';
import type { Timer } from '../storage/timer.ts';

/** Between two requests of one connection, in milliseconds. */
const SPACING_MS = 50;

/** One request; `send` is called once and returns right away. It has left when `left` says so, or `ended`. */
export interface QueuedRequest {
  connectionId: string;
  /** The variant that it is of: the one with the fewest under way is sent next. */
  share: string;
  send(): void;
}

export interface SendQueue {
  /** Behind those that wait already. */
  add(request: QueuedRequest): void;
  /** Takes it back; what is under way is not touched. */
  drop(request: QueuedRequest): void;
  /** It is on its way: the next may follow it, 50 ms later. */
  left(request: QueuedRequest): void;
  /** It no longer takes one of the places of its connection. `waitSeconds`: how long its gateway wants no other. */
  ended(request: QueuedRequest, waitSeconds: number | null): void;
  state(connectionId: string): Sending;
  /** The limit may have changed. */
  review(): void;
  /** Sends nothing more. */
  close(): void;
}

interface Lane {
  /** In their order. */
  waiting: Set<QueuedRequest>;
  running: Set<QueuedRequest>;
  /** About to leave: its key is fetched, or it is recorded. */
  leaving: QueuedRequest | null;
  /** On the clock: when the next may follow the last. */
  freeAt: number;
  /** On the clock: how long the gateway asked to wait. */
  pausedUntil: number;
  cancelTimer: (() => void) | null;
}

export function createSendQueue(options: {
  /** How many at once; asked each time. */
  atOnce: (connectionId: string) => number;
  /** A lane began or stopped to pause, or to wait. */
  onChange: (connectionId: string) => void;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds from any fixed point, never going back. */
  clock: () => number;
  timer: Timer;
}): SendQueue {
  const { atOnce, onChange, now, clock, timer } = options;
  const lanes = new Map<string, Lane>();
  let closed = false;

  function getLane(connectionId: string): Lane {
    const known = lanes.get(connectionId);
    if (known !== undefined) return known;
    const lane: Lane = {
      waiting: new Set(),
      running: new Set(),
      leaving: null,
      freeAt: 0,
      pausedUntil: 0,
      cancelTimer: null,
    };
    lanes.set(connectionId, lane);
    return lane;
  }

  function proceed(connectionId: string): void {
    const lane = getLane(connectionId);
    if (closed || lane.cancelTimer !== null || lane.leaving !== null) return;
    if (lane.waiting.size === 0 || lane.running.size >= atOnce(connectionId)) return;
    const delay = Math.max(lane.freeAt, lane.pausedUntil) - clock();
    if (delay > 0) {
      lane.cancelTimer = timer.after(delay, () => {
        lane.cancelTimer = null;
        proceed(connectionId);
      });
      return;
    }
    const next = getNext(lane);
    if (next === null) return;
    lane.waiting.delete(next);
    lane.running.add(next);
    lane.leaving = next;
    next.send();
    onChange(connectionId);
    proceed(connectionId);
  }

  function hasLeft(lane: Lane, request: QueuedRequest): void {
    if (lane.leaving !== request) return;
    lane.leaving = null;
    lane.freeAt = clock() + SPACING_MS;
  }

  return {
    add(request) {
      getLane(request.connectionId).waiting.add(request);
      proceed(request.connectionId);
    },
    drop(request) {
      getLane(request.connectionId).waiting.delete(request);
    },
    left(request) {
      hasLeft(getLane(request.connectionId), request);
      proceed(request.connectionId);
    },
    ended(request, waitSeconds) {
      const lane = getLane(request.connectionId);
      hasLeft(lane, request);
      lane.running.delete(request);
      if (waitSeconds !== null && waitSeconds > 0) {
        lane.pausedUntil = Math.max(lane.pausedUntil, clock() + waitSeconds * 1000);
        lane.cancelTimer?.();
        lane.cancelTimer = null;
      }
      proceed(request.connectionId);
      onChange(request.connectionId);
    },
    state(connectionId) {
      const { waiting, running, pausedUntil } = getLane(connectionId);
      const left = pausedUntil - clock();
      return {
        connectionId,
        waiting: waiting.size,
        running: running.size,
        pausedUntil: left > 0 && waiting.size > 0 ? now() + left : null,
      };
    },
    review() {
      for (const connectionId of lanes.keys()) proceed(connectionId);
    },
    close() {
      closed = true;
      for (const lane of lanes.values()) lane.cancelTimer?.();
    },
  };
}

/** A slow variant, or one that is limited, leaves the other places to those that wait beside it. */
function getNext({ waiting, running }: Lane): QueuedRequest | null {
  const underWay = Map.groupBy(running, ({ share }) => share);
  let next: QueuedRequest | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const request of waiting) {
    const count = underWay.get(request.share)?.length ?? 0;
    if (count < fewest) [next, fewest] = [request, count];
    if (fewest === 0) break;
  }
  return next;
}
