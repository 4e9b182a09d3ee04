import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMediaRoutes } from '../../electron/media/routes/media-routes.ts';
import type { Services } from '../../electron/services.ts';
import { connectionOptionsInputSchema } from '../../shared/connection-options.ts';
import { UserFacingError } from '../../shared/errors.ts';
import {
  type ArchivedFile,
  checkBackup,
  makeBackup,
  readArchive,
  takeSource,
  writeArchive,
} from '../fixtures/backups.ts';
import { exportText, listAll, upload } from '../fixtures/conversation-files.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { hostileServer } from '../fixtures/mcp-server.ts';
import { pixel } from '../fixtures/pixel.ts';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { json, startTaskGateway } from '../fixtures/task-gateway.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { startVideo, videoServices } from '../fixtures/video-run.ts';

const options = connectionOptionsInputSchema.parse({
  headers: [{ id: 'a', name: 'X-Region', value: '$REGION', isSecret: false }],
});

/** Adds an answered message, an image and a connection with a key. */
async function fill(services: Services) {
  const { connections, conversations, engine, media } = services;
  const { id: conversationId } = conversations.create({});
  const { runId } = await conversations.send({
    conversationId,
    connectionId: 'demo',
    parentId: null,
    request: { model: 'demo-echo', stream: true },
    message: { role: 'user', content: 'Keep this' },
  });
  for await (const _update of engine.watch(runId, null, undefined));
  const writer = media.begin({ name: 'pixel.png', declaredType: 'image/png', role: 'upload' });
  await writer.write(pixel);
  const image = await writer.finish();
  const { id } = await connections.create({ name: 'Mine', baseUrl: 'http://127.0.0.1:9', options });
  await connections.setKey(id, 'sk-0123456789abcdef', 'file');
  return { conversationId, runId, imageId: image.id, connectionId: id };
}

async function restart(services: Services, home: string): Promise<Services> {
  await services.close();
  return startTestServices({ home });
}

async function getProblem(work: Promise<unknown>): Promise<string> {
  const cause: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(cause instanceof UserFacingError)) throw cause;
  return `${cause.error.message} ${cause.error.nextStep}`;
}

it('restores conversations, runs, events and media into another data folder', async () => {
  const from = await startTestServices();
  const { conversationId, runId, imageId } = await fill(from);
  const before = await exportText(from, [conversationId], 'json');
  const events = from.ledger.events(runId, { after: 0, limit: 500, kinds: null, exchange: null });
  expect(events.events.map(({ kind }) => kind)).toContain('chunk');
  const file = await makeBackup(from);

  const home = temporaryFolder();
  let to = await startTestServices({ home });
  await fill(to);
  const own = to.conversations.create({}).id;
  const backup = await checkBackup(to, file);
  expect(backup).toMatchObject({
    appVersion: '0.0.0',
    contents: { runs: 1, conversations: 1, mediaFiles: 1 },
    replaced: { runs: 1, conversations: 2, mediaFiles: 1 },
  });
  to.backups.restore(backup.id);
  expect(to.backups.waiting()).toEqual({ createdAt: backup.createdAt });
  expect(to.system.info().notices.map(({ id }) => id)).toContain('restore-waiting');
  expect(to.conversations.get(own).messages).toEqual([]);

  to = await restart(to, home);
  const after = await exportText(to, [conversationId], 'json');
  const withoutTime = (text: string) => text.replace(/"exportedAt":\d+/, '');
  expect(withoutTime(after)).toBe(withoutTime(before));
  expect(() => to.conversations.get(own)).toThrow();
  expect(to.ledger.events(runId, { after: 0, limit: 500, kinds: null, exchange: null })).toEqual(
    events,
  );
  expect(await to.media.readBytes(imageId)).toEqual(pixel);
  expect(to.system.info().notices).toMatchObject([
    { id: 'restored', nextStep: 'Backups have no keys. Enter the keys of your connections again.' },
  ]);
  expect(readdirSync(home)).not.toContain('restore');
});

