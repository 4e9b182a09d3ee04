import { createRouterClient } from '@orpc/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { createComparisons } from '../../electron/runs/comparisons.ts';
import type { Services } from '../../electron/services.ts';
import { createComparisonStore } from '../../electron/storage/comparison-store.ts';
import { systemTimer } from '../../electron/storage/timer.ts';
import type { Cell, ComparedVariant, ComparisonPlan } from '../../shared/comparison.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import { isFinished } from '../../shared/is-finished.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { reply, type Script, startWireServer, type WireExchange } from '../fixtures/wire-server.ts';

const json = { 'Content-Type': 'application/json' };
const answer = reply(
  '200 OK',
  json,
  '{"choices":[{"index":0,"text":"gates","finish_reason":"stop"}]}',
);
const failure = reply('500 Internal Server Error', json, '{"error":{"message":"Broken"}}');
const answerAtOnce: Script = ({ send }) => void send(answer);

function variant(id: string, more: Partial<ComparedVariant> = {}): ComparedVariant {
  return {
    id,
    name: '',
    connectionId: 'environment',
    request: { model: id },
    extraBody: {},
    wireNames: {},
    differences: [`model ${id}`],
    ...more,
  };
}

function plan(variants: ComparedVariant[], more: Partial<ComparisonPlan> = {}): ComparisonPlan {
  const rows = [{ id: 'once', label: 'Once', request: { prompt: 'Once' } }];
  return { operation: 'completion', title: 'Once', variants, rows, repeats: 1, ...more };
}

async function serve(script: Script, home = temporaryFolder()) {
  const server = await startWireServer(script);
  onTestFinished(() => server.close());
  const open = () => startTestServices({ baseUrl: server.url, key: 'sk-test-1234567890', home });
  return { server, open, services: await open() };
}

const bodies = (requests: readonly string[]) =>
  requests.map((request) => JSON.parse(request.slice(request.indexOf('\r\n\r\n'))));

/** Each exchange waits until the test answers it. */
function heldGateway() {
  const open: WireExchange[] = [];
  const script: Script = (exchange) => {
    open.push(exchange);
  };
  return { open, script };
}

/** The cells as they are now. */
async function cellsOf({ comparisons }: Services, id: string): Promise<Cell[]> {
  for await (const { cells } of comparisons.watch(id, undefined)) return cells;
  return [];
}

/** Until each cell is over; the last update of each. */
async function finished({ comparisons }: Services, id: string): Promise<Cell[]> {
  const cells = new Map<number, Cell>();
  for await (const update of comparisons.watch(id, undefined)) {
    for (const cell of update.cells) cells.set(cell.place, cell);
    if ([...cells.values()].every(isOver)) break;
  }
  return [...cells.values()];
}

function isOver({ state, run }: Cell): boolean {
  if (state === 'sent') return run === null || isFinished(run.status);
  return state === 'dropped';
}

const states = (cells: readonly Cell[]) => cells.map(({ state }) => state);
const outcomes = (cells: readonly Cell[]) => cells.map(({ run }) => run?.status ?? null);

