/** Sends a comparison's requests within each connection's limits, pausing when a gateway asks. */
import type { Sending } from '../../shared/comparison.ts';
import type { Timer } from '../base/timer.ts';

const SPACING_MS = 50;

/**
 * After this many starts, the requests under way get their turn. With more, first tokens are read
 * late; with fewer, the next requests wait longer.
 */
const MAX_STARTS_PER_TURN = 8;

/**
 * `send` is called once and must return immediately. Then call the queue's `left` when the request
 * is on its way, and `handleEnd` when it ends.
 */
export interface QueuedRequest {
  connectionId: string;
  /** Groups requests by variant; the variant with the fewest active requests goes next. */
  share: string;
  /** Set for a request of a stage, whose requests share one object. */
  stage?: QueueStage | undefined;
  send(): void;
}

/**
 * Keeps `atOnce` requests running. A stage starts once the connection's running requests have ended;
 * until the stage has ended, other requests wait. It needs no spacing and no pause, because it
 * measures what the gateway does.
 */
export interface QueueStage {
  atOnce: number;
}

interface Lane {
  waiting: Set<QueuedRequest>;
  running: Set<QueuedRequest>;
  /** The waiting requests of each stage, in the order of the stages. */
  stages: Map<QueueStage, Set<QueuedRequest>>;
  /** The stage whose requests are running. */
  stage: QueueStage | null;
  /** The requests of stages that were sent in this turn of the event loop. */
  startsInTurn: number;
  leaving: QueuedRequest | null;
  freeAt: number;
  /** The time when the gateway accepts requests again, as its response asked. */
  pausedUntil: number;
  cancelTimer: (() => void) | null;
}

/** Keeps one line per connection. */
export interface RequestQueue {
  /** Sends the requests as soon as the connection's limits allow. */
  add(...requests: readonly QueuedRequest[]): void;
  /** Removes a request that isn't sent yet. */
  drop(request: QueuedRequest): void;
  /** Call this once the request has been sent; the next one may follow 50 ms later. */
  left(request: QueuedRequest): void;
  /** Pauses the connection for `waitSeconds`, if the gateway asked for a wait. */
  handleEnd(request: QueuedRequest, waitSeconds: number | null): void;
  /** Counts the connection's requests; `pausedUntil` is in Unix milliseconds. */
  state(connectionId: string): Sending;
  /** Sends waiting requests that a changed limit now allows. */
  review(): void;
  /** Stops sending. */
  close(): void;
}

export function createRequestQueue(options: {
  atOnce: (connectionId: string) => number;
  onChange: (connectionId: string) => void;
  now: () => number;
  clock: () => number;
  timer: Timer;
}): RequestQueue {
  const { atOnce, onChange, now, clock, timer } = options;
  const lanes = new Map<string, Lane>();
  let closed = false;

  function getLane(connectionId: string): Lane {
    const known = lanes.get(connectionId);
    if (known !== undefined) return known;
    const lane: Lane = {
      waiting: new Set(),
      running: new Set(),
      stages: new Map(),
      stage: null,
      startsInTurn: 0,
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
    if (closed || sendStage(connectionId, lane)) return;
    if (lane.cancelTimer !== null || lane.leaving !== null) return;
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

  /** Returns false if no stage is running or waiting. */
  function sendStage(connectionId: string, lane: Lane): boolean {
    if (lane.running.size === 0) lane.stage = null;
    const [first] = lane.stages;
    if (first === undefined) return lane.stage !== null;
    const [stage, waiting] = first;
    if (lane.stage !== stage && lane.running.size > 0) return true;
    lane.stage = stage;
    for (const request of waiting) {
      if (lane.running.size >= stage.atOnce || !takeTurn(connectionId, lane)) break;
      waiting.delete(request);
      lane.running.add(request);
      request.send();
    }
    if (waiting.size === 0) lane.stages.delete(stage);
    return true;
  }

  /** Returns false if enough requests were sent in this turn; the next turn sends the others. */
  function takeTurn(connectionId: string, lane: Lane): boolean {
    if (lane.startsInTurn === MAX_STARTS_PER_TURN) return false;
    lane.startsInTurn += 1;
    if (lane.startsInTurn > 1) return true;
    timer.after(0, () => {
      lane.startsInTurn = 0;
      proceed(connectionId);
    });
    return true;
  }

  function clearLeaving(lane: Lane, request: QueuedRequest): void {
    if (lane.leaving !== request) return;
    lane.leaving = null;
    lane.freeAt = clock() + SPACING_MS;
  }

  return {
    add(...requests: readonly QueuedRequest[]): void {
      for (const request of requests) {
        const { waiting, stages } = getLane(request.connectionId);
        if (request.stage === undefined) waiting.add(request);
        else stages.set(request.stage, (stages.get(request.stage) ?? new Set()).add(request));
      }
      for (const id of new Set(requests.map(({ connectionId }) => connectionId))) proceed(id);
    },
    drop(request: QueuedRequest): void {
      const { waiting, stages } = getLane(request.connectionId);
      waiting.delete(request);
      if (request.stage === undefined) return;
      const staged = stages.get(request.stage);
      staged?.delete(request);
      if (staged?.size === 0) stages.delete(request.stage);
    },
    left(request: QueuedRequest): void {
      clearLeaving(getLane(request.connectionId), request);
      proceed(request.connectionId);
    },
    handleEnd(request: QueuedRequest, waitSeconds: number | null): void {
      const lane = getLane(request.connectionId);
      clearLeaving(lane, request);
      lane.running.delete(request);
      if (request.stage === undefined && waitSeconds !== null && waitSeconds > 0) {
        lane.pausedUntil = Math.max(lane.pausedUntil, clock() + waitSeconds * 1000);
        lane.cancelTimer?.();
        lane.cancelTimer = null;
      }
      proceed(request.connectionId);
      onChange(request.connectionId);
    },
    state(connectionId: string): Sending {
      const { waiting, running, stages, pausedUntil } = getLane(connectionId);
      const staged = [...stages.values()].reduce((sum, { size }) => sum + size, 0);
      const left = pausedUntil - clock();
      return {
        connectionId,
        waiting: waiting.size + staged,
        running: running.size,
        pausedUntil: left > 0 && waiting.size > 0 ? now() + left : null,
      };
    },
    review(): void {
      for (const connectionId of lanes.keys()) proceed(connectionId);
    },
    close(): void {
      closed = true;
      for (const lane of lanes.values()) lane.cancelTimer?.();
    },
  };
}

/** Prefers variants with few active requests, so that a slow variant doesn't block the others. */
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
