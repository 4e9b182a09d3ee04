/** Totals today's costs and rejects runs that would exceed a connection's daily cap. */
import { type ExpectedCost, estimateCost, formatCost } from '../../shared/cost.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { getMedian } from '../../shared/median.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { PartialRunInput } from '../../shared/run.ts';
import { expectedUse, type GetSeconds } from '../operations/expected-use.ts';
import type { Prices } from '../prices/prices.ts';
import type { Database } from '../storage/database-access.ts';

export interface PricedRequest extends Pick<PartialRunInput, 'request' | 'extraBody' | 'follow'> {
  connectionId: string;
  operation: OperationName;
}

/** The cost is estimated lazily, on first use; null means that the request is free. */
export interface RequestPrice {
  connectionId: string;
  cost(): ExpectedCost | null;
}

export interface PlannedRequest {
  price: RequestPrice;
  times: number;
}

export interface Spending {
  /**
   * Returns US dollars since midnight, including deleted runs and the minimum of unfinished ones.
   */
  today(connectionId: string): number;
  price(request: PricedRequest): RequestPrice;
  /**
   * Throws `beyond-cap` if the requests would together exceed a cap, or if their cost can't be
   * estimated.
   */
  check(planned: readonly PlannedRequest[]): void;
}

export function createSpending(options: {
  db: Database;
  prices: Pick<Prices, 'getRates'>;
  getCap: (connectionId: string) => number | null;
  getName: (connectionId: string) => string;
  getSeconds: GetSeconds;
  now: () => number;
}): Spending {
  const { db, prices, getCap, getName, getSeconds, now } = options;
  db.write(() => db.sql('DELETE FROM deleted_costs WHERE created_at < ?').run(getMidnight(now())));

  function estimate({ connectionId, operation, request, extraBody, follow = null }: PricedRequest) {
    // Following an existing task is free.
    if (follow !== null || typeof request.model !== 'string') return null;
    const rates = prices.getRates(connectionId, request.model);
    // The demo gateway is free, unless the user tries prices on it.
    if (rates === null) return connectionId === 'demo' ? null : unknownCost;
    const use = expectedUse[operation]({ ...request, ...extraBody }, getSeconds);
    const { outputTokens } = use;
    return estimateCost(
      rates,
      outputTokens === null
        ? { ...use, outputTokens: estimateOutputTokens(connectionId, operation, request.model) }
        : use,
    );
  }

  /** Returns the median output of the model's last answers in tokens, except in checks; null if there are none. */
  function estimateOutputTokens(
    connectionId: string,
    operation: OperationName,
    model: string,
  ): number | null {
    const outputs = db
      .sql(`SELECT quantities ->> '$.outputTokens' AS output FROM runs
        WHERE connection_id = ? AND model = ? AND operation = ? AND status = 'succeeded' AND check_id IS NULL
          AND quantities ->> '$.outputTokens' IS NOT NULL
        ORDER BY created_at DESC LIMIT ${LAST_ANSWERS}`)
      .all(connectionId, model, operation)
      .map(({ output }) => Number(output));
    return getMedian(outputs);
  }

  function today(connectionId: string): number {
    const row = db
      .sql(`SELECT
        (SELECT total(coalesce(cost, least_cost)) FROM runs
          WHERE connection_id = ?1 AND created_at >= ?2 AND coalesce(cost, least_cost) IS NOT NULL) +
        (SELECT total(dollars) FROM deleted_costs WHERE connection_id = ?1 AND created_at >= ?2)
        AS dollars`)
      .get(connectionId, getMidnight(now()));
    return Number(row?.dollars ?? 0);
  }

  return {
    today,
    price(request: PricedRequest): RequestPrice {
      let known: ExpectedCost | null | undefined;
      return {
        connectionId: request.connectionId,
        cost() {
          if (known === undefined) known = estimate(request);
          return known;
        },
      };
    },
    check(planned: readonly PlannedRequest[]): void {
      const byConnection = Map.groupBy(planned, ({ price }) => price.connectionId);
      const refusals = [...byConnection].flatMap(([connectionId, requests]) => {
        const cap = getCap(connectionId);
        if (cap === null) return [];
        const plan = getPlan(requests);
        if (plan === null) return [];
        const spent = today(connectionId);
        return passes(plan, cap, spent) ? refusal(getName(connectionId), plan, cap, spent) : [];
      });
      if (refusals.length > 0) throw new UserFacingError(createOverCapError(refusals));
    },
  };
}

/** Enough that one odd answer doesn't change the median. */
const LAST_ANSWERS = 20;

const unknownCost: ExpectedCost = { dollars: 0, isLeast: true };

interface Plan extends ExpectedCost {
  requests: number;
}

function getPlan(requests: readonly PlannedRequest[]): Plan | null {
  const plan: Plan = { requests: 0, dollars: 0, isLeast: false };
  for (const { price, times } of requests) {
    const cost = price.cost();
    if (cost === null) continue;
    plan.requests += times;
    plan.dollars += cost.dollars * times;
    plan.isLeast ||= cost.isLeast;
  }
  return plan.requests === 0 ? null : plan;
}

/** Tolerates floating-point error in the sum, up to a millionth of a cent. */
const TOLERANCE = 1e-8;

/** Nobody knows whether requests of unknown cost exceed the cap, so the user decides. */
function passes({ dollars, isLeast }: Plan, cap: number, spent: number): boolean {
  return isLeast || spent + dollars > cap + TOLERANCE;
}

function refusal(name: string, { requests, dollars, isLeast }: Plan, cap: number, spent: number) {
  const state = `${name} has used ${formatCost(spent)} of today’s ${formatCost(cap)} cap (estimated).`;
  const what = requests === 1 ? 'This request' : `These ${requests.toLocaleString('en')} requests`;
  if (isLeast && dollars === 0) {
    return `${state} The cost of ${what.toLowerCase()} can’t be estimated in advance.`;
  }
  return `${state} ${what} would add ${isLeast ? 'at least' : 'about'} ${formatCost(dollars)}.`;
}

function createOverCapError(refusals: string[]): AppError {
  return appError(
    'beyond-cap',
    refusals.join(' '),
    'Nothing was sent. Run anyway, or set a price or another cap in Settings > Prices.',
  );
}

function getMidnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
