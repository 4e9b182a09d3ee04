import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mediaSchema } from '../../shared/media.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { openTestMedia, store } from '../fixtures/media-service.ts';
import { wav } from '../fixtures/sounds.ts';

const text = (content: string) => Buffer.from(content);
const stored = (home: string) =>
  readdirSync(join(home, 'media')).filter((name) => /^[0-9a-f]{64}$/.test(name));
const incoming = (home: string) => readdirSync(join(home, 'media', 'incoming'));

test('stores bytes under the hash of their content, for this user only', async () => {
  const { media, home } = openTestMedia();
  const { id } = await store(media, text('hello'), { name: 'hello.txt' });
  const hash = createHash('sha256').update('hello').digest('hex');
  expect(stored(home)).toEqual([hash]);
  expect(media.path(id)).toBe(join(home, 'media', hash));
  expect(statSync(media.path(id)).mode & 0o077).toBe(0);
  expect(await media.readBytes(id)).toEqual(text('hello'));
  expect(incoming(home)).toEqual([]);
});

test('gives every media item an unguessable ID, and stores equal content once', async () => {
  const { media, home } = openTestMedia();
  const one = await store(media, text('same'), { name: 'a' });
  const other = await store(media, text('same'), { name: 'b' });
  expect(one.id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(one.id).not.toBe(other.id);
  expect(stored(home)).toHaveLength(1);

  media.remove(one.id);
  expect(media.get(one.id)).toBeNull();
  expect(await media.readBytes(other.id)).toEqual(text('same'));
  media.remove(other.id);
  expect(stored(home)).toEqual([]);
});

test('hides a deleted item until Undo, and deletes its file once that is final', async () => {
  const { media, home, deletions, timer, changed } = openTestMedia();
  const { id } = await store(media, text('kept'));
  const query = { kind: null, after: null, limit: 10 };
  const deletionId = media.discard(id) ?? '';
  expect(media.get(id)).toBeNull();
  expect(media.list(query).media).toEqual([]);
  expect(stored(home)).toHaveLength(1);
  changed.length = 0;
  deletions.undo([deletionId]);
  expect(changed).toEqual([id]);
  expect(await media.readBytes(id)).toEqual(text('kept'));
  media.discard(id);
  const twin = await store(media, text('kept'));
  timer.advance(60_000);
  expect(await media.readBytes(twin.id)).toEqual(text('kept'));
  media.discard(twin.id);
  timer.advance(60_000);
  expect(stored(home)).toEqual([]);
  expect(media.discard(id)).toBeNull();
});

test('deletes a file that another program holds open at the next start', async () => {
  const { media, home, deletions, timer } = openTestMedia();
  const { id } = await store(media, text('held'));
  const path = media.path(id);
  const deletionId = media.discard(id) ?? '';
  // A folder can't be deleted as a file, so the deletion fails.
  rmSync(path);
  mkdirSync(path);
  timer.advance(60_000);
  expect(() => deletions.undo([deletionId])).toThrow('no longer be undone');
  rmdirSync(path);
  writeFileSync(path, 'held');
  deletions.purgeOld();
  expect(stored(home)).toEqual([]);
});

test('reports its type while it grows and when it is complete', async () => {
  const { media, changed } = openTestMedia();
  const bytes = wav({ seconds: 2, channels: 2 });
  const writer = media.begin({ name: 'tone.wav', declaredType: 'audio/x-wav' });
  expect(media.get(writer.id)).toMatchObject({ complete: false, sizeBytes: 0 });
  await writer.write(bytes.subarray(0, 1000));
  expect(media.get(writer.id)).toMatchObject({ kind: 'audio', type: 'audio/wav', sizeBytes: 1000 });
  await writer.write(bytes.subarray(1000));
  const complete = await writer.finish();
  expect(mediaSchema.parse(complete)).toMatchObject({
    name: 'tone.wav',
    declaredType: 'audio/x-wav',
    type: 'audio/wav',
    kind: 'audio',
    complete: true,
    sizeBytes: bytes.length,
    durationSeconds: 2,
    sampleRate: 8000,
    channels: 2,
  });
  expect(media.get(writer.id)).toEqual(complete);
  expect(changed).toEqual([writer.id]);
});

test('rejects an empty file with a message, and discards it', async () => {
  const { media, home } = openTestMedia();
  const writer = media.begin({ name: 'nothing.wav', declaredType: 'audio/wav' });
  await expect(writer.finish()).rejects.toMatchObject({
    error: { kind: 'file', message: 'The file “nothing.wav” is empty.' },
  });
  expect(media.get(writer.id)).toBeNull();
  expect(incoming(home)).toEqual([]);
});

test('deletes an aborted file, and keeps a complete one', async () => {
  const { media, home } = openTestMedia();
  const writer = media.begin({ name: null, declaredType: null });
  await writer.write(text('half'));
  await writer.abort();
  expect([media.get(writer.id), incoming(home)]).toEqual([null, []]);
  await expect(writer.write(text('more'))).rejects.toMatchObject({ error: { kind: 'file' } });

  const kept = media.begin({ name: null, declaredType: null });
  await kept.write(text('whole'));
  await kept.finish();
  await kept.abort();
  expect(media.get(kept.id)?.complete).toBe(true);
});

test('rejects a file that doesn’t fit on the disk before a byte is sent', () => {
  const { media, home } = openTestMedia();
  expect(() => media.begin({ name: 'x', declaredType: null, sizeBytes: 1e15 })).toThrow(
    /^Not enough disk space. This file needs 1,000,000,000 MB; [\d,]+ MB is free\.$/,
  );
  expect(incoming(home)).toEqual([]);
});

test('reports a full disk, and keeps earlier files intact', () => {
  const script = join(import.meta.dirname, '../fixtures/store-until-full.ts');
  const limited = 'trap "" XFSZ; ulimit -f 1000; exec "$0" "$1" "$2" 2>&1 | cat';
  const { stdout } = spawnSync('bash', ['-c', limited, 'node', script, temporaryFolder()], {
    encoding: 'utf8',
  });
  // 1,000 blocks of 1,024 bytes.
  expect(JSON.parse(stdout)).toMatchObject({
    error: {
      kind: 'file',
      message: 'The file couldn’t be stored: the file is too large for this disk.',
    },
    sizeBytes: 1_000_000,
    complete: true,
  });
});

describe('the list', () => {
  test('lists the newest first, by kind, in pages, without incomplete uploads', async () => {
    const { media } = openTestMedia();
    const ids: string[] = [];
    for (const content of ['a', 'b', 'c']) ids.unshift((await store(media, text(content))).id);
    const sound = await store(media, wav());
    media.begin({ name: null, declaredType: null });

    const all = media.list({ kind: null, after: null, limit: 10 });
    expect(all.media.map(({ id }) => id)).toEqual([sound.id, ...ids]);
    expect(all.more).toBe(false);
    expect(media.list({ kind: 'audio', after: null, limit: 10 }).media).toMatchObject([sound]);

    const first = media.list({ kind: 'file', after: null, limit: 2 });
    expect([first.media.map(({ id }) => id), first.more]).toEqual([ids.slice(0, 2), true]);
    const last = first.media.at(-1);
    const rest = media.list({ kind: 'file', after: last?.id ?? null, limit: 2 });
    expect([rest.media.map(({ id }) => id), rest.more]).toEqual([ids.slice(2), false]);
  });
});

describe('after the main process died', () => {
  test('completes a recording with the received data and the lengths in its header', async () => {
    const home = temporaryFolder();
    const before = openTestMedia(home);
    const bytes = wav({ seconds: 1, claimedBytes: 0 });
    const writer = before.media.begin({
      name: 'Recording.wav',
      declaredType: 'audio/wav',
      role: 'recording',
    });
    // The recording stops in the middle of a sample.
    await writer.write(bytes.subarray(0, 44 + 8001));
    await before.die();

    const { media } = openTestMedia(home);
    await media.recover();
    expect(media.get(writer.id)).toMatchObject({
      complete: true,
      name: 'Recording.wav',
      type: 'audio/wav',
      durationSeconds: 0.5,
    });
    const kept = await media.readBytes(writer.id);
    expect(kept.readUInt32LE(40)).toBe(8000);
    expect(kept.readUInt32LE(4)).toBe(kept.length - 8);
    expect(kept.subarray(44)).toEqual(bytes.subarray(44, 44 + 8001));
    expect(createHash('sha256').update(kept).digest('hex')).toBe(media.path(writer.id).slice(-64));
  });

  test('completes vectors with the received data', async () => {
    const home = temporaryFolder();
    const before = openTestMedia(home);
    const declaredType = 'application/x-npy';
    const writer = before.media.begin({ name: 'vectors.npy', declaredType, role: 'output' });
    await writer.write(Buffer.from('header and rows'));
    await before.die();

    const { media } = openTestMedia(home);
    await media.recover();
    expect(media.get(writer.id)).toMatchObject({ complete: true, name: 'vectors.npy' });
    expect((await media.readBytes(writer.id)).toString()).toBe('header and rows');
  });

  test('deletes recordings without samples, uploads, outputs and stray files', async () => {
    const home = temporaryFolder();
    const before = openTestMedia(home);
    const roles = ['upload', 'output', 'recording'] as const;
    for (const role of roles) {
      const writer = before.media.begin({ name: null, declaredType: null, role });
      await writer.write(wav({ claimedBytes: 0 }).subarray(0, 44));
    }
    writeFileSync(join(home, 'media', 'incoming', 'stray'), 'x');
    await before.die();

    const { media } = openTestMedia(home);
    await media.recover();
    expect(incoming(home)).toEqual([]);
    expect(stored(home)).toEqual([]);
    expect(media.list({ kind: null, after: null, limit: 10 }).media).toEqual([]);
  });

  test('renames a file that was hashed but not yet named', async () => {
    const home = temporaryFolder();
    const before = openTestMedia(home);
    const { id } = await store(before.media, text('named too late'));
    const path = before.media.path(id);
    await before.die();
    const content = readFileSync(path);
    truncateSync(path, 3);
    writeFileSync(join(home, 'media', 'incoming', id), content);

    const { media } = openTestMedia(home);
    await media.recover();
    expect(await media.readBytes(id)).toEqual(content);
  });
});
