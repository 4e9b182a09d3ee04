/** keys.json: the keys that outlive the process, readable for this user only, replaced atomically. */
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
    /** Base64 of what the cipher made. */
    encrypted: z.string().min(1),
  }),
]);
export type StoredKey = z.infer<typeof storedKeySchema>;

const fileSchema = z.object({ version: z.literal(1), keys: z.record(z.string(), jsonValueSchema) });

export interface KeyFileContent {
  keys: Map<string, StoredKey>;
  /** Entries that this Gatehouse does not understand, written back as they were. */
  others: Record<string, JsonValue>;
}

export function keyFilePath(home: string): string {
  return join(home, 'keys.json');
}

/** Empty if there is no file. Throws where it cannot be read or is not a key file. */
export async function readKeyFile(home: string): Promise<KeyFileContent> {
  const path = keyFilePath(home);
  const keys = new Map<string, StoredKey>();
  const others: Record<string, JsonValue> = {};
  let text: string;
  try {
    // What an earlier process left in the middle of a write holds keys too.
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

/** The old file or the new one, never half of one. */
export async function writeKeyFile(home: string, { keys, others }: KeyFileContent): Promise<void> {
  const path = keyFilePath(home);
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

/** So that the rename itself survives a power cut; Windows cannot open a folder and need not. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function isMissing(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('code' in cause)) return false;
  // ENOTDIR: the data folder's own path is taken by a file, and everything is kept in memory.
  return cause.code === 'ENOENT' || cause.code === 'ENOTDIR';
}
