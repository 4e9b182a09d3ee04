/** Compares JSON numbers digit by digit, because some exceed double precision. */
import type { JsonNumber } from './exact-number.ts';

/** Returns a negative number, 0 or a positive number, like a sort comparator. */
export function compareNumbers(one: JsonNumber, other: JsonNumber): number {
  const [left, right] = [getDecimal(one), getDecimal(other)];
  const [sign, otherSign] = [getSign(left), getSign(right)];
  if (sign !== otherSign || sign === 0) return sign - otherSign;
  if (left.exponent !== right.exponent) return left.exponent < right.exponent ? -sign : sign;
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -sign : sign;
}

export function isWholeNumber(value: JsonNumber): boolean {
  const { digits, exponent } = getDecimal(value);
  return digits.length <= exponent || digits === '';
}

/** Represents `0.digits × 10^exponent` without leading or trailing zeros; zero has no digits. */
interface Decimal {
  isNegative: boolean;
  digits: string;
  exponent: number;
}

function getDecimal(value: JsonNumber): Decimal {
  const [mantissa = '', power = '0'] = String(value).toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  const exponent = whole.length - (all.length - digits.length) + Number(power);
  return {
    isNegative: mantissa.startsWith('-'),
    digits: digits.replace(/0+$/, ''),
    exponent: digits === '' ? 0 : exponent,
  };
}

function getSign({ digits, isNegative }: Decimal): -1 | 0 | 1 {
  if (digits === '') return 0;
  return isNegative ? -1 : 1;
}
