/** Number fields: their schemas and limits. */
import { z } from 'zod';
import { compareNumbers, isWholeNumber } from '../../compare-numbers.ts';
import { isJsonNumber, type JsonNumber } from '../../exact-number.ts';

interface Limits extends Partial<Pick<NumberLimits, 'minimum' | 'maximum'>> {
  /** Where its own words say more than those of any number. */
  message?: string;
}

export function decimal(limits: Limits = {}) {
  return numberSchema({ integer: false, ...limits });
}

export function wholeNumber(limits: Limits = {}) {
  return numberSchema({ integer: true, ...limits });
}

/** `meta` says the limits to the form's description, where zod cannot read them from a check of one's own. */
function numberSchema({
  integer,
  minimum = null,
  maximum = null,
  message,
}: Limits & Pick<NumberLimits, 'integer'>) {
  const limits: NumberLimits = { integer, minimum, maximum };
  return z
    .custom<JsonNumber>((value) => numberProblem(limits, value) === null, {
      error: ({ input }) => message ?? numberProblem(limits, input) ?? undefined,
    })
    .meta({
      type: integer ? 'integer' : 'number',
      ...(minimum !== null && { minimum }),
      ...(maximum !== null && { maximum }),
    });
}

export interface NumberLimits {
  integer: boolean;
  minimum: number | null;
  maximum: number | null;
}

/** Null if `value` is a number within its limits. */
export function numberProblem(limits: NumberLimits, value: unknown): string | null {
  const { integer, minimum, maximum } = limits;
  const isNumber = isJsonNumber(value) && !(typeof value === 'number' && !Number.isFinite(value));
  if (!isNumber) return integer ? 'Enter a whole number.' : 'Enter a number.';
  if (integer && !isWholeNumber(value)) return 'Enter a whole number.';
  const outside =
    (minimum !== null && compareNumbers(value, minimum) < 0) ||
    (maximum !== null && compareNumbers(value, maximum) > 0);
  return outside ? describeRange(limits) : null;
}

/** Null if there is no limit. */
export function describeRange({
  minimum,
  maximum,
}: Pick<NumberLimits, 'minimum' | 'maximum'>): string | null {
  if (minimum !== null && maximum !== null) return `Enter a number from ${minimum} to ${maximum}.`;
  if (minimum !== null) return `Enter ${minimum} or more.`;
  if (maximum !== null) return `Enter ${maximum} or less.`;
  return null;
}
