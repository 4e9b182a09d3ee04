import { describe, expect, it, onTestFinished } from 'vitest';
import { createSpending } from '../../electron/runs/spending.ts';
import type { Services } from '../../electron/services.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import type { Cell } from '../../shared/comparison.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Rates } from '../../shared/prices.ts';
import { isFinished } from '../../shared/run.ts';
import { plan, row, variant } from '../fixtures/comparisons.ts';
import { openTestStorage } from '../fixtures/data-folder.ts';
import { removeRun } from '../fixtures/open-ledger.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { always, jsonReply, type Script, type WireExchange } from '../fixtures/wire-server.ts';

/** Charges a tenth of a cent per token. */
const rates: Rates = {
  inputPerMillionTokens: 1000,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  hourCacheWritePerMillionTokens: null,
  outputPerMillionTokens: 1000,
  perImage: null,
  perVideoSecond: null,
  perMillionCharacters: null,
  perSoundMinute: null,
};
/** A prompt of about 10 tokens, which cost $0.01. */
const prompt = 'Once upon a time, forty characters long.';

/** Builds an answer. By default, the prompt costs $0.01 and the answer $0.02. */
function answer(completionTokens = 20) {
  const usage = { prompt_tokens: 10, completion_tokens: completionTokens };
  const choices = [{ index: 0, text: 'gates', finish_reason: 'stop' }];
  return jsonReply({ choices, usage });
}

const answerAtOnce: Script = always(answer());

async function serve(script: Script = answerAtOnce) {
  const server = await serveScript(script);
  const services = await startTestServices({ baseUrl: server.url, key: 'sk-test-1234567890' });
  services.prices.save(null, { connectionId: 'environment', model: 'm', rates });
  services.settings.update({ dailyCaps: { environment: 0.05 } });
  return { server, services };
}

function start({ engine }: Services, request: object = {}, overCap = false): Promise<string> {
  return engine.start({
    connectionId: 'environment',
    operation: 'completion',
    request: { model: 'm', prompt, ...request },
    overCap,
  });
}

async function ended(services: Services, id: string): Promise<void> {
  await expect.poll(async () => isFinished((await services.engine.view(id)).status)).toBe(true);
}

const refusal = (message: string) => ({ error: { kind: 'beyond-cap', message } });
const counted = ({ ledger }: Services) => ledger.list(everyRun).runs.length;

