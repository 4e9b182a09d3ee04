/** Streams a backup, whose length is known before it is read. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile, Manifest } from './backup-manifest.ts';
import { MANIFEST_NAME } from './backup-names.ts';
import { createTarHeader, getPaddedSize, TAR_BLOCK_BYTES, TAR_END_BYTES } from './tar-file.ts';

const CHUNK_BYTES = 256 * 1024;

export interface BackupContent {
  manifest: Manifest;
  /** Holds the copies of the databases. */
  folder: string;
  mediaFolder: string;
}

function encodeManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}

export function measureBackup({ manifest }: BackupContent): number {
  const sizes = [encodeManifest(manifest).length, ...manifest.files.map(({ bytes }) => bytes)];
  return sizes.reduce((sum, bytes) => sum + TAR_BLOCK_BYTES + getPaddedSize(bytes), TAR_END_BYTES);
}

/** Throws if a file was deleted or changed after it was listed. */
export async function* streamBackup(content: BackupContent): AsyncGenerator<Uint8Array, void> {
  const { manifest } = content;
  const head = encodeManifest(manifest);
  const at = manifest.createdAt;
  yield createTarHeader({ name: MANIFEST_NAME, sizeBytes: head.length }, at);
  yield head;
  yield* pad(head.length);
  for (const file of manifest.files) {
    yield createTarHeader({ name: file.name, sizeBytes: file.bytes }, at);
    yield* readFile(getPath(content, file.name), file);
    yield* pad(file.bytes);
  }
  yield Buffer.alloc(TAR_END_BYTES);
}

function getPath({ folder, mediaFolder }: BackupContent, name: string): string {
  return name.startsWith('media/') ? join(mediaFolder, name.slice(6)) : join(folder, name);
}

async function* readFile(path: string, { name, bytes }: BackupFile) {
  const file = await open(path);
  try {
    for (let position = 0; position < bytes; ) {
      const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, bytes - position));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) throw new Error(`${name} is shorter than it was.`);
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function* pad(sizeBytes: number) {
  const padding = getPaddedSize(sizeBytes) - sizeBytes;
  if (padding > 0) yield Buffer.alloc(padding);
}
