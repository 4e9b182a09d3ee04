/** Computes a file's checksum; call this in a thread for a large file, because it blocks. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const READ_BYTES = 1024 * 1024;

export function hashFile(path: string, onRead: (bytes: number) => void = () => undefined): string {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(READ_BYTES);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const bytes = readSync(file, buffer);
      if (bytes === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytes));
      onRead(bytes);
    }
  } finally {
    closeSync(file);
  }
}
