/**
 * Takes `100 Continue` out of what a socket receives. Gateways send it unasked; it has to be skipped
 * (RFC 9110, 15.2), but undici ends the exchange where it comes, although the answer follows.
 */
import type { Socket } from 'node:net';

export interface ContinueFilter {
  /** A request is about to be sent: the next bytes are the head of its reply. */
  expectHead(): void;
}

const CONTINUE = 'HTTP/1.1 100';
const END = '\r\n\r\n';
/** A longer head is left to undici, which refuses it. */
const LONGEST_HEAD = 64 * 1024;

export function skipContinue(socket: Socket): ContinueFilter {
  const read = socket.read.bind(socket);
  let isHead = true;
  let held: Buffer = Buffer.alloc(0);

  /** What may be passed on, once it is clear that it is something else; null until then. */
  function pass(chunk: Buffer): Buffer | null {
    held = held.byteLength === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const start = held.toString('latin1', 0, CONTINUE.length).replace('/1.0', '/1.1');
      const end = start === CONTINUE ? held.indexOf(END) : -1;
      if (end === -1) break;
      held = held.subarray(end + END.length);
    }
    const start = held.toString('latin1', 0, CONTINUE.length).replace('/1.0', '/1.1');
    if (CONTINUE.startsWith(start) && held.byteLength < LONGEST_HEAD) return null;
    const passed = held;
    isHead = false;
    held = Buffer.alloc(0);
    return passed;
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
