/** Computes the costs of recorded runs again after a price has changed: a few at a time, behind everything else. */
import { setImmediate as breathe } from 'node:timers/promises';
import { estimate } from '../../shared/cost.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { type Quantities, quantitiesSchema } from '../../shared/quantities.ts';
import type { Database } from '../storage/database-access.ts';
import { jsonColumn } from '../storage/json-column.ts';
import type { Prices } from '../storage/prices.ts';
import { createDelayed, RETRY_MS, type Timer } from '../storage/timer.ts';

/** Written in about 1 ms: main's thread is also the desktop's UI thread. */
const RUNS = 100;

export interface Repricing {
  /** Prices have changed, or an earlier process has left runs. */
  start(): void;
  close(): void;
}

export interface RepricingOptions {
  db: Database;
  prices: Pick<Prices, 'ratesOf'>;
  /** Folds what a run consumed from its events; null if they can't be read. */
  quantitiesOf(runId: string): Promise<Quantities | null>;
  /**
   * All prices are applied, and some runs have another cost than before; some of them are in these conversations.
   */
  onDone(conversationIds: ReadonlySet<string>): void;
  /** Called with what no full disk explains. */
  reportDefect(cause: unknown): void;
  timer: Timer;
}

const quantitiesColumn = jsonColumn(quantitiesSchema);

export function createRepricing(options: RepricingOptions): Repricing {
  const { db, prices, timer } = options;
  const nextStep = createDelayed(timer, () => void work());
  let isWorking = false;
  let closed = false;
  let changedSome = false;
  let conversationIds = new Set<string>();

  function schedule(delayMs: number): void {
    if (!closed && !isWorking) nextStep.start(delayMs);
  }

  async function work(): Promise<void> {
    isWorking = true;
    let delayMs: number | null = null;
    try {
      delayMs = (await step()) ? 0 : null;
    } catch (cause) {
      if (cause instanceof UserFacingError) delayMs = RETRY_MS;
      else options.reportDefect(cause);
    } finally {
      isWorking = false;
    }
    if (delayMs !== null) schedule(delayMs);
    else if (changedSome && !closed) {
      options.onDone(conversationIds);
      changedSome = false;
      conversationIds = new Set();
    }
  }

  /** Whether something is left. */
  async function step(): Promise<boolean> {
    const next = db.sql('SELECT connection_id, model, after FROM repricings LIMIT 1').get();
    if (next === undefined) return false;
    const [connectionId, model] = [String(next.connection_id), String(next.model)];
    const after = Number(next.after);
    const runs = db
      .sql(`SELECT row, id, conversation_id AS conversationId, quantities, cost FROM runs
        WHERE connection_id = ? AND model = ? AND row > ? AND removed = 0
          AND status NOT IN ('queued', 'running') ORDER BY row LIMIT ${RUNS}`)
      .all(connectionId, model, after);
    const read: Consumed[] = [];
    for (const { row, id, conversationId, quantities, cost } of runs) {
      const known = quantitiesColumn.safeParse(quantities).data;
      if (known === undefined) await breathe();
      if (closed) return false;
      read.push({
        row: Number(row),
        conversationId: typeof conversationId === 'string' ? conversationId : null,
        cost: typeof cost === 'number' ? cost : null,
        isKnown: known !== undefined,
        quantities: known ?? (await options.quantitiesOf(String(id)).catch(() => null)),
      });
    }
    if (closed) return false;
    // Of now: the price may have changed while runs were folded.
    const rates = prices.ratesOf(connectionId, model);
    db.write(() => {
      for (const run of read) {
        const cost = rates && run.quantities && estimate(rates, run.quantities);
        if (!run.isKnown && run.quantities !== null) {
          db.sql('UPDATE runs SET quantities = ? WHERE row = ?').run(
            JSON.stringify(run.quantities),
            run.row,
          );
        }
        // It counts for no cap any more either.
        if (rates === null) db.sql('UPDATE runs SET least_cost = NULL WHERE row = ?').run(run.row);
        if (cost === run.cost) continue;
        db.sql('UPDATE runs SET cost = ? WHERE row = ?').run(cost, run.row);
        changedSome = true;
        if (run.conversationId !== null) conversationIds.add(run.conversationId);
      }
      const last = read.at(-1)?.row;
      // One that changed meanwhile begins at the first run again.
      if (last === undefined || read.length < RUNS) {
        db.sql('DELETE FROM repricings WHERE connection_id = ? AND model = ? AND after = ?').run(
          connectionId,
          model,
          after,
        );
      } else {
        db.sql(
          'UPDATE repricings SET after = ? WHERE connection_id = ? AND model = ? AND after = ?',
        ).run(last, connectionId, model, after);
      }
    });
    return true;
  }

  return {
    start: () => schedule(0),
    close() {
      closed = true;
      nextStep.cancel();
    },
  };
}

interface Consumed {
  row: number;
  conversationId: string | null;
  cost: number | null;
  /** Its quantities are recorded. */
  isKnown: boolean;
  quantities: Quantities | null;
}