describe('a run that would exceed the daily cap', () => {
  it('rejects the run before recording or sending it, unless the user confirms', async () => {
    const { server, services } = await serve();
    await ended(services, await start(services, { max_tokens: 20 }));
    expect(services.spending.today('environment')).toBeCloseTo(0.03, 9);

    await expect(start(services, { max_tokens: 20 })).rejects.toMatchObject(
      refusal(
        'Environment has used $0.03 of today’s $0.05 cap (estimated). This request would add about $0.03.',
      ),
    );
    expect(counted(services)).toBe(1);
    expect(server.requests).toHaveLength(1);

    await ended(services, await start(services, { max_tokens: 20 }, true));
    expect(server.requests).toHaveLength(2);
    expect(services.spending.today('environment')).toBeCloseTo(0.06, 9);
  });

  it('counts the runs that start at the same time', async () => {
    const { server, services } = await serve();
    const starts = [1, 2, 3].map(() => start(services, { max_tokens: 20 }));
    const outcomes = await Promise.allSettled(starts);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect.poll(() => server.requests.length).toBe(1);
    expect(counted(services)).toBe(1);
  });

  it('lets a run of the demo gateway pass, because it’s free', async () => {
    const { services } = await serve();
    services.settings.update({ dailyCaps: { demo: 0 } });
    const run = { connectionId: 'demo', operation: 'completion' as const };
    await services.engine.start({ ...run, request: { model: 'demo-story', prompt } });
    services.prices.save(null, { connectionId: 'demo', model: 'demo-story', rates });
    const again = services.engine.start({ ...run, request: { model: 'demo-story', prompt } });
    await expect(again).rejects.toMatchObject({ error: { kind: 'beyond-cap' } });
  });

  it('uses a minimum cost if the length is unknown', async () => {
    const { services } = await serve(always(answer(55)));
    const savePrice = (model: string, some: Partial<Rates> = {}) =>
      services.prices.save(null, {
        connectionId: 'environment',
        model,
        rates: { ...rates, ...some },
      });
    savePrice('new');
    await ended(services, await start(services, {}, true));
    await expect(start(services, { model: 'new' })).rejects.toMatchObject(
      refusal(
        'Environment has used $0.065 of today’s $0.05 cap (estimated). This request would add at least $0.01.',
      ),
    );
    savePrice('m', { inputPerMillionTokens: null });
    savePrice('newer', { inputPerMillionTokens: null });
    // The new price also applies to the recorded run.
    await expect.poll(() => services.spending.today('environment')).toBeCloseTo(0.055, 9);
    await expect(start(services, { model: 'newer' })).rejects.toMatchObject(
      refusal(
        'Environment has used $0.055 of today’s $0.05 cap (estimated). The cost of this request can’t be estimated in advance.',
      ),
    );
  });

  it('estimates a run without a limit from the median of recent outputs', async () => {
    const outputs = [1, 3, 8];
    const { services } = await serve((exchange) => void exchange.send(answer(outputs.shift())));
    for (const _ of [1, 2, 3]) await ended(services, await start(services, {}, true));
    expect(services.spending.today('environment')).toBeCloseTo(0.042, 9);
    await expect(start(services)).rejects.toMatchObject(
      refusal(
        'Environment has used $0.042 of today’s $0.05 cap (estimated). This request would add about $0.013.',
      ),
    );
    await start(services, { prompt: 'Once upon a time.' });
  });

  it('rejects a run while an active run may reach the cap', async () => {
    const open: WireExchange[] = [];
    const { services } = await serve((exchange) => void open.push(exchange));
    const id = await start(services, { max_tokens: 20 });
    await expect(start(services, { max_tokens: 20 })).rejects.toMatchObject({
      error: { kind: 'beyond-cap' },
    });
    await expect.poll(() => open.length).toBe(1);
    await open[0]?.send(jsonReply('{"error":{"message":"No"}}', '401 Unauthorized'));
    await ended(services, id);
    // A gateway doesn't bill a rejected request.
    expect(services.spending.today('environment')).toBe(0);
    await start(services, { max_tokens: 20 });
  });

  it('asks below the cap if no price or no earlier answer allows an estimate', async () => {
    const { server, services } = await serve();
    await expect(start(services, { model: 'unpriced', max_tokens: 1 })).rejects.toMatchObject(
      refusal(
        'Environment has used $0 of today’s $0.05 cap (estimated). The cost of this request can’t be estimated in advance.',
      ),
    );
    await expect(start(services)).rejects.toMatchObject(
      refusal(
        'Environment has used $0 of today’s $0.05 cap (estimated). This request would add at least $0.01.',
      ),
    );
    expect(server.requests).toHaveLength(0);
    await ended(services, await start(services, { model: 'unpriced' }, true));
    await ended(services, await start(services, { max_tokens: 1 }));
    await expect(start(services)).rejects.toMatchObject(
      refusal(
        'Environment has used $0.03 of today’s $0.05 cap (estimated). This request would add about $0.03.',
      ),
    );
  });

  it('sends the run if no cap applies', async () => {
    const { services } = await serve();
    services.settings.update({ dailyCaps: { demo: 0 } });
    await start(services, { model: 'unpriced' });
    await start(services);
    expect(counted(services)).toBe(2);
  });

  it('adds no message to the conversation of a rejected run', async () => {
    const { services } = await serve(always(jsonReply('{"choices":[],"usage":{}}')));
    services.settings.update({ dailyCaps: { environment: 0 } });
    const { id } = services.conversations.create();
    const send = (overCap: boolean) =>
      services.conversations.send({
        conversationId: id,
        connectionId: 'environment',
        parentId: null,
        message: { role: 'user', content: prompt },
        request: { model: 'm' },
        overCap,
      });
    await expect(send(false)).rejects.toMatchObject({ error: { kind: 'beyond-cap' } });
    expect(services.conversations.get(id).messages).toEqual([]);
    await send(true);
    expect(services.conversations.get(id).messages).toHaveLength(2);
  });
});

