/** Media as rows of SQLite. */
import { z } from 'zod';
import { type Media, type MediaQuery, mediaSchema } from '../../shared/media.ts';
import { type Database, unreadable } from '../storage/database-access.ts';
import type { MediaRole } from './media-writer.ts';

export interface StoredMedia {
  media: Media;
  role: MediaRole;
  /** The file's name; null while it grows. */
  hash: string | null;
}

export interface MediaRows {
  insert(stored: StoredMedia): void;
  /** Sets everything but id, role and time. */
  complete(media: Media, hash: string): void;
  /** As it was before `complete`. */
  reopen(id: string): void;
  get(id: string): StoredMedia | null;
  list(query: MediaQuery): { media: Media[]; more: boolean };
  unfinished(): StoredMedia[];
  remove(id: string): void;
  /** Nobody finds it until the deletion is undone. */
  hide(id: string, deletionId: string): void;
  restore(deletionId: string): void;
  /** Deletes what it hid; answers its content. */
  removeHidden(deletionId: string): string | null;
  /** Also by a medium that is hidden. */
  isUsed(hash: string): boolean;
}

const rowSchema = z
  .object({
    id: z.string(),
    role: z.enum(['upload', 'recording', 'output']),
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
    created_at: z.number(),
  })
  .transform(
    (row): StoredMedia => ({
      role: row.role,
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
        createdAt: row.created_at,
      },
    }),
  );

export function createMediaRows(db: Database): MediaRows {
  function read(row: unknown): StoredMedia | null {
    const parsed = rowSchema.safeParse(row);
    if (!parsed.success) db.warn(unreadable('media'));
    return parsed.success ? parsed.data : null;
  }

  return {
    insert({ media, role, hash }) {
      db.write(() =>
        db
          .sql(`INSERT INTO media (id, role, hash, kind, type, declared_type, name, size_bytes,
            created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
          .run(
            media.id,
            role,
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
    complete(media, hash) {
      db.write(() =>
        db
          .sql(`UPDATE media SET hash = ?, kind = ?, type = ?, size_bytes = ?, width = ?,
            height = ?, duration_seconds = ?, sample_rate = ?, channels = ?, frame_rate = ?
            WHERE id = ?`)
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
            media.id,
          ),
      );
    },
    reopen(id) {
      db.write(() => db.sql('UPDATE media SET hash = NULL WHERE id = ?').run(id));
    },
    get(id) {
      const row = db.sql('SELECT * FROM media WHERE id = ? AND deletion IS NULL').get(id);
      return row === undefined ? null : read(row);
    },
    list({ kind, before, limit }) {
      const rows = db
        .sql(`SELECT * FROM media WHERE hash IS NOT NULL AND deletion IS NULL AND (?1 IS NULL OR kind = ?1)
          AND (?2 IS NULL OR (created_at, id) < (?2, ?3))
          ORDER BY created_at DESC, id DESC LIMIT ?4`)
        .all(kind, before?.createdAt ?? null, before?.id ?? null, limit + 1);
      const media = rows.slice(0, limit).flatMap((row) => read(row)?.media ?? []);
      return { media, more: rows.length > limit };
    },
    unfinished() {
      const rows = db.sql('SELECT * FROM media WHERE hash IS NULL').all();
      return rows.flatMap((row) => read(row) ?? []);
    },
    remove(id) {
      db.write(() => db.sql('DELETE FROM media WHERE id = ?').run(id));
    },
    hide(id, deletionId) {
      db.write(() => db.sql('UPDATE media SET deletion = ? WHERE id = ?').run(deletionId, id));
    },
    restore(deletionId) {
      db.sql('UPDATE media SET deletion = NULL WHERE deletion = ?').run(deletionId);
    },
    removeHidden(deletionId) {
      const row = db.write(() =>
        db.sql('DELETE FROM media WHERE deletion = ? RETURNING hash').get(deletionId),
      );
      return typeof row?.hash === 'string' ? row.hash : null;
    },
    isUsed(hash) {
      return db.sql('SELECT 1 FROM media WHERE hash = ? LIMIT 1').get(hash) !== undefined;
    },
  };
}
