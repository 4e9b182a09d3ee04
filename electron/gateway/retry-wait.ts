/** Finds how long a gateway asks the client to wait, from the headers or the error body. */
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import { findReason } from '../../shared/operations/response/error-reason.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { HeaderList } from '../../shared/run.ts';
import { getHeader, type ResponseHead } from './response-head.ts';

/** Returns seconds, or null if the response specifies no wait; `now` returns Unix milliseconds. */
export function readWaitSeconds(
  head: ResponseHead,
  text: string,
  now: () => number,
): number | null {
  const sent = Date.parse(getHeader(head.headers, 'date') ?? '');
  const from = Number.isNaN(sent) ? now() : sent;
  const body = parseJson(text);
  const inBody = findInBody(body, 0);
  const { code = null, type = null } = findReason(body) ?? {};
  const isLimit = [code, type].some((word) => word !== null && RATE_LIMIT.test(word));
  const coded = isLimit ? 429 : Number(code);
  const status = LIMITED.includes(coded) ? coded : head.status;
  return (
    readHeaders(head.headers, from, status) ??
    (inBody.headers && readHeaders(inBody.headers, from, status)) ??
    inBody.delaySeconds
  );
}

/** Only these statuses may come from a limit: too many requests, and overload. */
const LIMITED = [429, 503];

const RATE_LIMIT = /^(?:rate_?limit|too_?many_?requests)/i;

/** Ignores reset headers unless a limit was reached, because some gateways always send them. */
function readHeaders(headers: HeaderList, from: number, status: number): number | null {
  const milliseconds = readNumber(getHeader(headers, 'retry-after-ms'));
  if (milliseconds !== null) return limitWait(milliseconds / 1000);
  const after = readMoment(getHeader(headers, 'retry-after'), from);
  if (after !== null || !LIMITED.includes(status)) return after;
  // Wait for the exhausted limit; without counts, wait for the longest one.
  const resets = headers.flatMap(([name, value]) => {
    const kind = /ratelimit.*reset/i.exec(name);
    const wait = kind && readMoment(value, from);
    if (kind === null || wait === null) return [];
    const remaining = getHeader(headers, name.replace(/reset/i, 'remaining'));
    return [{ wait, isUsedUp: readNumber(remaining) === 0 }];
  });
  const usedUp = resets.filter(({ isUsedUp }) => isUsedUp);
  const waits = (usedUp.length > 0 || status !== 429 ? usedUp : resets).map(({ wait }) => wait);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Parses seconds, a duration such as `6m0s`, an HTTP or ISO date, or a Unix time. */
function readMoment(value: string | null, from: number): number | null {
  const text = value?.trim() ?? '';
  const number = readNumber(text);
  if (number !== null) {
    // Larger numbers are Unix times in seconds or milliseconds.
    const time = number > 1e11 ? number : number > 1e9 ? number * 1000 : null;
    return limitWait(time === null ? number : Math.max(0, Math.ceil((time - from) / 1000)));
  }
  const duration = readDuration(text);
  if (duration !== null) return limitWait(duration);
  // Exclude numbers such as `-5`, which `Date.parse` accepts as dates.
  const until = /[a-z]{3}|^\d{4}-\d\d-\d\dT/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? null : limitWait(Math.max(0, Math.ceil((until - from) / 1000)));
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
};

/** Parses a duration such as `1h2m3.5s` or `120ms`. */
function readDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(text)) return null;
  let seconds = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)) {
    seconds += Number(count) * (UNIT_SECONDS[unit] ?? 0);
  }
  return Math.ceil(seconds);
}

interface BodyWait {
  /** Returns the upstream provider's headers, which the gateway included in the error. */
  headers: HeaderList | null;
  delaySeconds: number | null;
}

const noWait: BodyWait = { headers: null, delaySeconds: null };
const MAX_DEPTH = 8;

/** Reads `metadata.headers` at any depth, and Google's `RetryInfo` with `retryDelay: "37s"`. */
function findInBody(value: JsonValue | undefined, depth: number): BodyWait {
  if (depth > MAX_DEPTH) return noWait;
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    return findInBody(parseJson(value), depth + 1);
  }
  if (Array.isArray(value)) return findFirstWait(value, depth);
  if (!isJsonObject(value)) return noWait;
  const { retryDelay, headers } = value;
  if (typeof retryDelay === 'string') return { ...noWait, delaySeconds: readDuration(retryDelay) };
  if (isJsonObject(headers)) {
    return { ...noWait, headers: Object.entries(headers).map(([name, of]) => [name, String(of)]) };
  }
  return findFirstWait(Object.values(value), depth);
}

function findFirstWait(values: readonly JsonValue[], depth: number): BodyWait {
  for (const value of values) {
    const wait = findInBody(value, depth + 1);
    if (wait.headers !== null || wait.delaySeconds !== null) return wait;
  }
  return noWait;
}

function readNumber(text: string | null): number | null {
  return text !== null && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

const MAX_WAIT_SECONDS = 366 * 24 * 3600;

/** Returns null for an implausibly long wait. */
function limitWait(seconds: number): number | null {
  return seconds <= MAX_WAIT_SECONDS ? seconds : null;
}
