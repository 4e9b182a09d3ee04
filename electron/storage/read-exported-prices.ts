/** Reads a table of prices that was exported, perhaps on another machine, perhaps edited since. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { exportedPriceSchema, type Price } from '../../shared/prices.ts';

interface NamedConnection {
  id: string;
  name: string;
}

/** Throws a `UserFacingError` that names the row for the first that is not valid. */
export function readExportedPrices(
  rows: readonly unknown[],
  connections: readonly NamedConnection[],
): Price[] {
  /** By connection and model: the rows that have them. */
  const known = new Map<string, number>();
  return rows.map((value, index) => {
    const { success, data, error } = exportedPriceSchema.safeParse(value);
    if (!success) throw badRow(index, getProblem(error.issues));
    const { connection: name, model, ...rates } = data;
    const [connection, other] = connections.filter((one) => one.name === name);
    if (connection === undefined) throw badRow(index, `There is no connection named “${name}”.`);
    if (other !== undefined) {
      throw badRow(index, `Several connections are named “${name}”. Rename all but one.`);
    }
    const key = JSON.stringify([connection.id, model]);
    const first = known.get(key);
    if (first !== undefined) {
      throw badRow(index, `${model} already has a price in row ${first + 1}.`);
    }
    known.set(key, index);
    return { id: randomUUID(), connectionId: connection.id, model, rates };
  });
}

function getProblem([issue]: readonly z.core.$ZodIssue[]): string {
  if (issue === undefined) return 'Not a price.';
  if (issue.code === 'unrecognized_keys') return `“${issue.keys[0]}” is not a field of a price.`;
  const place = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return `${place}${issue.message}`;
}

function badRow(index: number, problem: string): UserFacingError {
  const message = `Row ${index + 1}: ${problem}`;
  const nextStep = 'Nothing was imported. Fix the row and try again.';
  const fields = [{ path: [String(index)], message: problem }];
  return new UserFacingError(appError('invalid-request', message, nextStep, { fields }));
}
