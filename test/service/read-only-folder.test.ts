/** Covers runs, media, keys and the log in a data folder that is read-only. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { getLogPath, openLogFile } from '../../electron/log-file.ts';
import { createMediaRoutes } from '../../electron/media/routes/media-routes.ts';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import { getResponse } from '../../shared/run-view.ts';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply } from '../fixtures/wire-server.ts';

const KEY = 'sk-test-1234567890';
const OTHER_KEY = 'sk-other-1234567890';
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const notWritable = {
  kind: 'file',
  message: expect.stringMatching(/: the data folder isn’t writable\.$/),
  nextStep: 'Make the data folder writable.',
};

interface ReadOnlyFolder {
  home: string;
  /** Makes the folder read-only, even if the tests run as root. */
  lock(): void;
  unlock(): void;
}

/** Revokes write permission. Root would ignore that, so the test then runs as another user. */
function folderByPermissions(): ReadOnlyFolder {
  if (isRoot) {
    process.seteuid?.(NOBODY);
    onTestFinished(() => process.seteuid?.(0));
  }
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  const change = (folderMode: number, fileMode: number) => {
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), fileMode);
      else chmodSync(join(entry.parentPath, entry.name), folderMode);
    }
    chmodSync(home, folderMode);
  };
  const unlock = () => change(0o700, 0o600);
  onTestFinished(() => {
    unlock();
    removeFolder(home);
  });
  return { home, lock: () => change(0o500, 0o400), unlock };
}

/** Remounts the folder as read-only, for which no file may be open for writing. */
function folderByMount({ skip }: TestContext): ReadOnlyFolder {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  onTestFinished(() => removeFolder(home));
  if (!run('mount', '-t', 'tmpfs', 'tmpfs', home))
    skip('A disk can be mounted on Linux as root only.');
  onTestFinished(() => void run('umount', home));
  const remount = (as: 'ro' | 'rw') => {
    if (!run('mount', '-o', `remount,${as}`, home)) throw new Error(`It was not mounted ${as}.`);
  };
  return { home, lock: () => remount('ro'), unlock: () => remount('rw') };
}

/** Runs a command, and returns true if it succeeded. */
const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

async function openServices(home: string) {
  const server = await serveScript((exchange) => {
    const { prompt } = JSON.parse(exchange.request.slice(exchange.request.indexOf('\r\n\r\n')));
    const text = JSON.stringify({ choices: [{ index: 0, text: `Answer to ${prompt}` }] });
    return exchange.send(jsonReply(text));
  });
  const services = await startTestServices({ baseUrl: server.url, key: KEY, home });
  return { services, api: createRouterClient(createRouter(services)) };
}

type Api = Awaited<ReturnType<typeof openServices>>['api'];

async function complete({ engine }: Services, api: Api, prompt: string): Promise<string> {
  const request = { model: 'm', prompt };
  const { runId } = await api.runs.start({
    operation: 'completion',
    connectionId: 'environment',
    request,
  });
  for await (const _update of engine.watch(runId, null, undefined)) {
  }
  expect(getResponse(await engine.view(runId)).text).toBe(`Answer to ${prompt}`);
  return runId;
}

/** Uploads through the page's routes, and returns the error if it is rejected. */
async function upload({ media, log }: Services, text: string): Promise<unknown> {
  const routes = createMediaRoutes(media, log);
  const call = async (method: string, url: string, body = new Uint8Array()) => {
    const { body: said } = await routes({
      method,
      url,
      header: () => null,
      body: async () => body,
    });
    return said instanceof Uint8Array && said.length > 0
      ? JSON.parse(Buffer.from(said).toString())
      : null;
  };
  const begun = await call('POST', '/media?role=upload&name=a.txt');
  if (begun?.kind === 'file') return begun;
  const refused = await call('PUT', `/media/${begun.id}?offset=0`, Buffer.from(text));
  return refused ?? call('POST', `/media/${begun.id}/finish`);
}

/** Stores a key in a file, and returns how it was actually stored. */
async function keepKey(api: Api): Promise<string | undefined> {
  const { id } = await api.connections.create({ name: 'Other', baseUrl: 'http://127.0.0.1:9' });
  const { key } = await api.connections.setKey({ id, key: OTHER_KEY, keeping: 'file' });
  return key?.protection;
}

const keyNotSaved = { id: 'keys-not-saved', message: expect.stringMatching(/isn’t writable/) };

const folders = [
  ['its permissions', folderByPermissions],
  ['its mount', folderByMount],
] as const;

test.for(folders)(
  'works in memory, with a notice, if the folder is read-only by %s at the start',
  async ([, make], context) => {
    const { home, lock, unlock } = make(context);
    const first = await openServices(home);
    const before = await complete(first.services, first.api, 'Before');
    await first.services.close();
    const files = readdirSync(home, { recursive: true });

    lock();
    expect(() => writeFileSync(join(home, 'probe'), '')).toThrow(/EACCES|EROFS/);
    const { services, api } = await openServices(home);
    expect((await api.system.info()).notices).toMatchObject([
      {
        id: 'storage-in-memory',
        level: 'danger',
        message: expect.stringContaining('Data will be lost when Gatehouse closes'),
      },
    ]);
    await complete(services, api, 'Meanwhile');
    expect(await upload(services, 'text')).toMatchObject({ complete: true });
    expect(await keepKey(api)).toBe('session');
    expect((await api.system.info()).notices).toContainEqual(expect.objectContaining(keyNotSaved));
    openLogFile({ home, key: null }).write('A line that nobody can keep.');
    await services.close();
    expect(readdirSync(home, { recursive: true })).toEqual(files);

    unlock();
    const again = await openServices(home);
    expect((await again.api.system.info()).notices).toEqual([]);
    expect(getResponse(await again.services.engine.view(before)).text).toBe('Answer to Before');
  },
);

test('reports rejected writes and keeps all data if the folder becomes read-only', async () => {
  const { home, lock, unlock } = folderByPermissions();
  const { services, api } = await openServices(home);
  const log = openLogFile({ home, key: null });
  log.write('First line');
  const before = await complete(services, api, 'Before');

  lock();
  expect(() => writeFileSync(join(home, 'probe'), '')).toThrow(/EACCES/);
  const meanwhile = await complete(services, api, 'Meanwhile');
  expect(await upload(services, 'text')).toMatchObject(notWritable);
  expect(await keepKey(api)).toBe('session');
  expect((await api.system.info()).notices).toMatchObject([keyNotSaved]);
  log.write('Lost line');

  unlock();
  log.write('Last line');
  expect(await upload(services, 'text')).toMatchObject({ complete: true });
  expect(await keepKey(api)).toBe('file');
  await services.close();
  expect(readFileSync(getLogPath(home), 'utf8')).toMatch(/First line\n.* Last line\n$/);
  expect(readFileSync(join(home, 'keys.json'), 'utf8')).toContain(OTHER_KEY);
  const again = await openServices(home);
  for (const [runId, text] of [
    [before, 'Answer to Before'],
    [meanwhile, 'Answer to Meanwhile'],
  ] as const) {
    expect(getResponse(await again.services.engine.view(runId)).text).toBe(text);
  }
});
