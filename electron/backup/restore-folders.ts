/** Replaces the data with a restored backup at start, in steps that survive a crash. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../shared/contract/system.ts';
import { JOURNAL_FOLDER, LEDGER_COMPANIONS, LEDGER_NAME } from '../storage/file-names.ts';
import { closeLedgerFile, openLedgerFile } from '../storage/ledger-file.ts';
import { countCommands } from './clean-ledger.ts';
import { discardPath, resumeDiscarding } from './discard.ts';
import {
  readCreation,
  readVerified,
  requirePresent,
  requireUnchanged,
  syncFolder,
} from './verified-files.ts';

export const getBackupFolder = (home: string) => join(home, 'backup');
export const getRestoreFolder = (home: string) => join(home, 'restore');
/** Returns the folder of a checked backup that the next start restores. */
export const getReadyFolder = (home: string) => join(getRestoreFolder(home), 'ready');

/** Everything that a restore replaces. Keys are included, so none is sent to a restored URL. */
const REPLACED = [
  LEDGER_NAME,
  ...LEDGER_COMPANIONS.map((end) => LEDGER_NAME + end),
  JOURNAL_FOLDER,
  'media',
  'keys.json',
  'keys.json.tmp',
];

export function readWaiting(home: string): { createdAt: number } | null {
  return readCreation(getReadyFolder(home));
}

/**
 * Call this with the folder locked and nothing open. The name of the folder says which step is
 * next: `ready` (set the data aside), `placing` (move the backup in and open it), `failed` (move
 * it out), `undoing` (move the data back). Renaming the whole folder ends the restore.
 */
export function finishRestore(home: string, warn: (notice: Notice) => void): void {
  discardPath(home, getBackupFolder(home));
  const root = getRestoreFolder(home);
  if (existsSync(root)) {
    const step = (name: string) => join(root, name);
    if (existsSync(step('placing'))) discardPath(home, step('ready'));
    if (existsSync(step('ready'))) setAside(home, step, warn);
    if (existsSync(step('placing'))) place(home, step, warn);
    if (existsSync(step('failed'))) {
      // Without the ledger that was set aside, the files in the data folder are the user's own.
      if (existsSync(join(step('previous'), LEDGER_NAME))) moveAll(home, step('failed'));
      renameSync(step('failed'), step('undoing'));
    }
    if (existsSync(step('undoing'))) moveAll(step('previous'), home);
    syncFolder(home);
    discardPath(home, root);
  }
  resumeDiscarding(home);
}

type GetStep = (name: string) => string;

function setAside(home: string, step: GetStep, warn: (notice: Notice) => void): void {
  try {
    requireUnchanged(step('ready'), readVerified(step('ready')));
    mkdirSync(step('previous'), { recursive: true, mode: 0o700 });
    moveAll(home, step('previous'));
    renameSync(step('ready'), step('placing'));
  } catch (cause) {
    // The process may have crashed after setting aside some of the data.
    renameSync(step('ready'), step('undoing'));
    warn(createFailureNotice(cause));
  }
}

function place(home: string, step: GetStep, warn: (notice: Notice) => void): void {
  try {
    const verified = readVerified(step('placing'));
    moveAll(step('placing'), home);
    requirePresent(home, verified);
    warn(createSuccessNotice(verified, tryOpening(home)));
  } catch (cause) {
    renameSync(step('placing'), step('failed'));
    warn(createFailureNotice(cause));
  }
}

function moveAll(from: string, to: string): void {
  for (const name of REPLACED) {
    if (!existsSync(join(from, name))) continue;
    if (existsSync(join(to, name))) throw new Error(`There are two files named ${name}.`);
    renameSync(join(from, name), join(to, name));
  }
}

/**
 * Throws if the next open would set the database aside as damaged; returns how many MCP servers
 * were turned off.
 */
function tryOpening(home: string): number {
  const ledger = openLedgerFile(join(home, LEDGER_NAME));
  try {
    return countCommands(ledger);
  } finally {
    closeLedgerFile(ledger);
  }
}

function createSuccessNotice({ createdAt }: { createdAt: number }, commands: number): Notice {
  const off =
    commands === 0
      ? ''
      : ' MCP servers that run a command are off. Turn on those you trust in Settings → MCP servers.';
  return {
    id: 'restored',
    level: 'info',
    message: `The backup of ${formatBackupTime(createdAt)} was restored.`,
    nextStep: `Backups have no keys. Enter the keys of your connections again.${off}`,
  };
}

function createFailureNotice(cause: unknown): Notice {
  return {
    id: 'restore-failed',
    level: 'danger',
    message: `The backup couldn’t be restored: ${cause instanceof Error ? cause.message : String(cause)}`,
    nextStep: 'Your data is as it was before.',
  };
}

export function formatBackupTime(ms: number): string {
  return new Date(ms).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}