it('restores connections without keys, and asks for a key when it is needed', async () => {
  const home = temporaryFolder();
  let services = await startTestServices({ home });
  const { connectionId } = await fill(services);
  expect(existsSync(join(home, 'keys.json'))).toBe(true);
  services.backups.restore((await checkBackup(services, await makeBackup(services))).id);
  services = await restart(services, home);
  const [restored] = services.connections.list().filter(({ id }) => id === connectionId);
  expect(restored).toMatchObject({ name: 'Mine', key: null, lost: { key: true, values: true } });
  expect(restored?.options.headers).toMatchObject([{ name: 'X-Region', value: null }]);
  expect(existsSync(join(home, 'keys.json'))).toBe(false);
  const start = services.engine.start({
    connectionId,
    operation: 'completion',
    extraBody: {},
    request: { model: 'm', prompt: 'Hello' },
  });
  expect(await getProblem(start)).toBe('The key is no longer stored. Enter it again. ');
});

it('rejects a restore while a request is in progress', async () => {
  const services = await startTestServices();
  const backup = await checkBackup(services, await makeBackup(services));
  const runId = await services.engine.start({
    connectionId: 'demo',
    operation: 'chat',
    extraBody: {},
    request: { model: 'demo-story', messages: [{ role: 'user', content: 'Hello' }] },
  });
  const work = Promise.resolve().then(() => services.backups.restore(backup.id));
  expect(await getProblem(work)).toBe(
    'A request is in progress. Nothing was changed. Stop them or wait for them, then restore.',
  );
  await services.engine.cancel(runId);
});

it('keeps the current data if a restore is discarded before the next start', async () => {
  const home = temporaryFolder();
  let services = await startTestServices({ home });
  const backup = await checkBackup(services, await makeBackup(services));
  const { id } = services.conversations.create({});
  services.backups.restore(backup.id);
  services.backups.discard();
  expect(services.backups.waiting()).toBeNull();
  services = await restart(services, home);
  expect(services.conversations.get(id).messages).toEqual([]);
});

it('serves the file once, as a download with its length', async () => {
  const services = await startTestServices();
  const routes = createMediaRoutes(services.media, () => undefined, services.backups);
  const get = (id: string) =>
    routes({
      method: 'GET',
      url: `/media/${id}/backup`,
      header: () => null,
      body: async () => new Uint8Array(),
    });
  for await (const step of services.backups.create()) {
    if (step.stage !== 'ready') continue;
    const { status, headers, body } = await get(step.id);
    expect(status).toBe(200);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="gatehouse-\d{4}-\d\d-\d\d-\d\d-\d\d\.tar"$/,
    );
    const received = await new Response(body).arrayBuffer();
    expect(headers['content-length']).toBe(String(received.byteLength));
    expect((await get(step.id)).status).toBe(404);
  }
});

it('fails if the download stops, and deletes temporary copies', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  async function stopEarly() {
    for await (const step of services.backups.create()) {
      if (step.stage === 'ready') takeSource(services.backups, step.id).close();
    }
  }
  expect(await getProblem(stopEarly())).toContain('The backup wasn’t saved completely.');
  expect(readdirSync(join(home, 'backup'))).toEqual([]);
});

it('explains why a copy can’t be written', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  writeFileSync(join(home, 'backup'), 'not a folder');
  expect(await getProblem(makeBackup(services))).toContain(
    'No backup was made: a file is where a folder belongs.',
  );
});

it('stops when its signal aborts, and deletes temporary copies', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const stop = new AbortController();
  const work = async () => {
    for await (const step of services.backups.create(stop.signal)) {
      if (step.stage === 'saving') stop.abort(new Error('Canceled'));
    }
  };
  await expect(work()).rejects.toThrow('Canceled');
  expect(readdirSync(join(home, 'backup'))).toEqual([]);
});

