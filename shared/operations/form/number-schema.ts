/** The schema of a number in a request: any JSON number, also one that JavaScript would round. */
import { z } from 'zod';
import type { JsonNumber } from '../../exact-number.ts';
import { type NumberLimits, numberProblem } from './number-limits.ts';

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
