/** Stores media items as SQLite rows. */
import { z } from 'zod';
import {
  type LibraryItem,
  libraryItemSchema,
  type Media,
  type MediaQuery,
  type MediaRole,
  type MediaSort,
  mediaRoleSchema,
  mediaSchema,
} from '../../shared/media.ts';
import type { Database } from '../storage/database-access.ts';
import { createUnreadableNotice } from '../storage/rows.ts';
import { escapeLike } from '../storage/search/search-file.ts';

export interface StoredMedia {
  media: Media;
  role: MediaRole;
  runId: string | null;
  hash: string | null;
}

const rowSchema = z
  .object({
    id: z.string(),
    role: mediaRoleSchema,
    run_id: z.string().nullable(),
    hash: z.string().nullable(),
    kind: mediaSchema.shape.kind,
    type: z.string(),
    declared_type: z.string().nullable(),
    name: z.string().nullable(),
    size_bytes: z.number(),
    width: z.number().nullable(),
    height: z.number().nullable(),
    duration_seconds: z.number().nullable(),
    sample_rate: z.number().nullable(),
    channels: z.number().nullable(),
    frame_rate: z.number().nullable(),
    is_cut: z.number().nullable(),
    created_at: z.number(),
  })
  .transform(
    (row): StoredMedia => ({
      role: row.role,
      runId: row.run_id,
      hash: row.hash,
      media: {
        id: row.id,
        kind: row.kind,
        type: row.type,
        declaredType: row.declared_type,
        name: row.name,
        sizeBytes: row.size_bytes,
        complete: row.hash !== null,
        width: row.width,
        height: row.height,
        durationSeconds: row.duration_seconds,
        sampleRate: row.sample_rate,
        channels: row.channels,
        frameRate: row.frame_rate,
        ...(row.is_cut === 1 && { isCut: true }),
        createdAt: row.created_at,
      },
    }),
  );

const MAX_WORDS = 8;
const SEARCHED = "(coalesce(media.name, '') || ' ' || coalesce(run.preview, ''))";

/** Sorted in descending order; the newest item comes first among equals. */
const SORT_KEYS: Record<MediaSort, string[]> = {
  newest: [],
  oldest: ['-media.created_at'],
  largest: ['media.size_bytes'],
  kind: ["instr('file audio video image', media.kind)"],
};

const runRowSchema = z
  .object({
    source_run: z.string(),
    operation: libraryItemSchema.shape.run.unwrap().shape.operation,
    preview: z.string(),
  })
  .transform(({ source_run: id, operation, preview }) => ({ id, operation, preview }));

function getRun(row: unknown): LibraryItem['run'] {
  return runRowSchema.safeParse(row).data ?? null;
}

/** Methods that write throw a `UserFacingError` if the disk fails, and ignore an unknown ID. */
export interface MediaRows {
  insert(item: StoredMedia): void;
  /** Sets the hash and the measured properties. */
  complete(media: Media, hash: string): void;
  /** Removes the hash, so that the item is incomplete again. */
  reopen(id: string): void;
  /** Returns null if the item doesn't exist, was deleted or is unreadable. */
  get(id: string): StoredMedia | null;
  /** Lists complete items; `more` is true if others follow. */
  list(query: MediaQuery): { media: LibraryItem[]; more: boolean };
  rename(id: string, name: string): void;
  setShape(id: string, shape: Pick<Media, 'sampleRate' | 'channels'>): void;
  /** Also finds deleted items that Undo can restore. */
  isNamed(name: string, exceptId: string | null): boolean;
  /** Lists the items that are incomplete. */
  listUnfinished(): StoredMedia[];
  remove(id: string): void;
  hide(id: string, deletedAt: number): void;
  /** Deletes up to `max` items and returns their hashes, which other items may share. */
  purge(deletedAt: number, max: number): string[];
  /** Also returns true for deleted items that Undo can restore. */
  isUsed(hash: string): boolean;
}