it('doesn’t call a download lost that the user canceled in Settings', async () => {
  const { backups } = await startTestServices({ home: temporaryFolder(), host: 'desktop' });
  const stop = new AbortController();
  let backupId = '';
  const work = async () => {
    for await (const step of backups.create(stop.signal)) {
      if (step.stage !== 'ready') continue;
      backupId = step.id;
      await takeSource(backups, step.id).next();
      stop.abort(new Error('Canceled'));
    }
  };
  await expect(work()).rejects.toThrow('Canceled');
  expect(backups.settleDownload(backupId, 'failed')).toBe(true);
  expect(backups.settleDownload(backupId, 'failed')).toBe(false);
});

it('restores the previous data if the databases fail to open at the next start', async () => {
  const home = temporaryFolder();
  let services = await startTestServices({ home });
  const { conversationId, connectionId } = await fill(services);
  services.backups.restore((await checkBackup(services, await makeBackup(services))).id);
  writeFileSync(join(home, 'restore', 'ready', 'ledger.sqlite'), 'damaged after the check');
  services = await restart(services, home);
  expect(services.system.info().notices).toMatchObject([
    { id: 'restore-failed', nextStep: 'Your data is as it was before.' },
  ]);
  expect(services.conversations.get(conversationId).messages).toHaveLength(2);
  expect(services.connections.list().find(({ id }) => id === connectionId)?.key).not.toBeNull();
  expect(existsSync(join(home, 'restore'))).toBe(false);
});

it('keeps only the last of several checks', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const file = await makeBackup(services);
  const checks = await Promise.all([1, 2].map(() => checkBackup(services, file)));
  expect(readdirSync(join(home, 'restore'))).toHaveLength(1);
  const restored = checks.filter(({ id }) => {
    try {
      services.backups.restore(id);
      return true;
    } catch {
      return false;
    }
  });
  expect(restored).toHaveLength(1);
});

it('backs up everything except damaged media files', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  await fill(services);
  const [name = ''] = readdirSync(join(home, 'media')).filter((one) => one !== 'incoming');
  writeFileSync(join(home, 'media', name), 'damaged');
  const file = await makeBackup(services);
  expect(readArchive(file).filter((one) => one.name.startsWith('media/'))).toEqual([]);
  await expect(checkBackup(services, file)).resolves.toMatchObject({ contents: { runs: 1 } });
});

it('runs no command of a restored MCP server until the user turns it on', async () => {
  const home = temporaryFolder();
  let services = await startTestServices({ home });
  const { id } = await services.mcp.save({ ...hostileServer(), name: 'local' });
  await services.mcp.save({
    id: null,
    name: 'remote',
    enabled: true,
    transport: { type: 'http', url: 'http://127.0.0.1:9', headers: [] },
  });
  await services.mcp.connect(id);
  services.mcp.setApproval(id, 'fine', 'always');
  services.backups.restore((await checkBackup(services, await makeBackup(services))).id);
  services = await restart(services, home);
  expect(services.mcp.list()).toMatchObject([
    { name: 'local', enabled: false, approvals: {} },
    { name: 'remote', enabled: true, approvals: {} },
  ]);
  await expect(services.mcp.connect(id)).rejects.toThrow('local is turned off.');
  const [notice] = services.system.info().notices;
  expect(notice?.nextStep).toContain('MCP servers that run a command are off.');
  await services.mcp.save({ ...hostileServer(), id, name: 'local' });
  expect(services.mcp.approval(id, 'fine')).toBe('ask');
});

