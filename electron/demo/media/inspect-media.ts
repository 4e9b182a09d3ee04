/** What a received file really is: type by its bytes, pixels, length. */
import { measureMedia } from '../../media/measure-media.ts';
import type { Measurement } from '../../media/measurement.ts';
import { readAt, withFile } from '../../media/read-at.ts';
import { SNIFF_BYTES, type Sniffed, sniffMedia, UNKNOWN_TYPE } from '../../media/sniff.ts';
import { runSingle } from '../studio/studio.ts';
import { createScratchFile } from './scratch-file.ts';

export interface Inspection extends Sniffed {
  /** Null if the file is damaged. */
  measured: Measurement | null;
}

export async function inspectFile(
  path: string,
  declaredType: string | null,
  signal: AbortSignal,
): Promise<Inspection> {
  const head = await withFile(path, (file) => readAt(file, 0, SNIFF_BYTES));
  const sniffed = sniffMedia(head, declaredType);
  try {
    const measured = await measureMedia(path, sniffed, (filePath, type) =>
      runSingle({ kind: 'measure', path: filePath, type }, signal),
    );
    return { kind: measured.kind ?? sniffed.kind, type: measured.type ?? sniffed.type, measured };
  } catch {
    signal.throwIfAborted();
    return { ...sniffed, measured: null };
  }
}

export async function inspectBytes(
  bytes: Buffer,
  declaredType: string | null,
  signal: AbortSignal,
): Promise<Inspection> {
  const scratch = await createScratchFile();
  try {
    await scratch.file.write(bytes);
    return await inspectFile(scratch.path, declaredType, signal);
  } finally {
    await scratch.dispose();
  }
}

/** `image/png, 2,048 bytes, 640 × 480 pixels`. */
export function describeInspection(
  sizeBytes: number,
  { type, measured }: Inspection,
  declaredType: string | null,
): string {
  const isUnknown = type === UNKNOWN_TYPE && declaredType !== null && declaredType !== type;
  const facts = [
    isUnknown ? `declared as ${declaredType}, but not recognized` : type,
    `${sizeBytes.toLocaleString('en-US')} ${sizeBytes === 1 ? 'byte' : 'bytes'}`,
  ];
  if (measured === null) facts.push('damaged');
  const { width = null, height = null, durationSeconds = null } = measured ?? {};
  if (width !== null && height !== null) facts.push(`${width} × ${height} pixels`);
  if (durationSeconds !== null) facts.push(`${durationSeconds.toFixed(1)} seconds`);
  return facts.join(', ');
}
