/** Measures how much disk space the data folder uses, by kind. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DiskUse } from '../shared/contract/system.ts';
import { mediaKindSchema } from '../shared/media.ts';
import { getLogPath } from './log-file.ts';
import type { Database } from './storage/database-access.ts';
import { JOURNAL_FOLDER, LEDGER_COMPANIONS, LEDGER_NAME } from './storage/file-names.ts';
import { readRows } from './storage/rows.ts';

const DATABASE_FILES = ['', ...LEDGER_COMPANIONS].map((end) => LEDGER_NAME + end);

const mediaUseSchema = z.object({ kind: mediaKindSchema, bytes: z.number(), items: z.int() });

/** Skips files that are missing; a file with several media items counts once. */
export async function measureDiskUse(db: Database, home: string): Promise<DiskUse[]> {
  const rows = db
    .sql(`SELECT kind, count(*) AS items, sum(size_bytes) AS bytes
      FROM (SELECT kind, max(size_bytes) AS size_bytes FROM media
        WHERE hash IS NOT NULL GROUP BY hash) GROUP BY kind ORDER BY bytes DESC`)
    .all();
  const media = readRows(db, mediaUseSchema, rows, 'media');
  const peaks = await sumFolder(join(home, 'media'), (name) => name.endsWith('.peaks'));
  const journals = await sumFolder(join(home, JOURNAL_FOLDER), () => true);
  const logs = await sumFolder(join(getLogPath(home), '..'), () => true);
  return [
    { kind: 'database', bytes: await sumFiles(home, DATABASE_FILES), items: null },
    { kind: 'events', bytes: journals.bytes, items: null },
    ...media,
    { kind: 'waveforms', ...peaks },
    { kind: 'logs', ...logs },
  ];
}

async function sumFiles(folder: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sumFolder(folder: string, isCounted: (name: string) => boolean) {
  const names = (await readdir(folder).catch(() => [])).filter(isCounted);
  return { bytes: await sumFiles(folder, names), items: names.length };
}