export function createMediaRows(db: Database): MediaRows {
  function read(row: unknown): StoredMedia | null {
    const parsed = rowSchema.safeParse(row);
    if (!parsed.success) db.warn(createUnreadableNotice('media'));
    return parsed.success ? parsed.data : null;
  }

  return {
    insert({ media, role, runId, hash }: StoredMedia): void {
      db.write(() =>
        db
          .sql(`INSERT INTO media (id, role, run_id, hash, kind, type, declared_type, name,
            size_bytes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
          .run(
            media.id,
            role,
            runId,
            hash,
            media.kind,
            media.type,
            media.declaredType,
            media.name,
            media.sizeBytes,
            media.createdAt,
          ),
      );
    },
    complete(media: Media, hash: string): void {
      db.write(() =>
        db
          .sql(`UPDATE media SET hash = ?, kind = ?, type = ?, size_bytes = ?, width = ?,
            height = ?, duration_seconds = ?, sample_rate = ?, channels = ?, frame_rate = ?,
            is_cut = ? WHERE id = ?`)
          .run(
            hash,
            media.kind,
            media.type,
            media.sizeBytes,
            media.width,
            media.height,
            media.durationSeconds,
            media.sampleRate,
            media.channels,
            media.frameRate,
            media.isCut === true ? 1 : null,
            media.id,
          ),
      );
    },
    reopen(id: string): void {
      db.write(() => db.sql('UPDATE media SET hash = NULL WHERE id = ?').run(id));
    },
    get(id: string): StoredMedia | null {
      const row = db.sql('SELECT * FROM media WHERE id = ? AND deleted_at IS NULL').get(id);
      return row === undefined ? null : read(row);
    },
    list({ kind, role = null, text = '', sort = 'newest', after, limit }: MediaQuery): {
      media: LibraryItem[];
      more: boolean;
    } {
      const keys = [...SORT_KEYS[sort], 'media.created_at', 'media.id'];
      const words = text.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
      const found = words.map((_, index) => `AND ${SEARCHED} LIKE ?${index + 5} ESCAPE '\\'`);
      const rows = db
        .sql(`SELECT media.*, run.id AS source_run, run.operation, run.preview FROM media
          LEFT JOIN shown_runs run ON run.id = media.run_id
          WHERE hash IS NOT NULL AND media.deleted_at IS NULL AND role <> 'check' AND (?1 IS NULL OR kind = ?1)
          AND (?2 IS NULL OR role = ?2)
          AND (?3 IS NULL OR (${keys.join()}) < (SELECT ${keys.join()} FROM media WHERE id = ?3))
          AND NOT EXISTS (SELECT 1 FROM runs checked
            WHERE checked.id = media.run_id AND checked.check_id IS NOT NULL)
          ${found.join(' ')}
          ORDER BY ${keys.join(' DESC, ')} DESC LIMIT ?4`)
        .all(kind, role, after, limit + 1, ...words.map(escapeLike));
      const media = rows.slice(0, limit).flatMap((row) => {
        const stored = read(row);
        return stored === null ? [] : { ...stored.media, role: stored.role, run: getRun(row) };
      });
      return { media, more: rows.length > limit };
    },
    rename(id: string, name: string): void {
      db.write(() => db.sql('UPDATE media SET name = ? WHERE id = ?').run(name, id));
    },
    setShape(id: string, { sampleRate, channels }: Pick<Media, 'sampleRate' | 'channels'>): void {
      db.write(() =>
        db
          .sql('UPDATE media SET sample_rate = ?, channels = ? WHERE id = ?')
          .run(sampleRate, channels, id),
      );
    },
    isNamed(name: string, exceptId: string | null): boolean {
      const sql = 'SELECT 1 FROM media WHERE name = ? AND id IS NOT ? LIMIT 1';
      return db.sql(sql).get(name, exceptId) !== undefined;
    },
    listUnfinished(): StoredMedia[] {
      const rows = db.sql('SELECT * FROM media WHERE hash IS NULL').all();
      return rows.flatMap((row) => read(row) ?? []);
    },
    remove(id: string): void {
      db.write(() => db.sql('DELETE FROM media WHERE id = ?').run(id));
    },
    hide(id: string, deletedAt: number): void {
      db.write(() => db.sql('UPDATE media SET deleted_at = ? WHERE id = ?').run(deletedAt, id));
    },
    purge: (deletedAt: number, max: number): string[] =>
      db
        .write(() =>
          db
            .sql(`DELETE FROM media WHERE id IN (SELECT id FROM media WHERE deleted_at = ? LIMIT ?)
              RETURNING hash`)
            .all(deletedAt, max),
        )
        .flatMap(({ hash }) => (typeof hash === 'string' ? hash : [])),
    isUsed(hash: string): boolean {
      return db.sql('SELECT 1 FROM media WHERE hash = ? LIMIT 1').get(hash) !== undefined;
    },
  };
}