describe('a comparison', () => {
  it('sends each prompt to each variant as often as was asked, each as a run that knows its cell', async () => {
    const { server, services } = await serve(answerAtOnce);
    const id = services.comparisons.start(
      plan([variant('one'), variant('two', { request: { model: 'two', temperature: 0.2 } })], {
        rows: [
          { id: 'once', label: 'Once', request: { prompt: 'Once', temperature: 1 } },
          { id: 'twice', label: 'Twice', request: { prompt: 'Twice' } },
        ],
        repeats: 2,
      }),
    );
    const cells = await finished(services, id);
    expect(cells.map(({ rowId, variantId, repeat }) => [rowId, variantId, repeat])).toEqual(
      ['once', 'twice'].flatMap((row) =>
        ['one', 'two'].flatMap((each) => [0, 1].map((repeat) => [row, each, repeat])),
      ),
    );
    expect(outcomes(cells)).toEqual(Array(8).fill('succeeded'));
    expect(cells.map(({ run }) => [run?.comparisonId, run?.cell])).toEqual(
      cells.map(({ place }) => [id, place]),
    );
    expect(bodies(server.requests)).toEqual(
      cells.map(({ rowId, variantId }) => ({
        model: variantId,
        prompt: rowId === 'once' ? 'Once' : 'Twice',
        // Where both say something, the variant decides.
        ...(variantId === 'two' ? { temperature: 0.2 } : rowId === 'once' && { temperature: 1 }),
      })),
    );
  });

  it('is recorded whole before anything is sent, three at once', async () => {
    const { open, script } = heldGateway();
    const { services } = await serve(script);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const id = services.comparisons.start(plan(names.map((each) => variant(each))));
    expect(services.ledger.unfinished()).toEqual([]);
    expect(states(await cellsOf(services, id))).toHaveLength(5);
    await expect.poll(() => open).toHaveLength(3);
    await open[1]?.send(answer);
    await expect.poll(() => open).toHaveLength(4);
    expect(services.activeRunCount()).toBe(3);
    services.settings.update({ requestsAtOnce: { environment: 4 } });
    await expect.poll(() => open).toHaveLength(5);
  });

  it('does not begin where one request would not leave, and names the variant and the field', async () => {
    const { server, services } = await serve(answerAtOnce);
    const { comparisons } = createRouterClient(createRouter(services));
    const wrong = variant('hot', { request: { model: 'hot', temperature: 3 } });
    const messages = [{ role: 'user', content: 'Once' }];
    const chat = plan([variant('one'), wrong], {
      operation: 'chat',
      rows: [{ id: 'once', label: 'Once', request: { messages } }],
    });
    await expect(comparisons.start(chat)).rejects.toMatchObject({
      data: {
        kind: 'invalid-request',
        message: expect.stringMatching(/^Nothing was sent\. temperature: /),
        fields: [{ path: ['variants', 'hot', 'temperature'] }],
      },
    });
    const many = plan([variant('one')], { repeats: 100, rows: plan([]).rows });
    const rows = Array.from({ length: 11 }, (_, index) => ({
      id: `${index}`,
      label: '',
      request: { prompt: 'Once' },
    }));
    await expect(comparisons.start({ ...many, rows })).rejects.toMatchObject({
      data: { message: expect.stringContaining('1,100 requests are more than the 1,000') },
    });
    const withKey = variant('one', { extraBody: { note: 'sk-test-1234567890' } });
    await expect(comparisons.start(plan([withKey]))).rejects.toMatchObject({
      data: { message: expect.stringContaining('contains an API key') },
    });
    expect(server.requests).toEqual([]);
    expect(services.ledger.unfinished()).toEqual([]);
  });

  it('goes on where one fails, and sends only what failed again', async () => {
    let isBroken = true;
    const { server, services } = await serve(({ request, send }) => {
      void send(isBroken && request.includes('"bad"') ? failure : answer);
    });
    const id = services.comparisons.start(plan([variant('good'), variant('bad')]));
    expect(outcomes(await finished(services, id))).toEqual(['succeeded', 'failed']);
    isBroken = false;
    services.comparisons.retry(id, null);
    const cells = await finished(services, id);
    expect(outcomes(cells)).toEqual(['succeeded', 'succeeded']);
    expect(cells.map(({ attempts }) => attempts)).toEqual([1, 2]);
    expect(server.requests).toHaveLength(3);
    services.comparisons.retry(id, null);
    services.comparisons.retry(id, [0]);
    expect((await finished(services, id)).map(({ attempts }) => attempts)).toEqual([2, 2]);
  });

  it('can be stopped, whole or one by one, without a request that was not sent yet', async () => {
    const { open, script } = heldGateway();
    const { server, services } = await serve(script);
    const id = services.comparisons.start(
      plan(['a', 'b', 'c', 'd', 'e', 'f'].map((each) => variant(each))),
    );
    await expect.poll(() => open).toHaveLength(3);
    await services.comparisons.stop(id, [0, 4]);
    await expect.poll(() => open).toHaveLength(4);
    expect(states(await cellsOf(services, id))).toEqual([
      ...['sent', 'sent', 'sent', 'sent'],
      ...['dropped', 'waiting'],
    ]);
    await services.comparisons.stop(id, null);
    const cells = await finished(services, id);
    expect(states(cells).slice(4)).toEqual(['dropped', 'dropped']);
    expect(outcomes(cells).slice(0, 4)).toEqual(Array(4).fill('cancelled'));
    expect(server.requests).toHaveLength(4);
    services.comparisons.retry(id, [5]);
    await expect.poll(() => open).toHaveLength(5);
    await open[4]?.send(answer);
    expect((await finished(services, id))[5]).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('waits where the gateway asks for it, and says until when', async () => {
    let count = 0;
    const limited = reply('429 Too Many Requests', { ...json, 'Retry-After': '1' }, '{"error":{}}');
    const { server, services } = await serve(({ send }) => {
      count += 1;
      void send(count === 1 ? limited : answer);
    });
    services.settings.update({ requestsAtOnce: { environment: 1 } });
    const id = services.comparisons.start(plan([variant('a'), variant('b')]));
    const began = Date.now();
    let pause: ComparisonUpdate['sending'][number] | undefined;
    for await (const { sending } of services.comparisons.watch(id, undefined)) {
      pause = sending[0];
      if (pause?.pausedUntil != null) break;
    }
    expect(pause).toMatchObject({ connectionId: 'environment', waiting: 1, running: 0 });
    expect(server.requests).toHaveLength(1);
    expect(outcomes(await finished(services, id))).toEqual(['failed', 'succeeded']);
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
  });

  it('holds what was not sent when main ended, until the user says so', async () => {
    const { open, script } = heldGateway();
    const { server, services, open: restart } = await serve(script);
    const id = services.comparisons.start(
      plan(['a', 'b', 'c', 'd', 'e'].map((each) => variant(each))),
    );
    await expect.poll(() => open).toHaveLength(3);
    await services.close();
    const next = await restart();
    const cells = await cellsOf(next, id);
    expect(states(cells)).toEqual(['sent', 'sent', 'sent', 'held', 'held']);
    expect(outcomes(cells).slice(0, 3)).toEqual(Array(3).fill('unknown'));
    next.comparisons.resume(id);
    await expect.poll(() => open).toHaveLength(5);
    for (const exchange of open.slice(3)) await exchange.send(answer);
    expect(outcomes(await finished(next, id)).slice(3)).toEqual(['succeeded', 'succeeded']);
    expect(server.requests).toHaveLength(5);
  });

  it('is sent more times behind what it has', async () => {
    const { services } = await serve(answerAtOnce);
    const id = services.comparisons.start(plan([variant('a'), variant('b')]));
    await finished(services, id);
    services.comparisons.repeat(id, 2);
    const cells = await finished(services, id);
    expect(cells.map(({ variantId, repeat }) => `${variantId}${repeat}`)).toEqual([
      ...['a0', 'b0'],
      ...['a1', 'a2', 'b1', 'b2'],
    ]);
    for await (const { comparison } of services.comparisons.watch(id, undefined)) {
      expect(comparison?.repeats).toBe(3);
      break;
    }
  });

  it('says in the cell why it could not be started, and goes on with the others', async () => {
    const { services } = await serve(answerAtOnce);
    const id = services.comparisons.start(
      plan([variant('gone', { connectionId: 'gone' }), variant('here')]),
    );
    const [gone, here] = await finished(services, id);
    expect(gone).toMatchObject({ state: 'dropped', attempts: 0, problem: { kind: 'not-found' } });
    expect(here).toMatchObject({ state: 'sent', problem: null });
  });

  it('says nothing of what was stopped before it could not be started', async () => {
    const { services } = await serve(answerAtOnce);
    const gone = plan([variant('gone', { connectionId: 'gone' })]);
    const id = services.comparisons.start(gone);
    const stopped = services.comparisons.stop(id, null);
    expect(await finished(services, id)).toMatchObject([{ state: 'dropped', problem: null }]);
    await stopped;
    services.comparisons.retry(id, null);
    expect(await finished(services, id)).toMatchObject([{ problem: { kind: 'not-found' } }]);
  });

  it('holds what could not be started where that cannot be recorded', async () => {
    const { db } = openTestStorage();
    const store = createComparisonStore(db, () => 0);
    const full = new AppFailure(appError('file', 'The disk is full.', 'Free some space.', {}));
    const comparisons = createComparisons({
      store: {
        ...store,
        want() {
          throw full;
        },
      },
      engine: {
        start: () => Promise.reject(full),
        cancel: async () => undefined,
        release: async () => undefined,
        restored: () => undefined,
      },
      ledger: { ofComparison: () => [], removeHidden: () => undefined },
      changes: { announce: () => undefined },
      deletions: { kind: () => () => '' },
      atOnce: () => 1,
      redact: (text) => text,
      now: () => 0,
      clock: () => performance.now(),
      timer: systemTimer,
    });
    onTestFinished(() => comparisons.close());
    const id = comparisons.start(plan([variant('a')]));
    for await (const { cells } of comparisons.watch(id, undefined)) {
      if (cells[0]?.problem == null) continue;
      expect(cells).toMatchObject([{ state: 'held', problem: { kind: 'file' } }]);
      break;
    }
  });

  it('does not send again what was deleted', async () => {
    const { server, services, open: restart } = await serve(answerAtOnce);
    const id = services.comparisons.start(plan([variant('a')]));
    const [cell] = await finished(services, id);
    await services.engine.remove(cell?.run?.id ?? '');
    services.comparisons.retry(id, null);
    await services.close();
    const next = await restart();
    next.comparisons.resume(id);
    expect(await cellsOf(next, id)).toMatchObject([{ state: 'sent', run: null, attempts: 1 }]);
    expect(server.requests).toHaveLength(1);
  });

  it('is deleted with its runs, and comes back with them', async () => {
    const { open, script } = heldGateway();
    const { services } = await serve(script);
    const id = services.comparisons.start(
      plan(['a', 'b', 'c', 'd', 'e'].map((each) => variant(each))),
    );
    await expect.poll(() => open).toHaveLength(3);
    await open[0]?.send(answer);
    await expect.poll(() => cellsOf(services, id).then(outcomes)).toContain('succeeded');
    const watching = services.comparisons.watch(id, undefined);
    await watching.next();
    const deletionId = await services.comparisons.remove(id);
    for await (const _rest of watching) {
      // It ends with the comparison.
    }
    await expect(cellsOf(services, id)).rejects.toMatchObject({ error: { kind: 'not-found' } });
    const all = { connectionId: null, operation: null, status: null, before: null, limit: 10 };
    expect(services.ledger.list(all).runs).toEqual([]);
    services.deletions.undo([deletionId]);
    const cells = await cellsOf(services, id);
    expect(states(cells)).toContain('dropped');
    expect(outcomes(cells)).toContain('succeeded');
    expect(outcomes(cells)).not.toContain('running');
    expect(services.ledger.list(all).runs.length).toBeGreaterThan(2);
  });
});
