/** Covers a key that a stream repeats in pieces, which are masked when its exchange ends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Services } from '../../electron/services.ts';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { type JsonObject, toJson } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunEvent, RunEventOf } from '../../shared/run.ts';
import { getResponse } from '../../shared/run-view.ts';
import { checkBackup, makeBackup, readArchive } from '../fixtures/backups.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { journalPath, listJournals } from '../fixtures/journal-files.ts';
import { copyHome } from '../fixtures/open-journals.ts';
import { all } from '../fixtures/open-ledger.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { chunk, jsonReply, lastChunk, streamHead } from '../fixtures/wire-server.ts';

const KEY = 'sk-canary/Zq7+Xw93kLmN0pRstUv';
const MASK = '*'.repeat(KEY.length);

const letters = (text: string) => text.match(/[\s\S]{1,3}/g) ?? [];
/** Pieces that occur nowhere else. */
const PIECES = /7\+X|w93|kLm|N0p|Rst/;
const completion = (text: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, text }] })}\n\n`;
const repeated = ['It is ', ...letters(KEY), '. '].map(completion);

/** Serves streams that send `events` and stay open until `end` is called. */
async function serveEvents(events: readonly string[], options: { home?: string } = {}) {
  const ended = Promise.withResolvers<void>();
  const server = await serveScript(async ({ send }) => {
    await send(streamHead);
    for (const event of events) await send(chunk(event));
    await ended.promise;
    await send(chunk('data: [DONE]\n\n'));
    await send(lastChunk);
  });
  const home = options.home ?? temporaryFolder();
  const services = await startTestServices({ baseUrl: server.url, key: KEY, home });
  return { baseUrl: server.url, services, home, end: () => ended.resolve() };
}

const start = (
  { engine }: Services,
  operation: OperationName = 'completion',
  request: JsonObject = { model: 'm', prompt: 'Key?', stream: true },
) =>
  engine.start({
    connectionId: 'environment',
    extraBody: {},
    wireNames: {},
    operation,
    request,
  });

/** Waits until the stream's last event so far is recorded. */
async function untilReceived(services: Services, runId: string, count = repeated.length) {
  await vi.waitFor(() => expect(countChunks(services, runId)).toBe(count));
}

const countChunks = (services: Services, runId: string) => listChunks(services, runId).length;

function listChunks({ ledger }: Services, runId: string): RunEventOf<'chunk'>[] {
  const { events } = ledger.events(runId, { ...all, kinds: ['chunk'] });
  return events.filter((event): event is RunEventOf<'chunk'> => event.kind === 'chunk');
}

/** Returns the strings of all chunks, joined, as a reader could put the key together. */
function joinTexts(events: readonly RunEvent[]): string {
  return events
    .flatMap((event) => (event.kind === 'chunk' && event.data.startsWith('{') ? [event.data] : []))
    .map((data) => JSON.parse(data).choices[0].text)
    .join('');
}

const shows = async ({ engine }: Services, runId: string) =>
  getResponse(await engine.view(runId)).text;

it('masks the key in the journal, the view and both open pages', async () => {
  const { services, home, end } = await serveEvents(repeated);
  const runId = await start(services);
  const pages = [0, 1].map(async () => {
    const updates: RunUpdate[] = [];
    for await (const update of services.engine.watch(runId, null, undefined)) updates.push(update);
    return updates;
  });
  await untilReceived(services, runId);
  expect(await shows(services, runId)).toContain(KEY);
  end();
  await untilEnded(services, runId);
  for (const updates of await Promise.all(pages)) {
    const snapshot = updates.findLast((update) => update.type === 'snapshot');
    expect(snapshot && getResponse(snapshot.view).text).toBe(`It is ${MASK}. `);
    expect(snapshot?.view.redactions).toBe(1);
    const at = updates.findLastIndex((update) => update.type === 'snapshot');
    expect(JSON.stringify(updates.slice(at))).not.toMatch(PIECES);
  }
  expect(await shows(services, runId)).toBe(`It is ${MASK}. `);
  const { events } = services.ledger.events(runId, all);
  expect(joinTexts(events)).toBe(`It is ${MASK}. `);
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.slice(-3)).toEqual(['redacted', 'exchange-end', 'finish']);
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
  expect(joinTexts(services.ledger.events(runId, all).events)).toBe(`It is ${MASK}. `);
  const found = await services.ledger.search({ ...everyRun, search: 'It is' });
  expect(found.runs).toHaveLength(1);
});

it('keeps the numbers and times of events that are masked', async () => {
  const { services, end } = await serveEvents(repeated);
  const runId = await start(services);
  await untilReceived(services, runId);
  const before = listChunks(services, runId);
  end();
  await untilEnded(services, runId);
  const after = listChunks(services, runId).slice(0, before.length);
  const place = ({ seq, atMs, exchange }: RunEvent) => ({ seq, atMs, exchange });
  expect(after.map(place)).toEqual(before.map(place));
  expect(after.map(({ data }) => data.length)).toEqual(before.map(({ data }) => data.length));
});

it('overwrites the pieces in the journal before the exchange ends', async () => {
  const { services, home, end } = await serveEvents(repeated);
  const runId = await start(services);
  await untilReceived(services, runId);
  const read = () => readFileSync(journalPath(home, runId), 'utf8');
  expect(read()).toMatch(PIECES);
  const sizeBytes = read().length;
  const release = services.ledger.holdPacking();
  end();
  await untilEnded(services, runId);
  expect(read()).not.toMatch(PIECES);
  expect(read().length).toBeGreaterThan(sizeBytes);
  expect(read()).toContain('"redacted"');
  release();
});

it.each(['before the exchange ends', 'after the exchange has ended'])(
  'masks the key in the journal that a kill left %s',
  async (when) => {
    const { services, baseUrl, home, end } = await serveEvents(repeated);
    const runId = await start(services);
    await untilReceived(services, runId);
    const unmasked = readFileSync(journalPath(home, runId), 'utf8');
    const release = services.ledger.holdPacking();
    if (when.startsWith('after')) {
      // The kill precedes the masking of the file.
      vi.spyOn(services.ledger, 'cut').mockResolvedValue();
      end();
      await untilEnded(services, runId);
    }
    const killed = copyHome(join(home, 'ledger.sqlite'));
    release();
    expect(readFileSync(journalPath(killed, runId), 'utf8')).toContain(unmasked);

    const next = await startTestServices({ baseUrl, key: KEY, home: killed, isRecovered: false });
    expect(await shows(next, runId)).toBe(`It is ${MASK}. `);
    const { events } = next.ledger.events(runId, all);
    expect(joinTexts(events)).toBe(`It is ${MASK}. `);
    expect(events.filter(({ kind }) => kind === 'redacted').length).toBeGreaterThan(0);
    await vi.waitFor(() => expect(listJournals(killed)).toEqual([]));
  },
);

it('masks the key in a backup that is made during the stream', async () => {
  const { services, end } = await serveEvents(repeated);
  const runId = await start(services);
  await untilReceived(services, runId);
  const file = await makeBackup(services);
  const journal = readArchive(file).find(({ name }) => name.startsWith('journal/'));
  expect(journal?.content.toString()).toContain('It is');
  expect(journal?.content.toString()).not.toMatch(PIECES);
  expect(await shows(services, runId)).toBe(`It is ${MASK}. `);
  end();
  expect(getResponse(await untilEnded(services, runId)).text).toBe(`It is ${MASK}. `);

  const home = temporaryFolder();
  let to = await startTestServices({ home });
  to.backups.restore((await checkBackup(to, file)).id);
  await to.close();
  to = await startTestServices({ home });
  expect(await shows(to, runId)).toBe(`It is ${MASK}. `);
});

it('masks the key in the Console, streamed and whole', async () => {
  const { services, end } = await serveEvents(repeated);
  end();
  const request = { method: 'POST', path: '/v1/any', body: '{}' };
  const runId = await start(services, 'console', request);
  const streamed = await untilEnded(services, runId);
  const { text } = getResponse(streamed);
  expect(text).toContain('"text":"***"');
  expect(text).not.toMatch(PIECES);
});

it('masks the key in pieces of a document before it is recorded', async () => {
  const items = letters(KEY).map((text) => ({ text }));
  const server = await serveScript(({ send }) => send(jsonReply({ items, n: 1 })));
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const runId = await start(services, 'console', { method: 'GET', path: '/v1/any', body: '' });
  await untilEnded(services, runId);
  const body = services.ledger
    .events(runId, { ...all, kinds: ['body'] })
    .events.find((event) => event.kind === 'body');
  const masked = letters(KEY).map((text) => ({ text: '*'.repeat(text.length) }));
  expect(JSON.parse(body?.text ?? '')).toEqual({ items: masked, n: 1 });
});

it('masks the key in a field that no view knows', async () => {
  const events = letters(KEY).map(
    (piece) => `data: ${JSON.stringify({ choices: [{ index: 0, text: 'a' }], trace: piece })}\n\n`,
  );
  const { services, end } = await serveEvents(events);
  end();
  const runId = await start(services);
  await untilEnded(services, runId);
  const traces = listChunks(services, runId).flatMap(({ data }) =>
    data.startsWith('{') ? [String(JSON.parse(data).trace)] : [],
  );
  expect(traces.join('')).toBe(MASK);
});

it('finds the key neither in the messages, nor the next request, nor the search of a tool turn', async () => {
  const args = ['{"q":"', ...letters(KEY), '"}'];
  const calls = args.map((piece, at) => ({
    index: 0,
    ...(at === 0 && { id: 'call_0', type: 'function' }),
    function: { ...(at === 0 && { name: 'weather' }), arguments: piece },
  }));
  const events = [
    ...calls.map((call) => ({ delta: { tool_calls: [call] }, finish_reason: null })),
    { delta: {}, finish_reason: 'tool_calls' },
  ].map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  const bodies: string[] = [];
  const server = await serveScript(async ({ send, request }) => {
    bodies.push(request.slice(request.indexOf('\r\n\r\n')));
    if (bodies.length > 1) {
      const message = { role: 'assistant', content: 'Mild.' };
      return send(jsonReply({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    }
    await send(streamHead);
    for (const event of [...events, 'data: [DONE]\n\n']) await send(chunk(event));
    return send(lastChunk);
  });
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const { conversations, saved } = services;
  const tool = {
    type: 'function' as const,
    function: { name: 'weather', parameters: { type: 'object' } },
  };
  const { id } = saved.tools.save({ tool, answer: { by: 'canned', result: 'You asked: {{q}}' } });
  const conversation = conversations.create({
    options: { ...defaultConversationOptions, toolIds: [id] },
  });
  await conversations.send({
    conversationId: conversation.id,
    connectionId: 'environment',
    extraBody: {},
    request: { model: 'm', stream: true, tools: [toJson(tool)] },
    parentId: null,
    message: { role: 'user', content: 'Go' },
  });
  await vi.waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies[1]).toContain(MASK);
  expect(bodies[1]).not.toMatch(PIECES);
  const { messages } = conversations.get(conversation.id);
  expect(JSON.stringify(messages)).not.toMatch(PIECES);
  const search = async (words: string) =>
    (await services.ledger.search({ ...everyRun, search: words })).runs.length;
  await vi.waitFor(async () => expect(await search('Mild')).toBeGreaterThan(0));
  expect(await search(KEY)).toBe(0);
});
