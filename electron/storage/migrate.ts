/** Brings a ledger of any earlier schema up to the one this Gatehouse knows. */
import type { DatabaseSync } from 'node:sqlite';
import { UserFacingError } from '../../shared/errors.ts';
import { titleFrom } from './conversation-title.ts';
import { runsMigration } from './migrations/1-runs.ts';
import { conversationsMigration } from './migrations/2-conversations.ts';
import { mediaMigration } from './migrations/3-media.ts';
import { chatMigration } from './migrations/4-chat.ts';
import { runTextsMigration } from './migrations/5-run-texts.ts';
import { formsMigration } from './migrations/6-forms.ts';
import { exchangesMigration } from './migrations/7-exchanges.ts';
import { runInputMigration } from './migrations/8-run-input.ts';
import { runStateMigration } from './migrations/9-run-state.ts';
import { deletionsMigration } from './migrations/10-deletions.ts';
import { mediaOriginMigration } from './migrations/11-media-origin.ts';
import { presetsMigration } from './migrations/12-presets.ts';
import { noResultMigration } from './migrations/13-no-result.ts';
import { plainTitlesMigration } from './migrations/14-plain-titles.ts';
import { taggedReasoningMigration } from './migrations/15-tagged-reasoning.ts';
import { frameFileMigration } from './migrations/16-frame-file.ts';
import { comparisonsMigration } from './migrations/17-comparisons.ts';
import { pricesMigration } from './migrations/18-prices.ts';
import { comparisonNotesMigration } from './migrations/19-comparison-notes.ts';
import { blindComparisonsMigration } from './migrations/20-blind-comparisons.ts';
import { runOutcomesMigration } from './migrations/21-run-outcomes.ts';
import { eventKeysMigration } from './migrations/22-event-keys.ts';
import { migrateEarlyEvents } from './migrations/23-early-events.ts';
import { inTransaction, newerVersionError } from './transaction.ts';

/** Schema n is what the first n of these make; a published one is never changed. */
const migrations = [
  runsMigration,
  conversationsMigration,
  mediaMigration,
  chatMigration,
  runTextsMigration,
  formsMigration,
  exchangesMigration,
  runInputMigration,
  runStateMigration,
  deletionsMigration,
  mediaOriginMigration,
  presetsMigration,
  noResultMigration,
  plainTitlesMigration,
  taggedReasoningMigration,
  frameFileMigration,
  comparisonsMigration,
  pricesMigration,
  comparisonNotesMigration,
  blindComparisonsMigration,
  runOutcomesMigration,
  eventKeysMigration,
  migrateEarlyEvents,
];

/** Also writes when there is nothing to change, so that a file which cannot be written is found now. */
export function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > migrations.length)
    throw new UserFacingError(newerVersionError('schema', version, migrations.length));
  db.function('title_from', { deterministic: true }, (text) => titleFrom(String(text)));
  inTransaction(db, () => {
    for (const migration of migrations.slice(version)) {
      if (typeof migration === 'string') db.exec(migration);
      else migration(db);
    }
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