describe('today’s cost', () => {
  it('starts at midnight and includes deleted runs', async () => {
    const storage = openTestStorage();
    const { db } = storage;
    const ledger = createLedger(storage);
    onTestFinished(async () => void (await ledger.close()));
    const noon = new Date(2026, 2, 29, 12).getTime();
    const lateYesterday = new Date(2026, 2, 28, 23, 59).getTime();
    let now = noon;
    const spending = createSpending({
      db,
      prices: { getRates: () => null },
      getCap: () => null,
      getName: (id) => id,
      getSeconds: () => null,
      now: () => now,
    });
    const run = (id: string, createdAt: number) =>
      ledger.createRun({
        ...testRun({ id, createdAt, connectionId: 'own', status: 'succeeded' }),
        leastCost: 0.25,
      });
    run('yesterday', lateYesterday);
    run('today', noon - 1000);
    run('deleted', noon);
    ledger.update('today', { cost: 1 });
    expect(spending.today('own')).toBe(1.25);
    expect(spending.today('another')).toBe(0);
    removeRun(ledger, 'deleted');
    await expect.poll(() => db.sql("SELECT * FROM runs WHERE id = 'deleted'").all()).toEqual([]);
    expect(spending.today('own')).toBe(1.25);
    now = new Date(2026, 2, 30, 0, 0).getTime();
    expect(spending.today('own')).toBe(0);
  });

  it('reads today’s cost from an index only', () => {
    const { db } = openTestStorage();
    const plan = db
      .sql(`EXPLAIN QUERY PLAN SELECT total(coalesce(cost, least_cost)) FROM runs
        WHERE connection_id = 'own' AND created_at >= 0 AND coalesce(cost, least_cost) IS NOT NULL`)
      .all()
      .map(({ detail }) => String(detail));
    expect(plan.join()).toContain('COVERING INDEX runs_by_day');
  });
});

