/** Covers live streams from the gateway to the journal, and what their data folder survives. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Services } from '../../electron/services.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/run.ts';
import { getResponse } from '../../shared/run-view.ts';
import { checkBackup, makeBackup } from '../fixtures/backups.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { listJournals } from '../fixtures/journal-files.ts';
import { copyHome, openJournals } from '../fixtures/open-journals.ts';
import {
  all,
  chunk as chunkEvent,
  exchangeEnd,
  response,
  timings,
  writtenEvents,
} from '../fixtures/open-ledger.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { chunk, lastChunk, streamHead } from '../fixtures/wire-server.ts';

const LAST_WORD = 'w19 ';

/** Serves streams that send twenty words and stay open until `end` is called. */
async function serveStreams() {
  const ended = Promise.withResolvers<void>();
  const server = await serveScript(async ({ send }) => {
    await send(streamHead);
    for (let index = 0; index < 20; index += 1) {
      await send(chunk(`data: {"choices":[{"index":0,"text":"w${index} "}]}\n\n`));
    }
    await ended.promise;
    await send(chunk('data: [DONE]\n\n'));
    await send(lastChunk);
  });
  return { baseUrl: server.url, end: () => ended.resolve() };
}

const start = ({ engine }: Services) =>
  engine.start({
    connectionId: 'environment',
    operation: 'completion',
    extraBody: {},
    wireNames: {},
    request: { model: 'm', prompt: 'Count', stream: true },
  });

async function untilLastWord({ engine }: Services, runId: string): Promise<void> {
  const stop = new AbortController();
  for await (const _update of engine.watch(runId, null, stop.signal)) {
    if (getResponse(await engine.view(runId)).text.endsWith(LAST_WORD)) stop.abort();
  }
}

function openRows(home: string) {
  const path = join(home, 'ledger.sqlite');
  const file = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => file.close());
  return { path, db: { sql: (text: string) => file.prepare(text) } };
}

it('has written each event before a watcher receives it', async () => {
  const { baseUrl, end } = await serveStreams();
  const home = temporaryFolder();
  const services = await startTestServices({ home, baseUrl });
  const runId = await start(services);
  const rows = openRows(home);
  let updates = 0;
  for await (const update of services.engine.watch(runId, null, undefined)) {
    const seen = update.type === 'snapshot' ? update.seq : update.to;
    expect(writtenEvents(rows)).toBeGreaterThanOrEqual(seen);
    updates += 1;
    const { text } = getResponse(await services.engine.view(runId));
    if (text.endsWith(LAST_WORD)) end();
  }
  expect(updates).toBeGreaterThan(1);
  expect(services.ledger.run(runId)?.status).toBe('succeeded');
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
});

/** Returns a data folder as a kill leaves it, with a run whose row is still marked as running. */
function leaveRunning(events: readonly RunEvent[]): string {
  const { ledger, path } = openJournals();
  ledger.createRun(testRun({ id: 'a', status: 'running', startedAt: 1, httpStatus: 200 }));
  ledger.append('a', [response, ...events]);
  ledger.save('a');
  return copyHome(path);
}

const delta = (seq: number) => chunkEvent(seq, '{"choices":[{"index":0,"delta":{"content":"x"}}]}');

it('keeps the ending that is in the journal of a killed process', async () => {
  const home = leaveRunning([
    delta(2),
    exchangeEnd(3),
    { kind: 'finish', seq: 4, atMs: 2, exchange: 0, timings },
  ]);
  const { ledger } = await startTestServices({ home });
  expect(ledger.run('a')).toMatchObject({ status: 'succeeded', seq: 4 });
  expect(ledger.events('a', all).events).toHaveLength(4);
});

it('starts before it has recovered a long stream, and lets requests for that run wait', async () => {
  const home = leaveRunning(Array.from({ length: 20_000 }, (_, at) => delta(at + 2)));
  const services = await startTestServices({ home, isRecovered: false });
  expect(services.ledger.run('a')?.status).toBe('running');
  const view = await services.engine.view('a');
  expect([view.status, getResponse(view).text.length]).toEqual(['interrupted', 20_000]);
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
});

it('restores a backup that was made during ten streams', async () => {
  const { baseUrl, end } = await serveStreams();
  const services = await startTestServices({ baseUrl });
  const runIds = await Promise.all(Array.from({ length: 10 }, () => start(services)));
  await Promise.all(runIds.map((runId) => untilLastWord(services, runId)));
  const file = await makeBackup(services);
  end();

  const home = temporaryFolder();
  let to = await startTestServices({ home });
  to.backups.restore((await checkBackup(to, file)).id);
  await to.close();
  to = await startTestServices({ home });
  for (const runId of runIds) {
    const { status, ...view } = await to.engine.view(runId);
    expect([status, getResponse({ ...view, status }).text]).toEqual([
      'interrupted',
      expect.stringMatching(/^w0 .* w19 $/),
    ]);
  }
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
});

it('loses no event of a run that ends while a backup is made', async () => {
  const { baseUrl, end } = await serveStreams();
  const services = await startTestServices({ baseUrl });
  const runId = await start(services);
  await untilLastWord(services, runId);
  const hold = vi.spyOn(services.ledger, 'holdPacking');
  const ended = vi.waitFor(() => expect(hold).toHaveBeenCalled()).then(end);
  const file = await makeBackup(services);
  await ended;
  await untilEnded(services, runId);

  const home = temporaryFolder();
  let to = await startTestServices({ home });
  to.backups.restore((await checkBackup(to, file)).id);
  await to.close();
  to = await startTestServices({ home });
  expect(getResponse(await to.engine.view(runId)).text).toMatch(/^w0 .* w19 $/);
});

it('deletes a run during its stream', async () => {
  const { baseUrl } = await serveStreams();
  const home = temporaryFolder();
  let services = await startTestServices({ home, baseUrl });
  const runId = await start(services);
  await untilLastWord(services, runId);
  await services.engine.remove(runId);
  expect(services.ledger.run(runId)).toBeNull();
  await services.close();
  services = await startTestServices({ home });
  expect(services.ledger.runOrHidden(runId)).toBeNull();
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
});

it('rejects “Delete everything” during a stream, and then deletes its journal too', async () => {
  const { baseUrl, end } = await serveStreams();
  const home = temporaryFolder();
  let services = await startTestServices({ home, baseUrl });
  const runId = await start(services);
  await untilLastWord(services, runId);
  await expect(services.clearing.clear('everything')).rejects.toThrow(UserFacingError);
  expect(getResponse(await services.engine.view(runId)).text).toContain(LAST_WORD);
  end();
  await untilEnded(services, runId);
  await services.clearing.clear('everything');
  await services.close();
  services = await startTestServices({ home });
  await vi.waitFor(() => expect(listJournals(home)).toEqual([]));
  expect(services.ledger.runOrHidden(runId)).toBeNull();
});
