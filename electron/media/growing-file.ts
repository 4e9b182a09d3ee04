/** A file that grows and can be read while it does. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { SNIFF_BYTES } from './sniff.ts';

export interface GrowingFile {
  readonly sizeBytes: number;
  /** The first bytes, for sniffing. */
  readonly head: Buffer;
  /** `ended` once complete, `broken` where nothing more will come. */
  readonly state: 'growing' | 'ended' | 'broken';
  /**
   * Calls are carried out in order; what could not be written whole is removed again. With `at`, only
   * if the file then ends there, else it rejects with `WrongOffset`.
   */
  write(bytes: Uint8Array, at?: number): Promise<void>;
  /** Reads what is there; 0 at the present end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Resolves at the next write or end. */
  changed(): Promise<void>;
  /** After what was queued: `repair` may still change the file; returns the content's hash. */
  end(repair: ((file: FileHandle) => Promise<void>) | null): Promise<string>;
  /** Readers get an error at the present end; nobody writes any more. */
  breakOff(): void;
  /** Its writer is done: from now on it is found under its content's name. */
  close(): void;
  /** A reader: the file stays open until its writer and every reader have let go of it. */
  retain(): () => void;
}

/** A slice arrived twice, or one is missing. */
export class OffsetMismatchError extends Error {
  readonly expected: number;

  constructor(expected: number) {
    super(`The next byte is number ${expected}.`);
    this.expected = expected;
  }
}

const READ_BYTES = 1024 * 1024;

/** `existing` are the bytes already in the file, when a recording is resumed. */
export function createGrowingFile(path: string, existing = 0): GrowingFile {
  const opening = open(path, existing > 0 ? 'r+' : 'wx+', 0o600);
  // Whoever writes or ends it gets the failure.
  opening.catch(() => undefined);
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let sizeBytes = existing;
  let state: GrowingFile['state'] = 'growing';
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = new Set<() => void>();
  let holders = 0;

  function wake(): void {
    const woken = waiting;
    waiting = new Set();
    for (const resolve of woken) resolve();
  }

  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  function hold(): () => void {
    holders += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      holders -= 1;
      if (holders === 0) void opening.then((file) => file.close()).catch(() => undefined);
    };
  }
  const close = hold();

  function settle(as: 'ended' | 'broken'): void {
    if (state !== 'growing') return;
    state = as;
    wake();
  }

  return {
    get sizeBytes() {
      return sizeBytes;
    },
    get head() {
      return head;
    },
    get state() {
      return state;
    },

    write: (bytes, at) =>
      inOrder(async () => {
        if (state !== 'growing') throw new Error('The file has ended.');
        if (at !== undefined && at !== sizeBytes) throw new OffsetMismatchError(sizeBytes);
        const file = await opening;
        try {
          for (let done = 0; done < bytes.length; ) {
            const position = sizeBytes + done;
            done += (await file.write(bytes, done, bytes.length - done, position)).bytesWritten;
          }
        } catch (cause) {
          await file.truncate(sizeBytes).catch(() => undefined);
          throw cause;
        }
        hash.update(bytes);
        if (head.length < SNIFF_BYTES && sizeBytes === head.length) {
          head = Buffer.concat([head, bytes.subarray(0, SNIFF_BYTES - head.length)]);
        }
        sizeBytes += bytes.length;
        wake();
      }),

    async read(into, position) {
      const room = Math.min(into.length, sizeBytes - position);
      if (room <= 0) return 0;
      const file = await opening;
      return (await file.read(into, 0, room, position)).bytesRead;
    },

    changed: () =>
      state === 'growing' ? new Promise((resolve) => waiting.add(resolve)) : Promise.resolve(),

    end: (repair) =>
      inOrder(async () => {
        if (state !== 'growing') throw new Error('The file has ended.');
        const file = await opening;
        let digest: string;
        if (repair === null) {
          digest = hash.digest('hex');
        } else {
          await repair(file);
          digest = await getHash(file);
          head = await getHead(file);
        }
        await file.datasync();
        settle('ended');
        return digest;
      }),

    breakOff() {
      settle('broken');
      close();
    },

    close,
    // Not closed at its end: it is read there until it has been measured and has its final name.
    retain: hold,
  };
}

async function getHash(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(READ_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

async function getHead(file: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}