it('follows no video task of a restored backup until the user resumes it', async () => {
  const home = temporaryFolder();
  const gateway = await startTaskGateway({ polls: [json({ task_id: 't-1', status: 'queued' })] });
  let services = await videoServices(gateway.url, { home });
  const runId = await startVideo(services);
  await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
  const file = await makeBackup(services);
  await services.engine.cancel(runId);
  const backup = await checkBackup(services, file);
  services.backups.restore(backup.id);
  await services.close();
  const polls = gateway.polls().length;
  // The first start ends before it has recovered the runs.
  services = await videoServices(gateway.url, { home, isRecovered: false });
  await services.close();
  services = await videoServices(gateway.url, { home });
  expect(await services.engine.view(runId)).toMatchObject({ phase: { name: 'unfollowed' } });
  expect(gateway.polls()).toHaveLength(polls);
  await services.engine.resume(runId);
  await expect.poll(() => gateway.polls().length).toBeGreaterThan(polls);
  // Later starts follow it as any other task.
  await services.close();
  const resumed = gateway.polls().length;
  services = await videoServices(gateway.url, { home });
  await expect.poll(() => gateway.polls().length).toBeGreaterThan(resumed);
});

describe('a file that isn’t a backup', () => {
  let home: string;
  let services: Services;
  let backup: Buffer;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'gatehouse-'));
    services = await startTestServices({ home, atEnd: () => undefined });
    await fill(services);
    backup = await makeBackup(services);
  });
  afterAll(async () => {
    await services.close();
    removeFolder(home);
  });

  async function refuse(change: (files: ArchivedFile[]) => ArchivedFile[] | Buffer) {
    const before = await listAll(services);
    const changed = change(readArchive(backup));
    const file = Buffer.isBuffer(changed) ? changed : writeArchive(changed);
    const problem = await getProblem(checkBackup(services, file));
    expect(await listAll(services)).toEqual(before);
    expect(readdirSync(join(home, 'restore'))).toEqual([]);
    expect(readdirSync(join(home, 'media', 'incoming'))).toEqual([]);
    expect(problem).toContain('Nothing was changed.');
    return problem;
  }

  const evil = { name: '../evil', content: Buffer.from('x') };

  it.each<[string, (files: ArchivedFile[]) => ArchivedFile[] | Buffer, string]>([
    ['text', () => Buffer.from('Hello '.repeat(500)), 'The file isn’t a backup of Gatehouse.'],
    ['a short file', () => Buffer.from('Hello'), 'The backup is incomplete.'],
    ['another archive', () => [evil], 'The file isn’t a backup of Gatehouse.'],
    [
      'a path out of the folder',
      (files) => [...files.slice(0, -1), evil],
      'The backup contains a file that it doesn’t list: “../evil”.',
    ],
    [
      'an absolute path in its list',
      (files) => relist(files, (list) => [...list, { ...listed(evil), name: '/etc/passwd' }]),
      'The list of files in the backup isn’t valid.',
    ],
    [
      'a list with millions of values',
      ([manifest, ...files]) => {
        const more = Buffer.from(`{"more":[${'0,'.repeat(2_000_000)}0],`);
        const content = Buffer.concat([more, manifest?.content.subarray(1) ?? more]);
        return [{ name: 'manifest.json', ...manifest, content }, ...files];
      },
      'The file isn’t a backup of Gatehouse.',
    ],
    [
      'a link',
      (files) => files.map((file) => (isMedia(file) ? { ...file, type: '2' } : file)),
      'The backup contains a link or a folder: “media/',
    ],
    [
      'a changed byte',
      (files) => files.map((file) => (isMedia(file) ? flipped(file) : file)),
      'The backup is damaged: the checksum of media/',
    ],
    [
      'a file too many',
      (files) => [...files, { name: 'more', content: Buffer.from('x') }],
      'The backup has more files than it lists.',
    ],
    [
      'a missing end',
      (files) => writeArchive(files).subarray(0, -2000),
      'The backup is incomplete.',
    ],
    [
      'a newer version',
      (files) => files.map((file, index) => (index === 0 ? withVersion(file, 3) : file)),
      'The backup was made by a newer version of Gatehouse.',
    ],
    [
      'an earlier version',
      (files) => files.map((file, index) => (index === 0 ? withVersion(file, 1) : file)),
      'The backup was made by an earlier version of Gatehouse.',
    ],
    [
      'a trigger in its database',
      (files) =>
        editLedger(files, 'CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM messages; END'),
      'The databases in the backup were changed.',
    ],
    [
      'a media item whose hash is a path',
      (files) => editLedger(files, "UPDATE media SET hash = '../../keys.json'"),
      'The backup has a media item whose ID is a path.',
    ],
    [
      'a media file under the name of another',
      (files) =>
        relist(
          files.map((file) =>
            file.name.startsWith('media/') ? { ...file, content: Buffer.from('planted') } : file,
          ),
        ),
      'The list of files in the backup isn’t valid.',
    ],
    [
      'a media file that its database doesn’t show',
      (files) => editLedger(files, 'DELETE FROM media'),
      'The backup doesn’t use its file media/',
    ],
    [
      'a date that no calendar has',
      ([manifest, ...files]) => {
        const head: object = JSON.parse(String(manifest?.content));
        const content = Buffer.from(JSON.stringify({ ...head, createdAt: 1e308 }));
        return [{ name: 'manifest.json', content }, ...files];
      },
      'The list of files in the backup isn’t valid.',
    ],
    [
      'a connection to a file',
      (files) => editLedger(files, "UPDATE connections SET base_url = 'file:///etc/passwd'"),
      'A connection in the backup isn’t valid.',
    ],
    [
      'another version of the database',
      (files) => editLedger(files, 'PRAGMA user_version = 7'),
      'The backup has version 7 of the database; this Gatehouse needs version',
    ],
    [
      'no database',
      (files) => relist(replaceLedger(files, Buffer.from('not a database'))),
      'The databases in the backup can’t be read.',
    ],
  ])('rejects the file and writes nothing: %s', async (_name, change, problem) => {
    expect(await refuse(change)).toContain(problem);
  });
});

