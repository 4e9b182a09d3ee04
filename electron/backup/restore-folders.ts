/** Replaces the data with a restored backup at start, in steps that survive a crash. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Notice } from '../../shared/contract/system.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { closeFrameFile, openFrameFile } from '../storage/frames/frame-file.ts';
import { closeLedgerFile, openLedgerFile } from '../storage/ledger-file.ts';
import { manifestSchema } from './backup-manifest.ts';
import { FRAMES_NAME, LEDGER_NAME, MANIFEST_NAME } from './backup-names.ts';

export const backupFolder = (home: string) => join(home, 'backup');
export const restoreFolder = (home: string) => join(home, 'restore');
/** Returns the folder of a checked backup that the next start restores. */
export const readyFolder = (home: string) => join(restoreFolder(home), 'ready');

/** Everything that a restore replaces. Keys are included, so none is sent to a restored URL. */
const REPLACED = [
  ...[LEDGER_NAME, FRAMES_NAME].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
  ...['media', 'keys.json', 'keys.json.tmp'],
];

export function readWaiting(home: string): { createdAt: number } | null {
  return readCreation(readyFolder(home));
}

function readCreation(folder: string): { createdAt: number } | null {
  try {
    const text = readFileSync(join(folder, MANIFEST_NAME), 'utf8');
    return manifestSchema.pick({ createdAt: true }).safeParse(parseJson(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Call this with the folder locked and nothing open. The name of the folder says which step is
 * next: `ready` (set the data aside), `placing` (move the backup in and open it), `failed` (move
 * it out), `undoing` (move the data back).
 */
export function finishRestore(home: string, warn: (notice: Notice) => void): void {
  rmSync(backupFolder(home), { recursive: true, force: true });
  const root = restoreFolder(home);
  if (!existsSync(root)) return;
  const step = (name: string) => join(root, name);
  const previous = step('previous');
  if (existsSync(step('ready'))) {
    mkdirSync(previous, { recursive: true, mode: 0o700 });
    moveAll(home, previous);
    renameSync(step('ready'), step('placing'));
  }
  if (existsSync(step('placing'))) {
    const manifest = readCreation(step('placing'));
    try {
      moveAll(step('placing'), home);
      tryOpening(home);
      rmSync(step('placing'), { recursive: true, force: true });
      warn(describeSuccess(manifest));
    } catch (cause) {
      renameSync(step('placing'), step('failed'));
      warn(describeFailure(cause));
    }
  }
  if (existsSync(step('failed'))) {
    moveAll(home, step('failed'));
    renameSync(step('failed'), step('undoing'));
  }
  if (existsSync(step('undoing'))) moveAll(previous, home);
  rmSync(root, { recursive: true, force: true });
}

function moveAll(from: string, to: string): void {
  for (const name of REPLACED) {
    if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
  }
}

/** Throws if the next open would set a database aside as damaged. */
function tryOpening(home: string): void {
  const ledger = openLedgerFile(join(home, LEDGER_NAME));
  try {
    closeFrameFile(openFrameFile(join(home, FRAMES_NAME), getId(ledger)));
  } finally {
    closeLedgerFile(ledger);
  }
}

function getId(ledger: DatabaseSync): string {
  return String(ledger.prepare('SELECT id FROM identity').get()?.id);
}

function describeSuccess(manifest: { createdAt: number } | null): Notice {
  const made = manifest === null ? '' : ` of ${formatTime(manifest.createdAt)}`;
  return {
    id: 'restored',
    level: 'info',
    message: `The backup${made} was restored.`,
    nextStep: 'Backups have no keys. Enter the keys of your connections again.',
  };
}

function describeFailure(cause: unknown): Notice {
  return {
    id: 'restore-failed',
    level: 'danger',
    message: `The backup couldn’t be restored: ${cause instanceof Error ? cause.message : String(cause)}`,
    nextStep: 'Your data is as it was before.',
  };
}

export function formatTime(ms: number): string {
  return new Date(ms).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}
