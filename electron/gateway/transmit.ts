/** Sends a prepared request and forwards the response until it ends, stops or times out. */
import type { Dispatcher } from 'undici';
import { applyTimeouts } from './access.ts';
import type { ExchangeOptions } from './exchange-types.ts';
import type { Lease } from './network.ts';
import type { TimingRecorder, TransferReport } from './timing-recorder.ts';
import type { PreparedRequest } from './wire-request.ts';

/** Only requests with a file have the `sending` phase; other bodies are written immediately. */
export type TransmitPhase = 'connecting' | 'sending' | 'waiting' | 'receiving';

export type TransmitEnd =
  /** True if the response ended or the receiver needs no more data. */
  | { how: 'complete' }
  | { how: 'stopped'; phase: TransmitPhase }
  | { how: 'timeout'; phase: TransmitPhase; seconds: number }
  /**
   * `slept` is true if the computer slept during the exchange; `sizeBytes` is the size of the
   * request body.
   */
  | { how: 'broken'; phase: TransmitPhase; cause: Error; slept: boolean; sizeBytes: number };

export interface Receiver {
  head(status: number, rawHeaders: Buffer[]): void;
  data(chunk: Buffer): void | Promise<void>;
  /** Set by `transmit`; skips the rest of the response. */
  onEnough: () => void;
  /** Set by `transmit`; limits the remaining time in seconds, or removes the limit if null. */
  onHurry: (seconds: number | null) => void;
}

/** Rejects only if `receiver` throws. */
export function transmit(
  prepared: PreparedRequest,
  receiver: Receiver,
  timings: TimingRecorder,
  upload: TransferReport,
  options: ExchangeOptions,
): Promise<TransmitEnd> {
  const { signal, network, access } = options;
  const timeouts = applyTimeouts(options.timeouts, access.timeouts);
  const body = prepared.form?.open() ?? prepared.body;
  return new Promise((resolve, reject) => {
    let phase: TransmitPhase = 'connecting';
    let settled = false;
    let lease: Lease | null = null;
    let controller: Dispatcher.DispatchController | null = null;
    let timer: NodeJS.Timeout | undefined;
    let isHurried = false;
    let sentBytes = 0;
    let sentAll = prepared.form === null;
    /** Null if the response has no Content-Length. */
    let missingBytes: number | null = null;

    function settle(end: TransmitEnd, reusable = false): void {
      if (close(reusable)) resolve(end);
    }

    /** Returns false if the exchange is already closed. */
    function close(reusable: boolean): boolean {
      if (settled) return false;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      if (!reusable) controller?.abort(new Error('The request was stopped.'));
      if (body !== null && 'destroy' in body) body.destroy();
      lease?.release(reusable);
      return true;
    }

    function fail(defect: unknown): void {
      if (close(false)) reject(defect);
    }

    function guard(work: () => void): void {
      if (settled) return;
      try {
        work();
      } catch (defect) {
        fail(defect);
      }
    }

    /** Pauses reading; time spent on disk writes doesn't count as a stall. */
    function hold(from: Dispatcher.DispatchController, until: Promise<void>): void {
      from.pause();
      if (!isHurried) limit(0);
      until.then(() => {
        if (settled) return;
        if (!isHurried) limit(timeouts.stallSeconds);
        from.resume();
      }, fail);
    }

    function limit(seconds: number): void {
      clearTimeout(timer);
      timer = undefined;
      if (seconds <= 0 || settled) return;
      timer = setTimeout(() => settle({ how: 'timeout', phase, seconds }), seconds * 1000);
    }

    const stop = () => settle({ how: 'stopped', phase });
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop);

    receiver.onHurry = (seconds) => {
      isHurried = seconds !== null;
      limit(seconds ?? timeouts.stallSeconds);
    };
    // Wait one tick: the end often arrives in the same packet, and a complete response frees the
    // socket.
    receiver.onEnough = () => setImmediate(() => settle({ how: 'complete' }));

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error('The request was stopped.'));
      },
      onBodySent(chunk) {
        if (prepared.form === null || phase === 'receiving') return;
        guard(() => {
          phase = 'sending';
          limit(timeouts.stallSeconds);
          sentBytes += chunk.byteLength;
          upload.at(sentBytes);
        });
      },
      onRequestSent() {
        sentAll = true;
        // A gateway may respond before it has received the whole file.
        if (phase === 'receiving') return;
        guard(() => {
          phase = 'waiting';
          timings.sent(prepared.sizeBytes);
          limit(timeouts.firstByteSeconds);
          if (prepared.form) upload.end(sentBytes);
        });
      },
      onResponseStart(started, status) {
        // Skip interim responses (1xx), which precede the final head.
        if (status < 200) return;
        guard(() => {
          phase = 'receiving';
          timings.head();
          limit(timeouts.stallSeconds);
          const rawHeaders = getRawHeaders(started);
          missingBytes = getContentLength(rawHeaders);
          receiver.head(status, rawHeaders);
        });
      },
      onResponseData(controller, chunk) {
        guard(() => {
          if (!isHurried) timer?.refresh();
          timings.received(chunk.length);
          if (missingBytes !== null) missingBytes -= chunk.length;
          const waiting = receiver.data(chunk);
          if (waiting) hold(controller, waiting);
        });
      },
      onResponseEnd() {
        settle({ how: 'complete' }, sentAll);
      },
      onResponseError(_started, seen) {
        // undici reports an error if the socket closes while paused, even after the last byte.
        if (phase === 'receiving' && missingBytes === 0) settle({ how: 'complete' });
        else {
          const slept = lease?.hasSlept() ?? false;
          const cause = lease?.failure() ?? seen;
          settle({ how: 'broken', phase, cause, slept, sizeBytes: prepared.sizeBytes });
        }
      },
    };

    limit(timeouts.connectSeconds);
    network.lease(prepared.url, timings.probe, timeouts.connectSeconds, access.route).then(
      (granted) => {
        if (settled) return granted.release(false);
        lease = granted;
        granted.client.dispatch(
          {
            path: granted.target,
            method: prepared.method,
            headers: [...prepared.headers, ...granted.proxyHeaders],
            body,
          },
          handler,
        );
      },
      (cause: unknown) => {
        settle({
          how: 'broken',
          phase,
          cause: cause instanceof Error ? cause : new Error(String(cause)),
          slept: false,
          sizeBytes: prepared.sizeBytes,
        });
      },
    );
  });
}

function getContentLength(rawHeaders: readonly Buffer[]): number | null {
  const at = rawHeaders.findIndex(
    (name, index) => index % 2 === 0 && /^content-length$/i.test(name.toString('latin1')),
  );
  const value = rawHeaders[at + 1]?.toString('latin1').trim() ?? '';
  return at !== -1 && /^\d+$/.test(value) ? Number(value) : null;
}

function getRawHeaders({ rawHeaders }: Dispatcher.DispatchController): Buffer[] {
  return Array.isArray(rawHeaders) ? rawHeaders.map((part) => Buffer.from(part)) : [];
}
