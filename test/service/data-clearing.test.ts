import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRouterClient } from '@orpc/server';
import { expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import type { ClearedKind } from '../../shared/contract/data.ts';
import {
  answerAtOnce,
  finished,
  plan,
  row,
  serveGateway,
  variants,
} from '../fixtures/comparisons.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { journalPath } from '../fixtures/journal-files.ts';
import { pixel } from '../fixtures/pixel.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

/** Adds a conversation with its run, a comparison, a single run, an image and a prompt. */
async function fill() {
  const { services, open } = await serveGateway(answerAtOnce);
  const { comparisons, conversations, engine, ledger, media, saved } = services;
  const { id: conversationId } = conversations.create({});
  const { runId } = await conversations.send({
    conversationId,
    connectionId: 'demo',
    parentId: null,
    request: { model: 'demo-echo' },
    message: { role: 'user', content: 'Hello' },
  });
  for await (const _update of engine.watch(runId, null, undefined));
  const rows = [row('a', { prompt: 'A' })];
  const comparisonId = await comparisons.start(plan(variants('x', 'y'), { rows }));
  await finished(services, comparisonId);
  ledger.createRun(testRun({ id: 'single', status: 'succeeded' }));
  const writer = media.begin({ name: 'pixel.png', declaredType: 'image/png', role: 'upload' });
  await writer.write(pixel);
  await writer.finish();
  saved.prompts.save({ name: 'Mine', text: 'Say {{word}}' });
  return {
    services,
    open,
    conversationId,
    comparisonId,
    api: createRouterClient(createRouter(services)),
  };
}

async function count({ ledger, conversations, media, saved }: Services) {
  const list = await conversations.list({ search: '', limit: 100 });
  return {
    runs: ledger.list(everyRun).runs.length,
    conversations: list.length,
    media: media.list({ kind: null, after: null, limit: 100 }).media.length,
    prompts: saved.prompts.list().length,
  };
}

const whole = { runs: 4, conversations: 1, media: 1, prompts: 1 };

it.each<[ClearedKind, Partial<typeof whole>]>([
  ['runs', { runs: 0 }],
  ['conversations', { conversations: 0 }],
  ['media', { media: 0 }],
  ['everything', { runs: 0, conversations: 0, media: 0, prompts: 0 }],
])('clears only %s, and restores everything with Undo', async (kind, left) => {
  const { services, api, conversationId, comparisonId } = await fill();
  expect(await count(services)).toEqual(whole);
  expect(await api.data.stored()).toMatchObject({
    runs: 4,
    conversations: 1,
    mediaFiles: 1,
    mediaBytes: pixel.length,
  });
  const { deletionId } = await api.data.clear({ kind });
  expect(await count(services)).toEqual({ ...whole, ...left });
  expect(services.connections.list().length).toBeGreaterThan(0);
  await api.deletions.undo({ ids: [deletionId ?? ''] });
  expect(await count(services)).toEqual(whole);
  expect(services.comparisons.get(comparisonId).comparison.title).toBe('Once');
  expect(services.conversations.get(conversationId).messages).toHaveLength(2);
});

it('restores items under free names if others took theirs', async () => {
  const { services, api } = await fill();
  const { prompts, toolSets, tools } = services.saved;
  const saveAll = () => {
    prompts.save({ name: 'Mine', text: 'Say it' });
    toolSets.save({ name: 'Mine', tools: [], mcpTools: [] });
    tools.save({ tool: { type: 'function', function: { name: 'mine', parameters: {} } } });
  };
  saveAll();
  prompts.save({ name: 'Mine 2', text: 'Also mine' });
  const { deletionId } = await api.data.clear({ kind: 'everything' });
  saveAll();
  const { renamed } = await api.deletions.undo({ ids: [deletionId ?? ''] });
  expect(renamed).toEqual([
    { from: 'Mine', to: 'Mine 3' },
    { from: 'Mine', to: 'Mine 2' },
    { from: 'mine', to: 'mine_2' },
  ]);
  expect(prompts.list().map(({ name }) => name)).toEqual(['Mine', 'Mine 2', 'Mine 3']);
  expect(toolSets.list().map(({ name }) => name)).toEqual(['Mine', 'Mine 2']);
  expect(tools.list().map(({ tool }) => tool.function.name)).toEqual(['mine', 'mine_2']);
});

it('keeps cleared items deleted after a restart', async () => {
  const { services, open, api } = await fill();
  await api.data.clear({ kind: 'everything' });
  await services.close();
  expect(await count(await open())).toEqual({ runs: 0, conversations: 0, media: 0, prompts: 0 });
});

it('keeps the answers of conversations when runs are cleared', async () => {
  const { services, api, conversationId } = await fill();
  await api.data.clear({ kind: 'runs' });
  const [, answer] = services.conversations.get(conversationId).messages;
  expect(answer?.content).toContain('Hello');
});

it('clears nothing while a request is in progress', async () => {
  const services = await startTestServices({ home: temporaryFolder() });
  const api = createRouterClient(createRouter(services));
  const runId = await services.engine.start({
    connectionId: 'demo',
    operation: 'chat',
    extraBody: {},
    request: { model: 'demo-story', messages: [{ role: 'user', content: 'Hello' }] },
  });
  for (const kind of ['runs', 'conversations', 'everything'] as const) {
    await expect(api.data.clear({ kind })).rejects.toMatchObject({
      data: {
        message: 'A request is in progress.',
        nextStep: 'Nothing was deleted. Stop them or wait for them, then try again.',
      },
    });
  }
  await services.engine.cancel(runId);
});

it('clears 2,000 runs in steps, with one Undo', async () => {
  const services = await startTestServices();
  const api = createRouterClient(createRouter(services));
  for (let index = 0; index < 2000; index += 1) {
    services.ledger.createRun(testRun({ id: `run ${index}`, status: 'succeeded' }));
  }
  const countTurns = async (work: Promise<unknown>) => {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    for (let turns = 0; ; turns += 1) {
      if (isDone) return turns;
      await nextTurn();
    }
  };
  const clearing = api.data.clear({ kind: 'runs' });
  expect(await countTurns(clearing)).toBeGreaterThan(10);
  const { deletionId } = await clearing;
  expect((await api.data.stored()).runs).toBe(0);
  const undoing = api.deletions.undo({ ids: [deletionId ?? ''] });
  expect(await countTurns(undoing)).toBeGreaterThan(10);
  expect((await api.data.stored()).runs).toBe(2000);
});

it.each<[ClearedKind, boolean]>([
  ['runs', true],
  ['everything', true],
  ['conversations', false],
])('when deleting %s, deletes journals that were set aside: %s', async (kind, isDeleted) => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'journal'));
  const path = journalPath(home, 'a-damaged-2023-01-01T00-00-00-000Z');
  writeFileSync(path, 'x');
  const { clearing } = await startTestServices({ home });
  await clearing.clear(kind);
  expect(existsSync(path)).toBe(!isDeleted);
});

it('counts the bytes of a file once that several media items share', async () => {
  const { services, api } = await fill();
  const { media } = services;
  for (const name of ['again.png', 'third.png']) {
    const writer = media.begin({ name, declaredType: 'image/png', role: 'upload' });
    await writer.write(pixel);
    await writer.finish();
  }
  expect(await api.data.stored()).toMatchObject({ mediaFiles: 1, mediaBytes: pixel.length });
  const use = await api.system.diskUse();
  expect(use.find(({ kind }) => kind === 'image')).toMatchObject({ items: 1, bytes: pixel.length });
});
