/**
 * Removes unsolicited `100 Continue` responses (RFC 9110, 15.2), which end undici's exchange.
 */
import type { Socket } from 'node:net';

export interface ContinueFilter {
  /** Call this when the next bytes are a response head. */
  expectHead(): void;
}

const STATUS_LINE = 'HTTP/1.1 1';
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
const MAX_HEAD = 64 * 1024;

export function stripInterimResponses(socket: Socket): ContinueFilter {
  const read = socket.read.bind(socket);
  let isHead = true;
  let held: Buffer = Buffer.alloc(0);

  /** Returns the bytes to forward, or null until the response head is complete. */
  function pass(chunk: Buffer): Buffer | null {
    held = held.byteLength === 0 ? chunk : Buffer.concat([held, chunk]);
    const passed: Buffer[] = [];
    for (let end = findInterimEnd(held); end !== null; end = findInterimEnd(held)) {
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

/** Returns the end offset of an interim response at the start of `bytes`, or null if incomplete. */
function findInterimEnd(bytes: Buffer): number | null {
  if (bytes.byteLength < STATUS_LENGTH || !mayBeInterim(bytes)) return null;
  // Some gateways end lines with a bare line feed.
  const ends = ['\n\r\n', '\n\n'].flatMap((end) => {
    const at = bytes.indexOf(end);
    return at === -1 ? [] : [at + end.length];
  });
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Excludes 101, because the connection no longer uses HTTP after it. */
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