const isMedia = ({ name }: ArchivedFile) => name.startsWith('media/');

interface Listed {
  name: string;
  bytes: number;
  sha256: string;
}

function listed({ name, content }: ArchivedFile): Listed {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, bytes: content.length, sha256 };
}

/** Updates the manifest to match the files, so that only the change under test is wrong. */
function relist(
  [manifest, ...files]: ArchivedFile[],
  change: (list: Listed[]) => Listed[] = (list) => list,
): ArchivedFile[] {
  if (manifest === undefined) throw new Error('The archive is empty.');
  const head: object = JSON.parse(manifest.content.toString());
  const content = Buffer.from(JSON.stringify({ ...head, files: change(files.map(listed)) }));
  return [{ ...manifest, content }, ...files];
}

function replaceLedger(files: ArchivedFile[], content: Buffer): ArchivedFile[] {
  return files.map((file) => (file.name === 'ledger.sqlite' ? { ...file, content } : file));
}

function editLedger(files: ArchivedFile[], sql: string): ArchivedFile[] {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  const ledger = files.find(({ name }) => name === 'ledger.sqlite');
  writeFileSync(path, ledger?.content ?? '');
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return relist(replaceLedger(files, readFileSync(path)));
}

function flipped({ name, content }: ArchivedFile): ArchivedFile {
  const changed = Buffer.from(content);
  changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
  return { name, content: changed };
}

function withVersion(file: ArchivedFile, version: number): ArchivedFile {
  const head: object = JSON.parse(file.content.toString());
  return { ...file, content: Buffer.from(JSON.stringify({ ...head, version })) };
}

it('rejects an upload that doesn’t exist', async () => {
  const services = await startTestServices();
  onTestFinished(() => services.backups.discard());
  const id = await upload(services, 'x');
  const check = async () => {
    for await (const _step of services.backups.check(`${id}x`));
  };
  expect(await getProblem(check())).toContain('This file is no longer in the library.');
});
