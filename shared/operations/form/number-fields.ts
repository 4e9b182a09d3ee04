/** Defines schemas and limits for number fields. */
import { z } from 'zod';
import { compareNumbers, isWholeNumber } from '../../compare-numbers.ts';
import { isJsonNumber, type JsonNumber } from '../../exact-number.ts';

interface Limits extends Partial<Pick<NumberLimits, 'minimum' | 'maximum'>> {
  message?: string;
}

export function decimal(limits: Limits = {}) {
  return numberSchema({ integer: false, ...limits });
}

export function wholeNumber(limits: Limits = {}) {
  return numberSchema({ integer: true, ...limits });
}

/** Passes the limits to the form in `meta`, because zod can't read them from a custom check. */
function numberSchema({
  integer,
  minimum = null,
  maximum = null,
  message,
}: Limits & Pick<NumberLimits, 'integer'>) {
  const limits: NumberLimits = { integer, minimum, maximum };
  return z
    .custom<JsonNumber>((value) => findNumberProblem(limits, value) === null, {
      error: ({ input }) => message ?? findNumberProblem(limits, input) ?? undefined,
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

export function findNumberProblem(limits: NumberLimits, value: unknown): string | null {
  const { integer, minimum, maximum } = limits;
  const isNumber = isJsonNumber(value) && !(typeof value === 'number' && !Number.isFinite(value));
  if (!isNumber) return integer ? 'Enter a whole number.' : 'Enter a number.';
  if (integer && !isWholeNumber(value)) return 'Enter a whole number.';
  const outside =
    (minimum !== null && compareNumbers(value, minimum) < 0) ||
    (maximum !== null && compareNumbers(value, maximum) > 0);
  return outside ? describeRange(limits) : null;
}

export function describeRange({
  minimum,
  maximum,
}: Pick<NumberLimits, 'minimum' | 'maximum'>): string | null {
  if (minimum !== null && maximum !== null) return `Enter a number from ${minimum} to ${maximum}.`;
  if (minimum !== null) return `Enter ${minimum} or more.`;
  if (maximum !== null) return `Enter ${maximum} or less.`;
  return null;
}
