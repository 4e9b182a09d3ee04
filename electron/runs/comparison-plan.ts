/** What the cells of a comparison send, and what keeps it from beginning. */
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Comparison,
  type ComparisonPlan,
  MAX_CELLS,
  MAX_REPEATS,
  variantOfCell,
} from '../../shared/comparison.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { PartialRunInput } from '../../shared/run-input.ts';
import { checkInput } from '../operations/check-input.ts';
import type { StoredCell } from '../storage/comparison-store.ts';
import type { PlannedRequest, RequestPrice } from './spending.ts';

/** Requests that are checked in one go: a few milliseconds. */
const CHECKED_AT_ONCE = 20;

export function getConnections({ rows, variants }: Comparison): string[] {
  const all = [...variants, ...rows.flatMap((row) => row.variants)];
  return [...new Set(all.map(({ connectionId }) => connectionId))];
}

/** The fields of the row under those of the variant. */
export function getInput(
  plan: ComparisonPlan,
  cell: Pick<StoredCell, 'rowId' | 'variantId'>,
): StartInput {
  const { operation, rows } = plan;
  const row = rows.find(({ id }) => id === cell.rowId);
  const variant = variantOfCell(plan, cell);
  if (row === undefined || variant === undefined) throw new Error('The plan has no such cell.');
  const { connectionId, request, extraBody, wireNames } = variant;
  const asked = { ...row.request, ...request };
  const { sourceRunId } = row;
  return { operation, connectionId, request: asked, extraBody, wireNames, sourceRunId };
}

type Place = Pick<StoredCell, 'rowId' | 'variantId'>;

/** In the order of the cells. */
export function cellIndexes({ rows, variants }: ComparisonPlan): Place[] {
  return rows.flatMap(({ id }) =>
    variants.map((variant) => ({ rowId: id, variantId: variant.id })),
  );
}

/** What cells that send the same have in common. */
export function placeKey({ rowId, variantId }: Place): string {
  return JSON.stringify([rowId, variantId]);
}

/** Those of some cells, each sent `times` times; equal ones once, with how often they are sent. */
export function plannedRequests<Cell extends Place>(
  cells: readonly Cell[],
  times: number,
  priceOf: (cell: Cell, key: string) => RequestPrice,
): PlannedRequest[] {
  const planned = new Map<string, PlannedRequest>();
  for (const cell of cells) {
    const key = placeKey(cell);
    const known = planned.get(key) ?? { price: priceOf(cell, key), times: 0 };
    planned.set(key, { ...known, times: known.times + times });
  }
  return [...planned.values()];
}

/**
 * Throws an `invalid-request` failure for a request that would not leave, and for a plan that holds a key, as `redact` knows
 * them: it is recorded as it is to be sent, maybe by a later process.
 */
export async function checkPlan(
  plan: ComparisonPlan,
  redact: (text: string) => string,
): Promise<void> {
  const { operation, rows, variants, repeats } = plan;
  checkCount(rows.length * variants.length * repeats);
  checkText(JSON.stringify(plan), redact);
  let checked = 0;
  for (const variant of variants) {
    for (const row of rows) {
      const input = getInput(plan, { rowId: row.id, variantId: variant.id });
      checkCell(operation, variant.id, input);
      checked += 1;
      if (checked % CHECKED_AT_ONCE === 0) await breathe();
    }
  }
}

/** Throws an `invalid-request` failure that names the variant. */
export function checkCell(
  operation: OperationName,
  variantId: string,
  input: PartialRunInput,
): void {
  try {
    checkInput(operation, input);
  } catch (cause) {
    throw cause instanceof UserFacingError ? refusedFor(variantId, cause.error) : cause;
  }
}

/** Throws an `invalid-request` failure for a text that holds a key, as `redact` knows them. */
export function checkText(text: string, redact: (text: string) => string): void {
  if (redact(text) !== text) throw new UserFacingError(holdsKey);
}

function refusedFor(variantId: string, error: AppError): UserFacingError {
  const fields = error.kind === 'invalid-request' ? error.fields : [];
  const first = fields[0];
  const what = first === undefined ? error.message : `${first.path.join('.')}: ${first.message}`;
  return new UserFacingError(
    appError('invalid-request', `Nothing was sent. ${what}`, 'Fix the marked variant first.', {
      fields: fields.map(({ path, message }) => ({
        path: ['variants', variantId, ...path],
        message,
      })),
    }),
  );
}

/** Throws an `invalid-request` failure. */
export function checkRepeats(repeats: number): void {
  if (repeats <= MAX_REPEATS) return;
  throw new UserFacingError(
    appError(
      'invalid-request',
      `Nothing was sent. The limit is ${MAX_REPEATS} repeats.`,
      'Enter fewer repeats.',
      { fields: [] },
    ),
  );
}

/** Throws an `invalid-request` failure. */
export function checkCount(cells: number): void {
  if (cells <= MAX_CELLS) return;
  const [many, most] = [cells, MAX_CELLS].map((count) => count.toLocaleString('en'));
  throw new UserFacingError(
    appError(
      'invalid-request',
      `Nothing was sent. ${many} requests is over the limit of ${most}.`,
      'Use fewer variants, prompts or repeats.',
      { fields: [] },
    ),
  );
}

const holdsKey = appError(
  'invalid-request',
  'Nothing was sent. The request contains an API key, and comparisons are stored.',
  'Remove the key from the request.',
  { fields: [] },
);
