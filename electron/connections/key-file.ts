/**
 * Stores keys in keys.json, which is private to this user and replaced atomically on each write.
 */
import { chmod, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { JsonValue } from '../../shared/json.ts';
import { jsonValueSchema } from '../../shared/json-schema.ts';
import { parseJson } from '../../shared/parse-json.ts';

const storedKeySchema = z.discriminatedUnion('protection', [
  z.object({ protection: z.literal('file'), key: z.string().min(1) }),
  z.object({
    protection: z.literal('keyring'),
    lastFour: z.string(),
    encrypted: z.string().min(1),
  }),
]);
export type StoredKey = z.infer<typeof storedKeySchema>;

const fileSchema = z.object({ version: z.literal(1), keys: z.record(z.string(), jsonValueSchema) });

export interface KeyFileContent {
  keys: Map<string, StoredKey>;
  /** Entries that can't be read, which are preserved on each write. */
  others: Record<string, JsonValue>;
}

export function getKeyFilePath(home: string): string {
  return join(home, 'keys.json');
}

/** Returns empty content if the file doesn't exist; throws if it is unreadable or invalid. */
export async function readKeyFile(home: string): Promise<KeyFileContent> {
  const path = getKeyFilePath(home);
  const keys = new Map<string, StoredKey>();
  const others: Record<string, JsonValue> = {};
  let text: string;
  try {
    // A crash during a write may have left a temporary file with keys.
    await rm(`${path}.tmp`, { force: true });
    text = await readFile(path, 'utf8');
    await chmod(path, 0o600);
  } catch (cause) {
    if (isMissing(cause)) return { keys, others };
    throw cause;
  }
  for (const [id, value] of Object.entries(fileSchema.parse(parseJson(text)).keys)) {
    const { success, data } = storedKeySchema.safeParse(value);
    if (success) keys.set(id, data);
    else others[id] = value;
  }
  return { keys, others };
}

/** After a crash, the file has either the old or the new content, never partial content. */
export async function writeKeyFile(home: string, { keys, others }: KeyFileContent): Promise<void> {
  const path = getKeyFilePath(home);
  const temporary = `${path}.tmp`;
  const content = { version: 1, keys: { ...others, ...Object.fromEntries(keys) } };
  await rm(temporary, { force: true });
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause;
  }
  await syncFolder(dirname(path));
}

/** Syncs the folder, so that the rename survives a power failure; Windows can't open a folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function isMissing(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('code' in cause)) return false;
  // ENOTDIR means that the data folder's path is a file, so all data is in memory.
  return cause.code === 'ENOENT' || cause.code === 'ENOTDIR';
}
