/** Enter in the terminal asks for a fresh address. */
import type { Readable } from 'node:stream';

/** The end of the input, or an input that cannot be read, changes nothing. */
export function onEnter(input: Readable, listener: () => void): void {
  input.on('data', (chunk: Buffer) => {
    if (chunk.includes('\n') || chunk.includes('\r')) listener();
  });
  input.on('error', () => undefined);
}
