import { setImmediate as nextTurn } from 'node:timers/promises';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startBrowserHost } from '../../electron/browser/host.ts';
import { readOnThread } from '../../electron/conversations/files/read-on-thread.ts';
import { createRouter } from '../../electron/router.ts';
import type { AppContract } from '../../shared/contract/contract.ts';
import { importText, listAll, upload } from '../fixtures/conversation-files.ts';
import { linkOver, openSocket, signIn } from '../fixtures/page-socket.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const lines = (count: number, text = 'Hi') =>
  Array.from({ length: count }, () =>
    JSON.stringify({ messages: [{ role: 'user', content: text }] }),
  ).join('\n');

/** Counts the ports of threads. An earlier file in this process may have left some open. */
const countPorts = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

const toBytes = (text: string) => new Uint8Array(Buffer.from(text));

it('imports nothing and ends its thread when the call is aborted', async () => {
  const services = await startTestServices();
  const before = await listAll(services);
  const portsBefore = countPorts();
  const stop = new AbortController();
  const uploadId = await upload(services, lines(2000));
  const imported = services.conversations.import(uploadId, stop.signal);
  // The upload is taken before the thread starts.
  while (services.media.writer(uploadId) !== null) await nextTurn();
  stop.abort();
  await expect(imported).rejects.toThrow('abort');
  expect(await listAll(services)).toEqual(before);
  await expect.poll(countPorts).toBeLessThanOrEqual(portsBefore);
});

it('imports nothing and ends its thread when the page goes away', async () => {
  const services = await startTestServices();
  const before = await listAll(services);
  const portsBefore = countPorts();
  const started = Promise.withResolvers<{ ended: Promise<unknown> }>();
  const { import: importFile } = services.conversations;
  vi.spyOn(services.conversations, 'import').mockImplementation((id, signal) => {
    const imported = importFile(id, signal);
    started.resolve({ ended: Promise.allSettled([imported]) });
    return imported;
  });
  const router = createRouter(services);
  const createPage = () => () => undefined;
  const host = await startBrowserHost({ router, port: 0, createPage });
  onTestFinished(() => host.close());
  const page = await openSocket(await signIn(host.createAddress()));
  const api: ContractRouterClient<AppContract> = createORPCClient(linkOver(page));
  const uploadId = await upload(services, lines(20_000));
  const called = api.conversations.import({ uploadId });
  called.catch(() => undefined);
  const { ended } = await started.promise;
  await expect.poll(() => process.getActiveResourcesInfo()).toContain('MessagePort');
  page.terminate();
  expect(await ended).toMatchObject([{ status: 'rejected', reason: { name: 'AbortError' } }]);
  expect(await listAll(services)).toEqual(before);
  await expect.poll(countPorts).toBeLessThanOrEqual(portsBefore);
});

it('ends its thread when the reader is aborted between pieces', async () => {
  const stop = new AbortController();
  const pieces = readOnThread(toBytes(lines(3)), stop.signal);
  expect((await pieces.next()).value?.piece.kind).toBe('head');
  stop.abort();
  await expect(pieces.next()).rejects.toThrow('abort');
});

it('reports that a message is too long', async () => {
  const services = await startTestServices();
  const file = lines(1, 'x'.repeat(16_000_001));
  await expect(importText(services, file)).rejects.toThrow('more than 16 million characters');
});

it('finds the start of a message that is too long to be searched whole', async () => {
  const services = await startTestServices();
  const text = `beginning ${'x'.repeat(200_000)} ending`;
  const { ids } = await importText(services, lines(1, text));
  const find = async (search: string) =>
    (await services.conversations.list({ search, limit: 10 })).map(({ id }) => id);
  expect(await find('beginning')).toEqual(ids);
  services.conversations.update(ids[0] ?? '', { title: 'Other' });
  const [message] = services.conversations.get(ids[0] ?? '').messages;
  expect(message?.content).toBe(text);
});

it.each([
  ['text without spaces', '長'.repeat(2000), '長長長', true],
  ['data such as base64', 'a1B2'.repeat(500), 'B2a1', false],
])('decides whether a search finds %s', async (_what, text, search, isFound) => {
  const services = await startTestServices();
  const { ids } = await importText(services, lines(1, text));
  services.conversations.update(ids[0] ?? '', { title: 'Other' });
  const found = await services.conversations.list({ search, limit: 10 });
  expect(found.map(({ id }) => id)).toEqual(isFound ? ids : []);
});

it('returns the branch and some of its siblings first', async () => {
  const services = await startTestServices();
  const { id } = services.conversations.create();
  const { messages } = services.conversations.addMessage(id, null, { role: 'user', content: 'Q' });
  const parentId = messages[0]?.id ?? '';
  for (let at = 0; at < 500; at += 1) {
    services.conversations.addMessage(id, parentId, { role: 'user', content: String(at) });
  }
  const shown = services.conversations.get(id);
  expect(shown).toMatchObject({ messageCount: 501, complete: false });
  expect(shown.messages.length).toBeLessThan(410);
  expect(shown.messages.map((one) => one.id)).toEqual(
    expect.arrayContaining([parentId, shown.activeLeafId]),
  );
});

it('finds free names without trying every number', async () => {
  const { media } = await startTestServices();
  for (let at = 0; at < 40; at += 1) {
    const name = media.freeName('boat.png');
    expect(name).toBe(at === 0 ? 'boat.png' : `boat-${at + 1}.png`);
    media.begin({ name, declaredType: 'image/png' });
  }
});
