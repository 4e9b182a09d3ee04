/** Recomputes the costs of recorded runs in small steps after a price changes. */
import { getCost } from '../../shared/cost.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { quantitiesSchema } from '../../shared/quantities.ts';
import { createDelayed, RETRY_MS, type Timer } from '../base/timer.ts';
import type { Database } from '../storage/database-access.ts';
import { createJsonColumn } from '../storage/rows.ts';
import type { Prices } from './prices.ts';

/** Keeps a step to about 1 ms, because the main process is also the desktop's UI thread. */
const RUNS_PER_STEP = 100;

interface RepricingOptions {
  db: Database;
  prices: Pick<Prices, 'getRates'>;
  /** Called with the affected conversations once all prices are applied, if any cost changed. */
  onDone(conversationIds: ReadonlySet<string>): void;
  /** Called for any error except a full disk. */
  reportDefect(cause: unknown): void;
  timer: Timer;
}

const quantitiesColumn = createJsonColumn(quantitiesSchema);

export interface Repricing {
  /** Call this after a price change, and at startup to finish earlier work. */
  start(): void;
  /** Leaves the remaining runs for the next start. */
  close(): void;
}

export function createRepricing(options: RepricingOptions): Repricing {
  const { db, prices, timer } = options;
  const nextStep = createDelayed(timer, work);
  let changedSome = false;
  let conversationIds = new Set<string>();

  function work(): void {
    try {
      if (step()) nextStep.start(0);
      else if (changedSome) {
        options.onDone(conversationIds);
        changedSome = false;
        conversationIds = new Set();
      }
    } catch (cause) {
      if (cause instanceof UserFacingError) nextStep.start(RETRY_MS);
      else options.reportDefect(cause);
    }
  }

  function step(): boolean {
    const next = db.sql('SELECT * FROM repricings LIMIT 1').get();
    if (next === undefined) return false;
    const [connectionId, model] = [String(next.connection_id), String(next.model)];
    const runs = db
      .sql(`SELECT row, conversation_id, quantities, cost FROM runs
        WHERE connection_id = ? AND model = ? AND row > ? AND deleted_at IS NOT 0
          AND (? = 0 OR cost IS NULL)
          AND status NOT IN ('queued', 'running') ORDER BY row LIMIT ${RUNS_PER_STEP}`)
      .all(connectionId, model, Number(next.after), Number(next.only_unpriced));
    const rates = prices.getRates(connectionId, model);
    db.write(() => {
      for (const { row, conversation_id: conversationId, quantities, cost: before } of runs) {
        const consumed = quantitiesColumn.safeParse(quantities).data;
        const cost = consumed ? getCost(rates, consumed) : null;
        const run = Number(row);
        // A run without a price no longer counts toward a daily cap.
        if (rates === null) db.sql('UPDATE runs SET least_cost = NULL WHERE row = ?').run(run);
        if (cost === before) continue;
        db.sql('UPDATE runs SET cost = ? WHERE row = ?').run(cost, run);
        changedSome = true;
        if (typeof conversationId === 'string') conversationIds.add(conversationId);
      }
      const last = runs.length < RUNS_PER_STEP ? undefined : runs.at(-1);
      if (last === undefined) {
        db.sql('DELETE FROM repricings WHERE connection_id = ? AND model = ?').run(
          connectionId,
          model,
        );
      } else {
        db.sql('UPDATE repricings SET after = ? WHERE connection_id = ? AND model = ?').run(
          Number(last.row),
          connectionId,
          model,
        );
      }
    });
    return true;
  }

  return {
    start: () => nextStep.start(0),
    close: () => nextStep.close(),
  };
}