describe('a comparison', () => {
  const planOf = (request: JsonObject, repeats: number) =>
    plan([variant('v', { request: { model: 'm', ...request } })], {
      rows: [row('r', { prompt })],
      repeats,
    });

  /** Resolves with the cells once all of them pass `isDone`. */
  async function cellsWhen(
    { comparisons }: Services,
    id: string,
    isDone: (cell: Cell) => boolean,
  ): Promise<Cell[]> {
    const cells = new Map<number, Cell>();
    for await (const update of comparisons.watch(id, undefined)) {
      for (const cell of update.cells) cells.set(cell.place, cell);
      if (!update.more && [...cells.values()].every(isDone)) break;
    }
    return [...cells.values()];
  }

  /** Returns the reason for holding cells from the first update; null if there is none. */
  async function heldBy({ comparisons }: Services, id: string): Promise<string | null> {
    for await (const update of comparisons.watch(id, undefined)) {
      return update.heldBy?.message ?? null;
    }
    return null;
  }

  const isOver = ({ state, run }: Cell) =>
    state === 'held' || (run !== null && isFinished(run.status));

  it('rejects the whole comparison before recording it, unless the user confirms', async () => {
    const { server, services } = await serve();
    const three = planOf({ max_tokens: 20 }, 3);
    await expect(services.comparisons.start(three)).rejects.toThrow(
      'Environment has used $0 of today’s $0.05 cap (estimated). These 3 requests would add about $0.09.',
    );
    expect(counted(services)).toBe(0);
    const id = await services.comparisons.start(three, true);
    const cells = await cellsWhen(services, id, isOver);
    expect(cells.map(({ run }) => run?.status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(server.requests).toHaveLength(3);
  });

  /** Serves empty answers at first, so that Gatehouse expects less than the later ones cost. */
  async function serveLonger() {
    const first = [answer(0)];
    const served = await serve(({ send }) => send(first.shift() ?? answer()));
    served.services.settings.update({
      requestsAtOnce: { environment: 1 },
      dailyCaps: { environment: 0.04 },
    });
    await ended(served.services, await start(served.services, {}, true));
    return served;
  }

  it('holds the remaining cells at the cap until the user sends them', async () => {
    const { server, services } = await serveLonger();
    const id = await services.comparisons.start(planOf({}, 3));
    const cells = await cellsWhen(services, id, isOver);
    // A cell costs $0.03, but Gatehouse expects $0.01, the median so far.
    expect(cells.map(({ state }) => state)).toEqual(['sent', 'held', 'held']);
    expect(cells[2]).toMatchObject({
      problem: {
        kind: 'beyond-cap',
        message:
          'Environment has used $0.04 of today’s $0.04 cap (estimated). This request would add about $0.01.',
      },
    });
    expect(server.requests).toHaveLength(2);
    expect(await heldBy(services, id)).toBe(
      'Environment has used $0.04 of today’s $0.04 cap (estimated). These 2 requests would add about $0.02.',
    );

    expect(() => services.comparisons.resume(id)).toThrow(
      'These 2 requests would add about $0.02.',
    );
    // The user can send a single held cell by naming it.
    services.comparisons.retry(id, [2], true);
    await expect.poll(() => server.requests.length).toBe(3);
    await expect.poll(() => heldBy(services, id)).toContain('This request would add about $0.03.');
    expect(() => services.comparisons.retry(id, [1])).toThrow('about $0.03.');
    services.comparisons.resume(id, true);
    const all = await cellsWhen(services, id, ({ run }) => run?.status === 'succeeded');
    expect(all.map(({ problem }) => problem)).toEqual([null, null, null]);
    expect(server.requests).toHaveLength(4);
    expect(await heldBy(services, id)).toBeNull();
    expect(() => services.comparisons.repeat(id, 1)).toThrow('$0.10 of today’s $0.04 cap');
    expect(() => services.comparisons.retry(id, [0])).toThrow('$0.10 of today’s $0.04 cap');
    services.comparisons.retry(id, [0], true);
    await expect.poll(() => server.requests.length).toBe(5);
  });

  it('stays held after the price or the cap changes', async () => {
    const { services } = await serveLonger();
    const id = await services.comparisons.start(planOf({}, 3));
    await cellsWhen(services, id, isOver);
    const updates = services.comparisons.watch(id, undefined);
    const next = async () => (await updates.next()).value?.heldBy?.message ?? null;
    expect(await next()).toContain(
      '$0.04 of today’s $0.04 cap (estimated). These 2 requests would add about $0.02.',
    );
    services.settings.update({ dailyCaps: { environment: 0.01 } });
    expect(await next()).toContain('$0.04 of today’s $0.01 cap (estimated). These 2 requests');
    const dearer = { ...rates, inputPerMillionTokens: 3000 };
    services.prices.save(null, { connectionId: 'environment', model: 'm', rates: dearer });
    expect(await next()).toContain('would add about $0.06.');
    await updates.return();
  });

  it('estimates held chat requests from their messages and the system message', async () => {
    const message = { role: 'assistant', content: 'gates' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const tokens = [0];
    const { services } = await serve(({ send }) => {
      const usage = { prompt_tokens: 10, completion_tokens: tokens.shift() ?? 20 };
      return send(jsonReply({ choices, usage }));
    });
    services.settings.update({
      requestsAtOnce: { environment: 1 },
      dailyCaps: { environment: 0.04 },
    });
    const messages = [{ role: 'user', content: prompt }];
    const first = await services.engine.start({
      connectionId: 'environment',
      operation: 'chat',
      request: { model: 'm', messages },
      overCap: true,
    });
    await ended(services, first);
    const { id: conversationId } = services.conversations.create();
    const { comparisonId } = services.conversations.compare({
      conversationId,
      comparisonId: null,
      asBefore: false,
      sourceRunId: null,
      overCap: false,
      variants: ['a', 'b', 'c'].map((id) => variant(id, { request: { model: 'm' } })),
      parents: {},
      message: { role: 'user', content: prompt },
    });
    await cellsWhen(services, comparisonId, isOver);
    const updates = services.comparisons.watch(comparisonId, undefined);
    const next = async () => (await updates.next()).value?.heldBy?.message ?? null;
    expect(await next()).toContain('These 2 requests would add about $0.02.');
    services.conversations.update(conversationId, { systemMessage: prompt });
    services.settings.update({ dailyCaps: { environment: 0.01 } });
    expect(await next()).toContain('These 2 requests would add about $0.04.');
    await updates.return();
  });

  it('rejects a chat comparison without adding messages', async () => {
    const { services } = await serve(always(jsonReply('{"choices":[],"usage":{}}')));
    const { id: conversationId } = services.conversations.create();
    const request = { model: 'm', max_tokens: 20 };
    const compare = (overCap: boolean) =>
      services.conversations.compare({
        conversationId,
        comparisonId: null,
        asBefore: false,
        sourceRunId: null,
        overCap,
        variants: ['a', 'b'].map((id) => variant(id, { request })),
        parents: {},
        message: { role: 'user', content: prompt },
      });
    expect(() => compare(false)).toThrow('These 2 requests would add about $0.06.');
    expect(services.conversations.get(conversationId).messages).toEqual([]);
    const { comparisonId } = compare(true);
    await cellsWhen(services, comparisonId, isOver);
    expect(counted(services)).toBe(2);
  });
});
