/** Deletes all data of a kind at once, with a single Undo. */
import type { ClearedKind, StoredData } from '../../shared/contract/data.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import { yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import type { Comparisons } from '../comparisons/comparisons.ts';
import type { Database } from '../storage/database-access.ts';
import { type Deletions, showRuns } from '../storage/deletions.ts';
import {
  hideChecks,
  hideComparisons,
  hideConversations,
  hideMedia,
  hideRuns,
  hideSavedItems,
} from './clear-data.ts';

export interface ClearingOptions {
  db: Database;
  deletions: Pick<Deletions, 'softDeleteSlowly'>;
  comparisons: Pick<Comparisons, 'leave' | 'forget'>;
  changes: Pick<ChangeEmitter, 'announce'>;
  /** Resolves when the runs of an earlier process have ended or continue, or after some seconds. */
  waitUntilRecovered: () => Promise<void>;
  flush: () => void;
  /** Deletes journals that couldn't be read, which Undo doesn't restore. */
  removeSetAside: () => void;
  countUnfinished: () => number;
}

export interface Clearing {
  /** Counts what `clear` would delete. */
  countStored(): StoredData;
  /** Returns an ID for Undo; throws a `UserFacingError` if requests are in progress. */
  clear(kind: ClearedKind): Promise<string>;
}

export function createClearing(options: ClearingOptions): Clearing {
  const { db, deletions, comparisons, changes } = options;

  function announceAll(): void {
    const topics = [
      'runs',
      'comparisons',
      'checks',
      'conversations',
      'media',
      'saved-items',
    ] as const;
    for (const topic of topics) changes.announce(topic);
  }

  return {
    countStored(): StoredData {
      const row = db
        .sql(`SELECT (SELECT count(*) FROM shown_runs) AS runs,
          (SELECT count(*) FROM shown_conversations) AS conversations,
          (SELECT count(*) FROM saved_items WHERE deleted_at IS NULL) AS savedItems,
          count(*) AS mediaFiles, coalesce(sum(bytes), 0) AS mediaBytes
          FROM (SELECT max(size_bytes) AS bytes FROM media
            WHERE hash IS NOT NULL AND deleted_at IS NULL GROUP BY hash)`)
        .get();
      return {
        runs: Number(row?.runs),
        conversations: Number(row?.conversations),
        mediaFiles: Number(row?.mediaFiles),
        mediaBytes: Number(row?.mediaBytes),
        savedItems: Number(row?.savedItems),
      };
    },

    async clear(kind: ClearedKind): Promise<string> {
      await options.waitUntilRecovered();
      const running = kind === 'media' ? 0 : options.countUnfinished();
      if (running > 0) throw new UserFacingError(createRunningError(running));
      options.flush();
      const isWanted = (other: ClearedKind) => kind === other || kind === 'everything';
      let conversationIds: string[] = [];
      let comparisonIds: string[] = [];
      const deletionId = await deletions.softDeleteSlowly({
        hide(at) {
          if (isWanted('conversations')) conversationIds = hideConversations(db, at);
          if (isWanted('runs')) comparisonIds = hideComparisons(db, at);
          if (isWanted('media')) hideMedia(db, at);
          if (kind === 'everything') {
            hideSavedItems(db, at);
            hideChecks(db, at);
          }
        },
        async hideRuns(at) {
          for (const id of conversationIds) comparisons.leave(id);
          comparisons.forget(comparisonIds);
          let row: number | null = isWanted('runs') ? 0 : null;
          while (row !== null) {
            row = hideRuns(db, { row, deletedAt: at });
            await yieldToEventLoop(Number.POSITIVE_INFINITY);
          }
        },
        restoreSlowly: (at) => showRuns(db, at),
        onRestored: announceAll,
      });
      if (isWanted('runs')) options.removeSetAside();
      announceAll();
      return deletionId;
    },
  };
}

function createRunningError(count: number) {
  return appError(
    'invalid-request',
    count === 1 ? 'A request is in progress.' : `${count} requests are in progress.`,
    'Nothing was deleted. Stop them or wait for them, then try again.',
  );
}
