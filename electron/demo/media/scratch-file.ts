/** Files that exist for one request. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScratchFile {
  path: string;
  file: FileHandle;
  /** Closes and deletes it. */
  dispose: () => Promise<void>;
}

/** Nobody else can read it. */
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
