/**
 * Converts English number words to digits like OpenAI's Whisper normalizer
 * (https://github.com/openai/whisper/blob/main/whisper/normalizers/english.py), and joins adjacent
 * numbers: “nineteen ninety nine” is 1999. Unlike Whisper, ignores plurals (“fifties”), “double”,
 * “oh” and “and a half”.
 */

export interface NumberWord {
  text: string;
  /** Punctuation after a word ends the number. */
  isLast: boolean;
}

export interface ReadNumber {
  /** Digits with an optional currency or “percent”, such as `1999`, `21st` or `2.5`. */
  texts: string[];
  length: number;
}

/** Returns null if no number starts at the index. */
export function readNumber(words: readonly NumberWord[], start: number): ReadNumber | null {
  const first = words[start];
  if (first === undefined) return null;
  if (/^[a-z]/.test(first.text)) return readWords(words, start);
  const written = /^([$€£¥]?)(\d+|\d{1,3}(?:,\d{3})+)(\.\d+)?(%?)$/u.exec(first.text);
  if (written === null) return null;
  const [, currency = '', whole = '', fraction = '', percent = ''] = written;
  let value = whole.replaceAll(',', '') + fraction;
  let at = start + 1;
  if (percent === '' && !first.isLast) {
    const decimals = fraction === '' ? readDecimals(words, at) : null;
    if (decimals !== null) {
      value += `.${decimals.digits}`;
      at = decimals.next;
    }
    const scale = scales.get(getText(words, at));
    if (scale !== undefined) {
      value = multiplyByPowerOfTen(value, scale);
      at += 1;
    }
  }
  const texts = [value];
  const unit = percent === '' ? currencies.get(currency) : 'percent';
  if (unit !== undefined) texts.push(unit === 'dollars' && value === '1' ? 'dollar' : unit);
  return { texts, length: at - start };
}

const small = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
    'seventeen eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value]),
);
const tens = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10]),
);
const scales = new Map([
  ['thousand', 3],
  ['million', 6],
  ['billion', 9],
  ['trillion', 12],
]);
const currencies = new Map([
  ['$', 'dollars'],
  ['€', 'euros'],
  ['£', 'pounds'],
  ['¥', 'yen'],
]);
const irregularOrdinals = new Map([
  ['first', 'one'],
  ['second', 'two'],
  ['third', 'three'],
  ['fifth', 'five'],
  ['eighth', 'eight'],
  ['ninth', 'nine'],
  ['twelfth', 'twelve'],
]);

function getCardinal(word: string): string | null {
  const irregular = irregularOrdinals.get(word);
  if (irregular !== undefined) return irregular;
  if (word.endsWith('tieth')) return `${word.slice(0, -4)}y`;
  return word.endsWith('th') ? word.slice(0, -2) : null;
}

function getOrdinalEnding(digits: string): string {
  if (/1[123]$/.test(digits)) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[digits.at(-1) ?? ''] ?? 'th';
}

function getText(words: readonly NumberWord[], at: number): string {
  return words[at]?.text ?? '';
}

function readDecimals(
  words: readonly NumberWord[],
  at: number,
): { digits: string; next: number } | null {
  if (getText(words, at) !== 'point' || words[at]?.isLast) return null;
  let digits = '';
  let next = at + 1;
  for (; next < words.length; next += 1) {
    const text = getText(words, next);
    const value = small.get(text) ?? tens.get(text);
    const isWritten = digits === '' && /^\d+$/.test(text);
    if (value === undefined && !isWritten) break;
    digits += isWritten ? text : value;
    if (isWritten || words[next]?.isLast) {
      next += 1;
      break;
    }
  }
  return digits === '' ? null : { digits, next };
}

/** Shifts the decimal point without rounding: `2.5` and 6 give `2500000`. */
function multiplyByPowerOfTen(value: string, power: number): string {
  const [whole = '', fraction = ''] = value.split('.');
  const moved = whole + fraction.slice(0, power).padEnd(power, '0');
  const rest = fraction.slice(power);
  return moved.replace(/^0+(?=\d)/, '') + (rest === '' ? '' : `.${rest}`);
}

function readWords(words: readonly NumberWord[], start: number): ReadNumber | null {
  /** `joined` contains finished digits, `scaled` thousands and above, `group` the rest. */
  let joined = '';
  let scaled = 0;
  let group: number | null = null;
  /** Powers of ten that still fit below the group and the scales. */
  let room = 0;
  let maxScale = Number.POSITIVE_INFINITY;
  let at = start;
  let isOrdinal = false;

  const endNumber = () => {
    if (group !== null || scaled > 0) joined += String(scaled + (group ?? 0));
    scaled = 0;
    group = null;
    maxScale = Number.POSITIVE_INFINITY;
  };
  /** Adds a value below 100, or starts a new number. */
  const add = (value: number) => {
    const size = value >= 10 ? 2 : 1;
    if ((group === null && scaled === 0) || (size <= room && value > 0))
      group = (group ?? 0) + value;
    else {
      endNumber();
      group = value;
    }
    room = value >= 20 && value % 10 === 0 ? 1 : 0;
  };
  /** Adds the word to the number; returns false if it doesn't belong to it. */
  const take = (word: string): boolean => {
    const value = small.get(word) ?? tens.get(word);
    const scale = scales.get(word);
    if (value !== undefined) add(value);
    else if (word === 'hundred') {
      if (group === null ? scaled > 0 : group === 0 || group >= 100) return false;
      group = (group ?? 1) * 100;
      room = 2;
    } else if (scale !== undefined) {
      if ((group === null && scaled > 0) || group === 0 || scale >= maxScale) return false;
      scaled += (group ?? 1) * 10 ** scale;
      group = null;
      maxScale = scale;
      room = 2;
    } else return false;
    return true;
  };

  for (; at < words.length && !isOrdinal; at += 1) {
    const word = getText(words, at);
    const isJoining = word === 'and' && at > start && room === 2 && !words[at]?.isLast;
    const next = getText(words, at + 1);
    if (isJoining && (small.has(next) || tens.has(next) || isOrdinalWord(next))) continue;
    if (!take(word)) {
      const cardinal = getCardinal(word);
      if (cardinal === null || !take(cardinal)) break;
      isOrdinal = true;
    }
    if (words[at]?.isLast) {
      at += 1;
      break;
    }
  }
  if (at === start) return null;
  endNumber();
  if (isOrdinal) return { texts: [joined + getOrdinalEnding(joined)], length: at - start };
  const decimals = words[at - 1]?.isLast ? null : readDecimals(words, at);
  if (decimals !== null) {
    const value = `${joined}.${decimals.digits}`;
    const scale = words[decimals.next - 1]?.isLast
      ? undefined
      : scales.get(getText(words, decimals.next));
    return scale === undefined
      ? { texts: [value], length: decimals.next - start }
      : { texts: [multiplyByPowerOfTen(value, scale)], length: decimals.next + 1 - start };
  }
  return { texts: [joined], length: at - start };
}

function isOrdinalWord(word: string): boolean {
  const cardinal = getCardinal(word);
  return cardinal !== null && (small.has(cardinal) || tens.has(cardinal));
}
