/** Runs loads against a gateway with workers, and checks what is measured, kept and listed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Services } from '../../electron/services.ts';
import type { Rates } from '../../shared/prices.ts';
import { isFinished } from '../../shared/run.ts';
import { endedCheck, getLoad, loadInput, untilProgress } from '../fixtures/checks.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { startWorkerGateway, type WorkerGateway } from '../fixtures/worker-gateway.ts';

const openServices = ({ url }: WorkerGateway, home = temporaryFolder()) =>
  startTestServices({ baseUrl: url, key: 'sk-test-1234567890', home });

const rates: Rates = {
  inputPerMillionTokens: 1_000_000,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  hourCacheWritePerMillionTokens: null,
  outputPerMillionTokens: null,
  perImage: null,
  perVideoSecond: null,
  perMillionCharacters: null,
  perSoundMinute: null,
};

async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe('checks.start with a load', () => {
  it('runs each model’s stages in order, and keeps the figures apart from the warm-up', async () => {
    const gateway = await startWorkerGateway({ workers: 4, serviceMs: 1 });
    const services = await openServices(gateway);
    const stages = [
      { atOnce: 1, requests: 3 },
      { atOnce: 6, requests: 12 },
    ];
    const target = { figure: 'totalMs' as const, percentile: 50 as const, ms: 60_000 };
    const input = loadInput({ models: ['one', 'two'], stages, warmup: 1, target });
    expect((await services.checks.plan(input)).estimate.requests).toBe(44);
    gateway.hold(4);
    const id = await services.checks.start(input);
    await expect.poll(() => gateway.mostOpen()).toBe(6);
    gateway.release();
    const check = await endedCheck(services, id);
    const { results, stopped, comparisonIds } = getLoad(check);
    expect(gateway.asked).toEqual([...Array(22).fill('one'), ...Array(22).fill('two')]);
    expect(gateway.mostOpen()).toBe(6);
    expect(comparisonIds).toHaveLength(2);
    expect(stopped).toBeNull();
    const figures = [
      { atOnce: 1, warmupRequests: 1, requests: 3, failed: 0, meetsTarget: true },
      { atOnce: 6, warmupRequests: 6, requests: 12, failed: 0, meetsTarget: true },
    ];
    expect(results).toMatchObject([
      { model: 'one', stages: figures },
      { model: 'two', stages: figures },
    ]);
    expect(results[1]?.stages[1]).toMatchObject({
      errors: {},
      totalMs: { count: 12, p95: null },
      firstTokenMs: null,
      clientDelayMs: { count: 12 },
    });
    expect(services.checks.list()).toMatchObject([
      { id, kind: 'load', title: 'one, two', state: 'done', operations: ['chat'] },
    ]);
  });

  it('leaves its runs out of lists, searches and suggestions', async () => {
    const services = await openServices(await startWorkerGateway());
    const id = await services.checks.start(loadInput());
    const { comparisonIds } = getLoad(await endedCheck(services, id));
    const { ledger } = services;
    expect(ledger.list(everyRun).runs).toEqual([]);
    for (const search of ['harbor', 'one']) {
      expect((await ledger.search({ ...everyRun, search })).runs).toEqual([]);
    }
    expect((await ledger.metrics({ ...everyRun, search: '' })).runs).toBe(0);
    expect(ledger.models()).toEqual([]);
    const suggested = await services.models.suggest('environment', 'chat');
    expect(JSON.stringify(suggested)).not.toContain('"one"');
    const ofComparison = { ...everyRun, comparisonId: comparisonIds[0] ?? '' };
    expect(ledger.list(ofComparison).runs).toHaveLength(4);
  });

  it('is one entry of History, unless it is searched or deleted', async () => {
    const services = await openServices(await startWorkerGateway());
    const { checks, ledger } = services;
    const ids = [];
    for (const models of [['one', 'two'], ['two']]) {
      ids.push(await checks.start(loadInput({ models })));
      await endedCheck(services, ids.at(-1) ?? '');
    }
    const listed = (more: { status?: 'failed' | 'succeeded'; model?: string } = {}) => {
      const { runs } = ledger.list({ ...everyRun, folded: true, ...more });
      return runs.map(({ comparisonId, cell }) => [
        checks.list().find(({ comparisonIds }) => comparisonIds.includes(comparisonId ?? ''))?.id,
        cell,
      ]);
    };
    // Its first run, so that it is listed by the time of its start.
    expect(listed()).toEqual([ids[1], ids[0]].map((id) => [id, 0]));
    expect(listed({ status: 'succeeded' })).toHaveLength(2);
    expect(listed({ status: 'failed' })).toEqual([]);
    expect(listed({ model: 'two' })).toEqual([[ids[1], 0]]);
    expect((await ledger.search({ ...everyRun, folded: true, search: 'two' })).runs).toEqual([]);
    const sort = { by: 'duration', isDescending: true } as const;
    const sorted = await ledger.search({ ...everyRun, folded: true, search: '', sort });
    expect(sorted.runs).toHaveLength(2);
    await checks.remove(ids[1] ?? '', false);
    expect(listed()).toEqual([[ids[0], 0]]);
  });

  it('counts its runs in progress for Check instead of Chat', async () => {
    const gateway = await startWorkerGateway();
    gateway.hold();
    const services = await openServices(gateway);
    const id = await services.checks.start(loadInput());
    await expect.poll(() => gateway.asked.length).toBe(2);
    expect(services.engine.activeCounts()).toEqual({ check: 2 });
    gateway.release();
    await endedCheck(services, id);
    expect(services.engine.activeCounts()).toEqual({});
  });

  it('ends once, with the last request of the last model', async () => {
    const gateway = await startWorkerGateway();
    const ended: (string | null)[] = [];
    const services: Services = await startTestServices({
      baseUrl: gateway.url,
      key: 'sk-test-1234567890',
      onRun({ status, comparisonId }) {
        if (!isFinished(status) || comparisonId === null) return;
        const { checks, comparisons } = services;
        ended.push(checks.getEndedTitle(comparisonId) ?? comparisons.getEndedTitle(comparisonId));
      },
    });
    await endedCheck(services, await services.checks.start(loadInput({ models: ['one', 'two'] })));
    expect(ended).toEqual([...Array(7).fill(null), 'one, two']);
  });

  it('rejects more requests than a check may send', async () => {
    const services = await openServices(await startWorkerGateway());
    const input = loadInput({ stages: [{ atOnce: 1, requests: 20_001 }] });
    await expect(services.checks.start(input)).rejects.toThrow('20,001 requests is over the limit');
    expect(services.checks.list()).toEqual([]);
  });

  it('stores many requests in steps, and shows the check once all are stored', async () => {
    const gateway = await startWorkerGateway();
    gateway.hold();
    const services = await openServices(gateway);
    const input = loadInput({ stages: [{ atOnce: 2, requests: 20_000 }] });
    const starting = services.checks.start(input);
    let turns = 0;
    for (; services.checks.list().length === 0; turns += 1) {
      expect(gateway.asked).toEqual([]);
      await nextTurn();
    }
    expect(turns).toBeGreaterThan(3);
    const progress = await untilProgress(services, await starting, () => true);
    expect(progress).toMatchObject({ state: 'running', requests: 20_000 });
    await services.checks.stop(await starting);
  });

  it('stores nothing if Gatehouse closes meanwhile', async () => {
    const gateway = await startWorkerGateway();
    const home = temporaryFolder();
    const before = await openServices(gateway, home);
    const start = before.checks.start(loadInput({ stages: [{ atOnce: 2, requests: 20_000 }] }));
    const rejected = expect(start).rejects.toThrow('Gatehouse is closing. Nothing was sent.');
    await nextTurn();
    await before.close();
    await rejected;
    const after = await openServices(gateway, home);
    expect(after.checks.list()).toEqual([]);
    expect(after.comparisons.countHeld('environment')).toEqual([]);
    expect(gateway.asked).toEqual([]);
  });

  it('rejects a request with a stored key, because checks are stored', async () => {
    const services = await openServices(await startWorkerGateway());
    const messages = [{ role: 'user', content: 'My key is sk-test-1234567890.' }];
    const start = services.checks.start(loadInput({ requests: [{ messages }] }));
    await expect(start).rejects.toThrow('contains an API key');
    expect(services.checks.list()).toEqual([]);
  });

  it('costs nothing with the demo gateway', async () => {
    const services = await openServices(await startWorkerGateway());
    const input = loadInput({ connectionId: 'demo', models: ['demo-story'] });
    expect((await services.checks.plan(input)).estimate).toMatchObject({
      dollars: 0,
      isLeast: false,
    });
  });

  it('asks before it may exceed the daily cap', async () => {
    const services = await openServices(await startWorkerGateway());
    services.prices.save(null, {
      connectionId: 'environment',
      model: 'one',
      rates,
    });
    services.settings.update({ dailyCaps: { environment: 1 } });
    await expect(services.checks.start(loadInput())).rejects.toThrow('cap');
    const id = await services.checks.start(loadInput(), true);
    expect((await endedCheck(services, id)).body.estimate.dollars).toBeGreaterThan(1);
  });
});

describe('the limits of a load', () => {
  const limits = loadInput().limits;

  it('stops at its share of errors', async () => {
    const gateway = await startWorkerGateway();
    gateway.fail(503);
    const services = await openServices(gateway);
    const id = await services.checks.start(
      loadInput({ stages: [{ atOnce: 2, requests: 500 }], limits: { ...limits, errorShare: 0.5 } }),
    );
    const { results, stopped } = getLoad(await endedCheck(services, id));
    expect(stopped).toBe('errors');
    expect(results[0]?.stages[0]).toMatchObject({ errorShare: 1, requestsPerSecond: 0 });
    expect(gateway.asked.length).toBeLessThan(40);
    expect(services.checks.list()[0]?.state).toBe('stopped');
  });

  it('sends no more requests than it may', async () => {
    const gateway = await startWorkerGateway();
    const services = await openServices(gateway);
    const stages = [1, 2, 4].map((atOnce) => ({ atOnce, requests: 4 }));
    const input = loadInput({
      models: ['one', 'two'],
      stages,
      limits: { ...limits, requests: 14 },
    });
    const id = await services.checks.start(input);
    const { results, stopped } = getLoad(await endedCheck(services, id));
    expect(stopped).toBe('requests');
    expect(gateway.asked).toHaveLength(14);
    expect(results.map(({ stages: each }) => each.length)).toEqual([3, 1]);
  });

  it('stops when its time is over', async () => {
    const gateway = await startWorkerGateway();
    gateway.hold();
    const services = await openServices(gateway);
    const input = loadInput({ limits: { ...limits, seconds: 0.05 } });
    const id = await services.checks.start(input);
    expect(getLoad(await endedCheck(services, id)).stopped).toBe('seconds');
  });

  it('stops at its cost', async () => {
    const services = await openServices(await startWorkerGateway());
    services.prices.save(null, {
      connectionId: 'environment',
      model: 'one',
      rates,
    });
    const input = loadInput({
      stages: [{ atOnce: 1, requests: 50 }],
      limits: { ...limits, cost: 12 },
    });
    const id = await services.checks.start(input);
    const progress = await untilProgress(services, id, ({ state }) => state === 'stopped');
    expect(progress).toMatchObject({ ended: 3, dollars: 15 });
    expect(getLoad(services.checks.get(id)).stopped).toBe('cost');
  });
});

describe('a load that is stopped', () => {
  it('ends at once, keeps its results and can be resumed', async () => {
    const gateway = await startWorkerGateway({ workers: 1 });
    const services = await openServices(gateway);
    gateway.hold();
    const input = loadInput({ stages: [{ atOnce: 3, requests: 10 }] });
    const id = await services.checks.start(input);
    await expect.poll(() => gateway.asked.length).toBe(3);
    await services.checks.stop(id);
    const { results, stopped } = getLoad(await endedCheck(services, id));
    expect({ results, stopped }).toEqual({
      results: [{ model: 'one', stages: [] }],
      stopped: 'user',
    });
    gateway.release();
    await services.checks.resume(id);
    const resumed = getLoad(await endedCheck(services, id));
    expect(resumed.stopped).toBeNull();
    expect(resumed.results[0]?.stages).toMatchObject([{ requests: 10, failed: 0 }]);
    expect(gateway.asked).toHaveLength(13);
  });

  it('waits for the user after a restart', async () => {
    const gateway = await startWorkerGateway();
    const home = temporaryFolder();
    const before = await openServices(gateway, home);
    gateway.hold();
    const input = loadInput({ stages: [{ atOnce: 2, requests: 6 }] });
    const id = await before.checks.start(input);
    await expect.poll(() => gateway.asked.length).toBe(2);
    await before.close();
    gateway.release();
    const after = await openServices(gateway, home);
    expect(await untilProgress(after, id, () => true)).toMatchObject({
      state: 'held',
      requests: 6,
      ended: 2,
      running: 0,
    });
    await after.checks.resume(id);
    const { results } = getLoad(await endedCheck(after, id));
    expect(results[0]?.stages).toMatchObject([{ requests: 6, failed: 0 }]);
  });

  it('holds the rest if a request can’t start, and says why', async () => {
    const gateway = await startWorkerGateway();
    const services = await openServices(gateway);
    const connection = await services.connections.create({
      name: 'Short',
      baseUrl: gateway.url,
    });
    gateway.hold();
    const input = loadInput({ connectionId: connection.id, stages: [{ atOnce: 2, requests: 50 }] });
    const id = await services.checks.start(input);
    await expect.poll(() => gateway.asked.length).toBe(2);
    await services.connections.remove(connection.id);
    gateway.release();
    for await (const { progress, heldBy } of services.checks.watch(id, undefined)) {
      if (progress.state === 'running') continue;
      expect(progress).toMatchObject({ state: 'held', running: 0 });
      expect(heldBy?.kind).toBe('not-found');
      break;
    }
    expect(gateway.asked.length).toBeLessThan(5);
  });
});

describe('checks.remove', () => {
  async function runLoad() {
    const services = await openServices(await startWorkerGateway());
    const id = await services.checks.start(loadInput());
    const { comparisonIds } = getLoad(await endedCheck(services, id));
    const countRuns = () => services.ledger.getOutcomes(comparisonIds[0] ?? '', null).length;
    return { services, id, countRuns };
  }

  it('deletes the check with its runs, which Undo restores', async () => {
    const { services, id, countRuns } = await runLoad();
    const deletionId = await services.checks.remove(id, false);
    expect(services.checks.list()).toEqual([]);
    expect(countRuns()).toBe(0);
    services.deletions.undo([deletionId]);
    expect(services.checks.list()).toMatchObject([{ id, state: 'done' }]);
    expect(countRuns()).toBe(4);
  });

  it('deletes every run even if the deletion is interrupted', async () => {
    const gateway = await startWorkerGateway();
    const home = temporaryFolder();
    const before = await openServices(gateway, home);
    const id = await before.checks.start(loadInput({ stages: [{ atOnce: 10, requests: 250 }] }));
    const { comparisonIds } = getLoad(await endedCheck(before, id));
    const runs = before.ledger.getAttempts(comparisonIds[0] ?? '', null);
    const interrupted = expect(before.checks.remove(id, false)).rejects.toThrow();
    await before.close();
    await interrupted;
    const { ledger } = await openServices(gateway, home);
    expect(runs).toHaveLength(250);
    await expect.poll(() => runs.filter((run) => ledger.summary(run.id) !== null)).toEqual([]);
  });

  it('keeps the results if only the runs are deleted', async () => {
    const { services, id, countRuns } = await runLoad();
    await services.checks.remove(id, true);
    expect(countRuns()).toBe(0);
    expect(getLoad(services.checks.get(id)).results[0]?.stages[0]?.requests).toBe(4);
    expect(services.checks.list()).toMatchObject([{ state: 'done' }]);
  });

  it('keeps the results of a held load whose runs are deleted before a restart', async () => {
    const gateway = await startWorkerGateway();
    const home = temporaryFolder();
    const before = await openServices(gateway, home);
    const id = await before.checks.start(loadInput({ stages: [{ atOnce: 1, requests: 500 }] }));
    await untilProgress(before, id, ({ ended }) => ended > 1);
    await before.close();
    const held = await openServices(gateway, home);
    await held.checks.recover();
    const { results } = getLoad(held.checks.get(id));
    await held.checks.remove(id, true);
    await held.close();
    const after = await openServices(gateway, home);
    await after.checks.recover();
    expect(getLoad(after.checks.get(id))).toMatchObject({ results, stopped: 'user' });
    expect(after.checks.list()).toMatchObject([{ state: 'stopped' }]);
  });

  it('keeps the results of a stopped load that can’t be resumed without its runs', async () => {
    const services = await openServices(await startWorkerGateway());
    const id = await services.checks.start(loadInput({ stages: [{ atOnce: 1, requests: 500 }] }));
    await untilProgress(services, id, ({ ended }) => ended > 1);
    await services.checks.stop(id);
    const { results } = getLoad(await endedCheck(services, id));
    await services.checks.remove(id, true);
    await expect(services.checks.resume(id)).rejects.toThrow('no longer exists');
    const progress = await untilProgress(services, id, ({ state }) => state !== 'running');
    expect(progress).toMatchObject({ state: 'stopped', requests: 0 });
    await nextTurn();
    expect(getLoad(services.checks.get(id)).results).toEqual(results);
  });
});

describe('checks.export', () => {
  it('writes the stages as Markdown and CSV, and every request as JSON', async () => {
    const services = await openServices(await startWorkerGateway());
    const target = { figure: 'totalMs' as const, percentile: 50 as const, ms: 60_000 };
    const id = await services.checks.start(
      loadInput({ models: ['=one', 'two|2'], warmup: 1, target }),
    );
    await endedCheck(services, id);
    const [markdown, csv, json] = await Promise.all(
      (['markdown', 'csv', 'json'] as const).map((format) =>
        readAll(services.checks.export(id, format)),
      ),
    );
    expect(markdown).toContain('# Load: =one, two|2');
    expect(markdown).toContain('Largest number at once with totalMs p50 within 60000 ms: 2');
    const [names, first] = csv?.split('\r\n') ?? [];
    expect(first?.split(',')).toHaveLength(names?.split(',').length ?? 0);
    expect(first).toMatch(/^'=one,2,4,0,,/);
    const exported = JSON.parse(json ?? '');
    expect(exported).toMatchObject({ kind: 'gatehouse-check', id, body: { kind: 'load' } });
    expect(exported.requests).toHaveLength(12);
    const marks = [true, true, false, false, false, false];
    expect(exported.requests.map(({ isWarmup }: { isWarmup: boolean }) => isWarmup)).toEqual([
      ...marks,
      ...marks,
    ]);
    const last = { model: 'two|2', atOnce: 2, place: 5, error: null, outputTokens: 2 };
    expect(exported.requests[11]).toMatchObject(last);
  });
});
