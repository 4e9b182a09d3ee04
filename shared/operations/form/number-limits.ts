/** What a number of a request may be, in the same words at the field and in the check before sending. */
import { compareNumbers, isWholeNumber } from '../../compare-numbers.ts';
import { isJsonNumber } from '../../exact-number.ts';

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
