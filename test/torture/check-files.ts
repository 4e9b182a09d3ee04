/** Reads a copy of the data right after a kill, before the next host starts. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { redactAll } from '../../electron/redaction/redactor.ts';
import { readStoredView } from '../../electron/runs/stored-view.ts';
import { openStorage } from '../../electron/storage/database.ts';
import { createLedger, type Ledger } from '../../electron/storage/ledger.ts';
import { getResponse } from '../../shared/run-view.ts';
import { isText, type Journal, type SeenRun } from './journal.ts';
import { sha256 } from './work.ts';

export interface FileFigures {
  runs: number;
  /** Events that a page received and that are stored with the same text. */
  events: number;
}

/** Throws if an event that a page received is missing, or anything differs. */
export async function checkFiles(home: string, journal: Journal): Promise<FileFigures> {
  const copy = `${home}-copy`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  for (const name of existsSync(home) ? readdirSync(home) : []) {
    if (!/^(?:ledger\.sqlite|journal$)/.test(name)) continue;
    cpSync(join(home, name), join(copy, name), { recursive: true });
  }
  checkIntegrity(join(copy, 'ledger.sqlite'));
  const storage = openStorage({ home: copy, now: Date.now, inline: true });
  const ledger = createLedger(storage);
  const figures: FileFigures = { runs: 0, events: 0 };
  try {
    for (const runId of ledger.listLeftJournals()) {
      await ledger.recoverJournal(runId, async () => redactAll([]), new AbortController().signal);
    }
    if (storage.notices.length > 0) throw new Error(JSON.stringify(storage.notices));
    for (const run of journal.open.values()) {
      await checkStored(ledger, run);
      figures.runs += 1;
      figures.events += run.seen?.seq ?? 0;
    }
  } finally {
    ledger.close();
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

async function checkStored(ledger: Ledger, run: SeenRun): Promise<void> {
  const about = `${run.operation} run ${run.id} (${run.jobId})`;
  const stored = ledger.run(run.id);
  if (stored === null) throw new Error(`${about} is gone.`);
  const page = { after: 0, limit: Number.MAX_SAFE_INTEGER, kinds: null };
  const numbers = ledger.events(run.id, page).events.map(({ seq }) => seq);
  const gap = numbers.findIndex((seq, at) => seq !== at + 1);
  if (gap !== -1) throw new Error(`${about}: event ${gap + 1} is missing of ${numbers.length}.`);
  const seen = run.seen?.seq ?? 0;
  if (seen > numbers.length) {
    throw new Error(`${about}: a page saw ${seen} events, and ${numbers.length} are on disk.`);
  }
  const { text } = getResponse(await readStoredView(ledger, stored));
  const known = run.seen?.text ?? '';
  if (isText(run) && !text.startsWith(known)) throw new Error(`${about} has another text.`);
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
