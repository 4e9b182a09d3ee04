/** Reads a copy of the data right after a kill, before the next host starts. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readStoredView } from '../../electron/runs/stored-view.ts';
import { openStorage } from '../../electron/storage/database.ts';
import { createLedger, type Ledger } from '../../electron/storage/ledger.ts';
import { getResponse } from '../../shared/run-view.ts';
import { isText, type Journal, type SeenRun, type Sight } from './journal.ts';
import { sha256 } from './work.ts';

export interface FileFigures {
  runs: number;
  /** Events that a page received and that are stored with the same text. */
  events: number;
  /** The time between receiving the oldest missing event and the kill. */
  oldestLostMs: number;
}

/** Removes missing events from the journal. Throws on any other difference. */
export async function checkFiles(
  home: string,
  journal: Journal,
  killedAtMs: number,
): Promise<FileFigures> {
  const copy = `${home}-copy`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  for (const name of existsSync(home) ? readdirSync(home) : []) {
    if (/^(?:ledger|frames)\.sqlite/.test(name)) cpSync(join(home, name), join(copy, name));
  }
  for (const name of ['ledger.sqlite', 'frames.sqlite']) checkIntegrity(join(copy, name));
  const storage = openStorage({ home: copy, now: Date.now, inline: true });
  const ledger = createLedger(storage);
  const figures: FileFigures = { runs: 0, events: 0, oldestLostMs: 0 };
  try {
    if (storage.notices.length > 0) throw new Error(JSON.stringify(storage.notices));
    for (const run of journal.open.values()) {
      const lost = await takeLost(ledger, run);
      figures.runs += 1;
      figures.events += run.sights.at(-1)?.seq ?? 0;
      const lostMs = killedAtMs - (lost[0]?.atMs ?? killedAtMs);
      figures.oldestLostMs = Math.max(figures.oldestLostMs, lostMs);
    }
  } finally {
    await ledger.close();
    await storage.close();
  }
  return figures;
}

function checkIntegrity(path: string): void {
  if (!existsSync(path)) return;
  const db = new DatabaseSync(path);
  const finding = db.prepare('PRAGMA integrity_check').get()?.integrity_check;
  const references = db.prepare('PRAGMA foreign_key_check').all();
  db.close();
  if (finding !== 'ok' || references.length > 0) {
    throw new Error(`${path}: ${finding} ${JSON.stringify(references)}`);
  }
}

async function takeLost(ledger: Ledger, run: SeenRun): Promise<Sight[]> {
  const about = `${run.operation} run ${run.id} (${run.jobId})`;
  const stored = ledger.run(run.id);
  if (stored === null) throw new Error(`${about} is gone.`);
  const page = { after: 0, limit: Number.MAX_SAFE_INTEGER, kinds: null };
  const numbers = ledger.events(run.id, page).events.map(({ seq }) => seq);
  const gap = numbers.findIndex((seq, at) => seq !== at + 1);
  if (gap !== -1) throw new Error(`${about}: event ${gap + 1} is missing of ${numbers.length}.`);
  const lost = run.sights.filter(({ seq }) => seq > numbers.length);
  run.sights = run.sights.filter(({ seq }) => seq <= numbers.length);
  const { text } = getResponse(await readStoredView(ledger, stored));
  const known = run.sights.at(-1)?.text ?? '';
  if (isText(run) && !text.startsWith(known)) throw new Error(`${about} has another text.`);
  return lost;
}

/** Checks that the hash of every stored file matches its name, and returns the number of files. */
export function checkMediaFiles(home: string): number {
  const folder = join(home, 'media');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const hashes = names.filter((name) => /^[0-9a-f]{64}$/.test(name));
  for (const name of hashes) {
    if (sha256(readFileSync(join(folder, name))) !== name) throw new Error(`${name} is damaged.`);
  }
  return hashes.length;
}
