/** Joins consecutive WAV files in one file, and fills in lengths that were unknown. */
import type { FileHandle } from 'node:fs/promises';
import { readAt } from './read-at.ts';
import { readWavFormat, repairWavHeader, type WavFormat, writeWavLengths } from './wav-header.ts';

const READ_BYTES = 1024 * 1024;
const HEAD_BYTES = 12;

/** Returns the new size of the file, or null if the file is unchanged. */
export async function joinWavFiles(file: FileHandle, fileBytes: number): Promise<number | null> {
  if ((await readWavFormat(file, fileBytes)) === null) return null;
  const starts = await findHeaders(file, fileBytes);
  const parts: WavFormat[] = [];
  for (const [index, start] of starts.entries()) {
    const part = await readWavFormat(file, starts[index + 1] ?? fileBytes, start);
    if (part !== null) parts.push(part);
  }
  const [first, ...others] = parts;
  if (first === undefined) return null;
  if (!others.every((part) => isSameFormat(part, first))) {
    // Players would treat the later headers as samples of the first file.
    await writeWavLengths(file, first.dataOffset, first.dataBytes);
    return fileBytes;
  }
  if (others.length === 0) {
    if (!first.isOpen || first.dataBytes === 0) return null;
    await repairWavHeader(file, fileBytes);
    return fileBytes;
  }
  let end = first.dataOffset + first.dataBytes - (first.dataBytes % first.frameBytes);
  for (const { dataOffset, dataBytes, frameBytes } of others) {
    end = await moveBytes(file, dataOffset, end, dataBytes - (dataBytes % frameBytes));
  }
  await file.truncate(end);
  await repairWavHeader(file, end);
  return end;
}

function isSameFormat(one: WavFormat, other: WavFormat): boolean {
  return (
    one.encoding === other.encoding &&
    one.channels === other.channels &&
    one.sampleRate === other.sampleRate &&
    one.bitsPerSample === other.bitsPerSample &&
    one.frameBytes === other.frameBytes
  );
}

/** These eight fixed bytes never occur in samples by chance. */
async function findHeaders(file: FileHandle, fileBytes: number): Promise<number[]> {
  const starts: number[] = [];
  for (let offset = 0; offset < fileBytes; offset += READ_BYTES) {
    // The overlap catches a header that spans two blocks.
    const block = await readAt(file, offset, READ_BYTES + HEAD_BYTES - 1);
    for (let at = block.indexOf('RIFF'); at !== -1; at = block.indexOf('RIFF', at + 1)) {
      if (at >= READ_BYTES) break;
      if (block.toString('latin1', at + 8, at + HEAD_BYTES) === 'WAVE') starts.push(offset + at);
    }
  }
  return starts;
}

/** Moves bytes toward the start of the file and returns the offset after them. */
async function moveBytes(
  file: FileHandle,
  from: number,
  to: number,
  count: number,
): Promise<number> {
  for (let done = 0; done < count; ) {
    const bytes = await readAt(file, from + done, Math.min(READ_BYTES, count - done));
    if (bytes.length === 0) return to + done;
    await file.write(bytes, 0, bytes.length, to + done);
    done += bytes.length;
  }
  return to + count;
}
