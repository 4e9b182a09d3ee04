/** What the cells of a comparison send, and what keeps it from beginning. */
import { type Comparison, type ComparisonPlan, MOST_CELLS } from '../../shared/comparison.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import { type AppError, AppFailure, appError } from '../../shared/errors.ts';
import { checkInput } from '../operations/check-input.ts';
import type { StoredCell } from '../storage/comparison-store.ts';

export function connectionsOf({ variants }: Comparison): string[] {
  return [...new Set(variants.map(({ connectionId }) => connectionId))];
}

/** The fields of the row under those of the variant. */
export function inputOf(
  { operation, rows, variants }: ComparisonPlan,
  { rowId, variantId }: Pick<StoredCell, 'rowId' | 'variantId'>,
): StartInput {
  const row = rows.find(({ id }) => id === rowId);
  const variant = variants.find(({ id }) => id === variantId);
  if (row === undefined || variant === undefined) throw new Error('The plan has no such cell.');
  const { connectionId, request, extraBody, wireNames } = variant;
  const asked = { ...row.request, ...request };
  return { operation, connectionId, request: asked, extraBody, wireNames, follow: null };
}

/**
 * Throws an `invalid-request` failure for a request that would not leave, and for a plan that holds a key, as `redact` knows
 * them: it is recorded as it is to be sent, maybe by a later process.
 */
export function checkPlan(plan: ComparisonPlan, redact: (text: string) => string): void {
  const { operation, rows, variants, repeats } = plan;
  checkCount(rows.length * variants.length * repeats);
  const text = JSON.stringify(plan);
  if (redact(text) !== text) throw new AppFailure(holdsKey);
  for (const variant of variants) {
    for (const row of rows) {
      try {
        checkInput(operation, inputOf(plan, { rowId: row.id, variantId: variant.id }));
      } catch (cause) {
        throw cause instanceof AppFailure ? refusedFor(variant.id, cause.error) : cause;
      }
    }
  }
}

function refusedFor(variantId: string, error: AppError): AppFailure {
  const fields = error.kind === 'invalid-request' ? error.fields : [];
  const first = fields[0];
  const what = first === undefined ? error.message : `${first.path.join('.')}: ${first.message}`;
  return new AppFailure(
    appError('invalid-request', `Nothing was sent. ${what}`, 'Fix the marked variant first.', {
      fields: fields.map(({ path, message }) => ({
        path: ['variants', variantId, ...path],
        message,
      })),
    }),
  );
}

/** Throws an `invalid-request` failure. */
export function checkCount(cells: number): void {
  if (cells <= MOST_CELLS) return;
  const [many, most] = [cells, MOST_CELLS].map((count) => count.toLocaleString('en'));
  throw new AppFailure(
    appError(
      'invalid-request',
      `Nothing was sent. ${many} requests are more than the ${most} that one comparison can have.`,
      'Use fewer variants, prompts or repeats.',
      { fields: [] },
    ),
  );
}

const holdsKey = appError(
  'invalid-request',
  'Nothing was sent. The request contains an API key, which a comparison would store.',
  'Remove the key from the request.',
  { fields: [] },
);
