/**
 * Takes `100 Continue` out of what a socket receives. Gateways send it unasked; it has to be skipped
 * (RFC 9110, 15.2), but undici ends the exchange where it comes, although the answer follows.
 */
import type { Socket } from 'node:net';

export interface ContinueFilter {
  /** A request is about to be sent: the next bytes are the head of its reply. */
  expectHead(): void;
}

const STATUS_LINE = 'HTTP/1.1 1';
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
/** A longer head is left to undici, which refuses it. */
const MAX_HEAD = 64 * 1024;

export function stripInterimResponses(socket: Socket): ContinueFilter {
  const read = socket.read.bind(socket);
  let isHead = true;
  let held: Buffer = Buffer.alloc(0);

  /** What may be passed on, once it is clear that it is something else; null until then. */
  function pass(chunk: Buffer): Buffer | null {
    held = held.byteLength === 0 ? chunk : Buffer.concat([held, chunk]);
    const passed: Buffer[] = [];
    for (let end = interimEnd(held); end !== null; end = interimEnd(held)) {
      if (getStatus(held) !== '100') passed.push(held.subarray(0, end));
      held = held.subarray(end);
    }
    if (!mayBeInterim(held) || held.byteLength >= MAX_HEAD) {
      passed.push(held);
      isHead = false;
      held = Buffer.alloc(0);
    }
    return passed.length === 0 ? null : Buffer.concat(passed);
  }

  socket.read = (size) => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!isHead || !Buffer.isBuffer(chunk)) return chunk;
      const passed = pass(chunk);
      if (passed !== null) return passed;
    }
  };

  return {
    expectHead() {
      isHead = true;
    },
  };
}

/** Where the interim head at the beginning of `bytes` ends; null if there is none, or not all of it. */
function interimEnd(bytes: Buffer): number | null {
  if (bytes.byteLength < STATUS_LENGTH || !mayBeInterim(bytes)) return null;
  // Lines may end with a line feed alone.
  const ends = ['\n\r\n', '\n\n'].flatMap((end) => {
    const at = bytes.indexOf(end);
    return at === -1 ? [] : [at + end.length];
  });
  return ends.length === 0 ? null : Math.min(...ends);
}

/** As far as it is there. After 101 the connection is no longer HTTP. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, STATUS_LINE.length).replace('/1.0', '/1.1');
  return (
    STATUS_LINE.startsWith(start) &&
    /^\d{0,3}$/.test(getStatus(bytes)) &&
    getStatus(bytes) !== '101'
  );
}

function getStatus(bytes: Buffer): string {
  return bytes.toString('latin1', STATUS_LINE.length - 1, STATUS_LENGTH);
}
