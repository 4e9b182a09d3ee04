/** Inspects media files so that a model can describe its input. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, SentPart } from '../../../shared/operations/chat/message.ts';
import { type Measurement, measureMedia } from '../../media/measure-media.ts';
import { readAt, withFile } from '../../media/read-at.ts';
import { SNIFF_BYTES, type Sniffed, sniffMedia, UNKNOWN_TYPE } from '../../media/sniff.ts';
import { runSingle } from '../studio/studio.ts';

interface Inspection extends Sniffed {
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

/** Returns a description such as `image/png, 2,048 bytes, 640 × 480 pixels`. */
export async function describeMedia(
  bytes: Buffer,
  declaredType: string | null,
  signal: AbortSignal,
): Promise<string> {
  const scratch = await createScratchFile();
  const { type, measured } = await scratch.file
    .write(bytes)
    .then(() => inspectFile(scratch.path, declaredType, signal))
    .finally(scratch.dispose);
  const isUnknown = type === UNKNOWN_TYPE && declaredType !== null && declaredType !== type;
  const facts = [
    isUnknown ? `declared as ${declaredType}, but not recognized` : type,
    `${bytes.length.toLocaleString('en-US')} ${bytes.length === 1 ? 'byte' : 'bytes'}`,
  ];
  if (measured === null) facts.push('damaged');
  const { width = null, height = null, durationSeconds = null } = measured ?? {};
  if (width !== null && height !== null) facts.push(`${width} × ${height} pixels`);
  if (durationSeconds !== null) facts.push(`${durationSeconds.toFixed(1)} seconds`);
  return facts.join(', ');
}

export type Descriptions = ReadonlyMap<string, string>;

export async function describeParts(
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<Descriptions> {
  const described = new Map<string, string>();
  const sources = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap(listMediaSources) : [],
  );
  for (const { source, declaredType } of sources) {
    const read = readSource(source);
    if (read === null || described.has(source)) continue;
    const type = read.declaredType ?? declaredType;
    described.set(source, await describeMedia(read.bytes, type, signal));
  }
  return described;
}

function listMediaSources(part: SentPart): { source: string; declaredType: string | null }[] {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'reasoning':
    case 'redacted_thinking':
      return [];
    case 'image_url':
      return [{ source: part.image_url.url, declaredType: null }];
    case 'input_audio':
      return [{ source: part.input_audio.data, declaredType: `audio/${part.input_audio.format}` }];
    case 'file':
      return [{ source: part.file.file_data ?? '', declaredType: null }];
    case 'video_url':
      return [{ source: part.video_url.url, declaredType: null }];
  }
}

/** Returns null for empty data, and for URLs, which are never fetched. */
function readSource(source: string): { bytes: Buffer; declaredType: string | null } | null {
  const comma = source.indexOf(',');
  const isDataUrl = source.startsWith('data:') && comma > 0;
  if (!isDataUrl && /^[a-z][a-z0-9+.-]*:/i.test(source.slice(0, 32))) return null;
  const [declaredType, ...flags] = isDataUrl ? source.slice(5, comma).split(';') : ['', 'base64'];
  const encoding = flags.includes('base64') ? 'base64' : 'utf8';
  const bytes = Buffer.from(source.slice(isDataUrl ? comma + 1 : 0), encoding);
  return bytes.length === 0 ? null : { bytes, declaredType: declaredType || null };
}

export interface ScratchFile {
  path: string;
  file: FileHandle;
  dispose: () => Promise<void>;
}

/** Creates a file that only the current user can read. */
export async function createScratchFile(): Promise<ScratchFile> {
  const path = join(tmpdir(), `gatehouse-demo-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  return {
    path,
    file,
    dispose: async () => {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
