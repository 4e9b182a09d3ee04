import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRouterClient } from '@orpc/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemTimer } from '../../electron/base/timer.ts';
import { createComparisonStore } from '../../electron/comparisons/comparison-store.ts';
import { createComparisons } from '../../electron/comparisons/comparisons.ts';
import { createRouter } from '../../electron/router.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import {
  answer,
  answerAtOnce,
  bodies,
  cellsOf,
  failure,
  finished,
  heldGateway,
  outcomes,
  plan,
  row,
  serveGateway,
  states,
  variant,
  variants,
} from '../fixtures/comparisons.ts';
import { openTestStorage } from '../fixtures/data-folder.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { reply } from '../fixtures/wire-server.ts';

describe('a comparison', () => {
  it('sends each prompt to each variant and repeat as its own run', async () => {
    const { server, services } = await serveGateway(answerAtOnce);
    const id = await services.comparisons.start(
      plan([variant('one'), variant('two', { request: { model: 'two', temperature: 0.2 } })], {
        rows: [row('once', { prompt: 'Once', temperature: 1 }), row('twice', { prompt: 'Twice' })],
        repeats: 2,
      }),
    );
    const cells = await finished(services, id);
    expect(cells.map(({ rowId, variantId, repeat }) => [rowId, variantId, repeat])).toEqual(
      // Every variant must be sent once before any variant is repeated.
      [0, 1].flatMap((repeat) =>
        ['once', 'twice'].flatMap((row) => ['one', 'two'].map((each) => [row, each, repeat])),
      ),
    );
    expect(outcomes(cells)).toEqual(Array(8).fill('succeeded'));
    expect(cells.map(({ run }) => [run?.comparisonId, run?.cell])).toEqual(
      cells.map(({ place }) => [id, place]),
    );
    const sent = bodies(server.requests);
    expect(sent).toHaveLength(8);
    expect(sent).toEqual(
      expect.arrayContaining(
        cells.map(({ rowId, variantId }) => ({
          model: variantId,
          prompt: rowId === 'once' ? 'Once' : 'Twice',
          // The variant wins if both set a field.
          ...(variantId === 'two' ? { temperature: 0.2 } : rowId === 'once' && { temperature: 1 }),
        })),
      ),
    );
  });

  it('suggests a model used only in comparisons, until those are deleted', async () => {
    const { services } = await serveGateway(answerAtOnce);
    const suggested = async () => {
      const { models, preselected } = await services.models.suggest('environment', 'completion');
      return [models.map((model) => model.id), preselected];
    };
    const id = await services.comparisons.start(plan([variant('one')]));
    await finished(services, id);
    expect(await suggested()).toEqual([['one'], 'one']);
    const deletionId = await services.comparisons.remove(id);
    expect(await suggested()).toEqual([[], null]);
    services.deletions.undo([deletionId]);
    expect(await suggested()).toEqual([['one'], 'one']);
  });

  it('stays unfinished until its last request ends', async () => {
    const { services } = await serveGateway(answerAtOnce);
    services.settings.update({ requestsAtOnce: { environment: 1 } });
    const counts: string[] = [];
    const three = variants('a', 'b', 'c');
    const id = await services.comparisons.start(plan(three));
    services.changes.listen(({ topic }) => {
      if (topic === 'runs' && services.activeRunCount() === 0) {
        counts.push(
          `${services.countUnfinished()}, ended: ${services.comparisons.getEndedTitle(id)}`,
        );
      }
    });
    await finished(services, id);
    const { title } = services.comparisons.get(id).comparison;
    // The desktop without a window, for example, must not mistake this run's end for the last one.
    expect([...new Set(counts)]).toEqual([
      '2, ended: null',
      '1, ended: null',
      `0, ended: ${title}`,
    ]);
    await services.comparisons.remove(id);
    expect(services.comparisons.getEndedTitle(id)).toBeNull();
  });

  it('records all cells before it sends three requests at once', async () => {
    const { open, script } = heldGateway();
    const { services } = await serveGateway(script);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const id = await services.comparisons.start(plan(names.map((each) => variant(each))));
    expect(open).toEqual([]);
    expect(states(await cellsOf(services, id))).toHaveLength(5);
    await expect.poll(() => open).toHaveLength(3);
    await open[1]?.send(answer);
    await expect.poll(() => open).toHaveLength(4);
    expect([services.activeRunCount(), services.countUnfinished()]).toEqual([3, 4]);
    services.settings.update({ requestsAtOnce: { environment: 4 } });
    await expect.poll(() => open).toHaveLength(5);
  });

  it('rejects a plan with an invalid request and names the field', async () => {
    const { server, services } = await serveGateway(answerAtOnce);
    const { comparisons } = createRouterClient(createRouter(services));
    const wrong = variant('hot', { request: { model: 'hot', temperature: 3 } });
    const messages = [{ role: 'user', content: 'Once' }];
    const chat = plan([variant('one'), wrong], {
      operation: 'chat',
      rows: [row('once', { messages })],
    });
    await expect(comparisons.start(chat)).rejects.toMatchObject({
      data: {
        kind: 'invalid-request',
        message: expect.stringMatching(/^Nothing was sent\. temperature: /),
        fields: [{ path: ['variants', 'hot', 'temperature'] }],
      },
    });
    const many = plan([variant('one')], { repeats: 100, rows: plan([]).rows });
    const rows = Array.from({ length: 11 }, (_, index) => row(`${index}`, { prompt: 'Once' }));
    await expect(comparisons.start({ ...many, rows })).rejects.toMatchObject({
      data: { message: expect.stringContaining('1,100 requests is over the limit of 1,000') },
    });
    const withKey = variant('one', { extraBody: { note: 'sk-test-1234567890' } });
    await expect(comparisons.start(plan([withKey]))).rejects.toMatchObject({
      data: { message: expect.stringContaining('contains an API key') },
    });
    expect(server.requests).toEqual([]);
    expect(services.ledger.listUnfinished()).toEqual([]);
  });

  it('counts each outcome, and retries only the requests that failed', async () => {
    const { open, script } = heldGateway();
    const { services } = await serveGateway(script);
    const id = await services.comparisons.start(
      plan(variants('good', 'bad', 'stopped', 'dropped')),
    );
    await expect.poll(() => open).toHaveLength(3);
    await services.comparisons.stop(id, [2, 3]);
    await open[0]?.send(answer);
    await open[1]?.send(failure);
    const cells = await finished(services, id);
    expect(outcomes(cells)).toEqual(['succeeded', 'failed', 'cancelled', null]);
    const { runs } = createRouterClient(createRouter(services));
    const listed = await runs.list({ ...everyRun, folded: true });
    expect(listed.comparisons).toMatchObject([
      { requests: 4, unsent: 0, running: 0, succeeded: 1, failed: 1, stopped: 1 },
    ]);
    services.comparisons.retry(id, null);
    await expect.poll(() => open).toHaveLength(4);
    expect(states(await cellsOf(services, id))).toEqual(['sent', 'sent', 'sent', 'dropped']);
    await open[3]?.send(answer);
    const retried = await finished(services, id);
    expect(retried.map(({ attempts }) => attempts)).toEqual([1, 2, 1, 0]);
  });

  it('limits concurrency and pauses when the gateway asks to wait', async () => {
    const limited = reply(
      '429 Too Many Requests',
      { 'Content-Type': 'application/json', 'Retry-After': '1' },
      '{"error":{}}',
    );
    let [open, mostOpen, answered] = [0, 0, 0];
    const pausedUntil = new Set<number>();
    const { server, services } = await serveGateway(async ({ send }) => {
      const count = server.requests.length;
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      while (open < Math.min(3, 30 - answered)) await nextTurn();
      open -= 1;
      answered += 1;
      await send(count === 8 || count === 20 ? limited : answer);
    });
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => row(each, { prompt: each }));
    const compared = variants('1', '2', '3', '4', '5');
    const id = await services.comparisons.start(plan(compared, { rows }));
    const cells = await finished(services, id, ({ sending }) => {
      const until = sending[0]?.pausedUntil ?? null;
      if (until !== null) pausedUntil.add(until);
    });
    expect(outcomes(cells).filter((outcome) => outcome === 'succeeded')).toHaveLength(28);
    expect(outcomes(cells).filter((outcome) => outcome === 'failed')).toHaveLength(2);
    expect({ mostOpen, requests: server.requests.length }).toEqual({ mostOpen: 3, requests: 30 });
    // The unit tests of the queue show that it sends nothing before that time.
    expect(pausedUntil.size).toBeGreaterThan(0);
  });

  it('holds unsent requests after a restart until the user resumes', async () => {
    const { open, script } = heldGateway();
    const { server, services, open: restart } = await serveGateway(script);
    const id = await services.comparisons.start(plan(variants('a', 'b', 'c', 'd', 'e')));
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

  it('adds repeats after the existing ones', async () => {
    const { services } = await serveGateway(answerAtOnce);
    const id = await services.comparisons.start(plan(variants('a', 'b')));
    await finished(services, id);
    services.comparisons.repeat(id, 2);
    const cells = await finished(services, id);
    expect(cells.map(({ variantId, repeat }) => `${variantId}${repeat}`)).toEqual([
      ...['a0', 'b0'],
      ...['a1', 'b1', 'a2', 'b2'],
    ]);
    for await (const { comparison } of services.comparisons.watch(id, undefined)) {
      expect(comparison?.repeats).toBe(3);
      break;
    }
  });

  it('stops sending to a deleted connection, and lets its runs end', async () => {
    const { open, script } = heldGateway();
    const { server, services } = await serveGateway(script);
    const { connections, comparisons } = createRouterClient(createRouter(services));
    const { id: connectionId } = await connections.create({ name: 'Other', baseUrl: server.url });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const all = plan(names.map((each) => variant(each, { connectionId })));
    const { id } = await comparisons.start(all);
    await expect.poll(() => open).toHaveLength(3);
    expect(await connections.activity({ id: connectionId })).toEqual({
      running: 3,
      waiting: 2,
      held: [],
    });
    expect(await connections.activity({ id: 'environment' })).toEqual({
      running: 0,
      waiting: 0,
      held: [],
    });
    await connections.remove({ id: connectionId });
    for (const exchange of open) await exchange.send(answer);
    const cells = await finished(services, id);
    expect(outcomes(cells).slice(0, 3)).toEqual(Array(3).fill('succeeded'));
    expect(cells.slice(3)).toMatchObject(
      Array(2).fill({ state: 'dropped', problem: { kind: 'not-found', gateway: null } }),
    );
    expect(open).toHaveLength(3);
  });

  it('counts held requests of a connection by comparison', async () => {
    const { open, script } = heldGateway();
    const { server, services, open: restart } = await serveGateway(script);
    const other = await services.connections.create({ name: 'Other', baseUrl: server.url });
    const connectionId = (await other).id;
    const to = (names: string[]) => names.map((each) => variant(each, { connectionId }));
    const own = variants('a', 'b', 'c', 'd');
    const first = await services.comparisons.start(
      plan([...own, ...to(['e', 'f', 'g', 'h', 'i'])]),
    );
    await services.comparisons.start(plan(to(['a', 'b']), { title: 'Twice', repeats: 2 }));
    await expect.poll(() => open).toHaveLength(6);
    const heldOf = async (which: typeof services) => {
      const { connections } = createRouterClient(createRouter(which));
      return (await connections.activity({ id: connectionId })).held;
    };
    expect(await heldOf(services)).toEqual([]);
    await services.close();

    const next = await restart();
    expect(await heldOf(next)).toEqual([
      { title: 'Twice', requests: 4 },
      { title: 'Once', requests: 2 },
    ]);
    next.comparisons.resume(first);
    expect(await heldOf(next)).toEqual([{ title: 'Twice', requests: 4 }]);
    await next.comparisons.stop(first, null);
    expect(await heldOf(next)).toEqual([{ title: 'Twice', requests: 4 }]);
  });

  it('reports no problem for a request that the user had already stopped', async () => {
    const { services } = await serveGateway(answerAtOnce);
    const gone = plan([variant('gone', { connectionId: 'gone' })]);
    const id = await services.comparisons.start(gone);
    const stopped = services.comparisons.stop(id, null);
    expect(await finished(services, id)).toMatchObject([{ state: 'dropped', problem: null }]);
    await stopped;
    services.comparisons.retry(id, [0]);
    expect(await finished(services, id)).toMatchObject([{ problem: { kind: 'not-found' } }]);
  });

  it('holds a request whose problem can’t be recorded', async () => {
    const { db } = openTestStorage();
    const store = createComparisonStore(db, () => 0);
    const full = new UserFacingError(appError('file', 'The disk is full.', 'Free some space.'));
    const starting = Promise.withResolvers<string>();
    const comparisons = createComparisons({
      store: {
        ...store,
        want() {
          throw full;
        },
      },
      engine: {
        start: () => starting.promise,
        cancel: async () => undefined,
        release: async () => undefined,
        restored: () => undefined,
        read: () => Promise.reject(full),
        active: () => [],
      },
      onUnsent: () => undefined,
      conversations: () => ({
        cellAnswers() {
          throw full;
        },
        answersAdded: () => undefined,
      }),
      ledger: { getAttempts: () => [], getOutcomes: () => [] },
      changes: { announce: () => undefined, listen: () => undefined },
      deletions: {
        softDelete: () => '',
        onPurge: () => undefined,
        stage: () => expect.fail(),
      },
      spending: {
        check: () => undefined,
        price: ({ connectionId }) => ({ connectionId, cost: () => null }),
      },
      atOnce: () => 1,
      redact: (text) => text,
      now: () => 0,
      clock: () => performance.now(),
      timer: systemTimer,
    });
    onTestFinished(() => comparisons.close());
    const id = await comparisons.start(plan([variant('a')]));
    for await (const { cells } of comparisons.watch(id, undefined)) {
      starting.reject(full);
      if (cells[0]?.problem == null) continue;
      expect(cells).toMatchObject([{ state: 'held', problem: { kind: 'file' } }]);
      break;
    }
  });
});
