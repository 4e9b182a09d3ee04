/** An HTTP status and its body as an error the user can act on. */
import { type AppError, appError, type GatewayDetails } from '../../shared/errors.ts';
import { formatWait } from '../../shared/format-wait.ts';
import { readGatewayDetails, retryDelaySeconds } from './gateway-details.ts';
import { isRedirect, type Redirects } from './redirects.ts';
import { headerValue, type ResponseHead } from './response-head.ts';

/** What was asked, and which redirects would have been followed. */
interface Request {
  url: URL;
  redirects: Redirects;
}

/** `text` is redacted. `now` is Unix milliseconds, for a Retry-After that is a date. */
export function httpError(
  head: ResponseHead,
  text: string,
  now: () => number,
  request: Request,
): AppError {
  const gateway = readGatewayDetails(head, text);
  const retryAfterSeconds = retryAfter(head, now) ?? retryDelaySeconds(text);
  const reason = reasonGiven(gateway, text);
  switch (head.status) {
    case 401:
      return appError(
        'unauthorized',
        `The gateway rejected the API key${reason}`,
        'Check the key of this connection in Settings.',
        { gateway },
      );
    case 403:
      return appError(
        'forbidden',
        `The gateway denied this request${reason}`,
        'Check that the key can use this model and has quota left.',
        { gateway },
      );
    case 404:
      return appError('not-found', `Not found${reason}`, nextFor404(gateway), {
        gateway,
      });
    case 407:
      return appError(
        'http',
        'The proxy requires a user name and password.',
        'Add them to the proxy address, such as http://user:password@proxy.example:3128.',
        { gateway, retryAfterSeconds: null },
      );
    case 429:
      return appError(
        'rate-limited',
        `Rate limit reached${reason}`,
        waitAskedFor(retryAfterSeconds) ?? 'Wait a moment, then retry.',
        { gateway, retryAfterSeconds },
      );
    case 501:
      return notImplemented(gateway, reason);
    default:
      return otherStatus(head, gateway, reason, retryAfterSeconds, request);
  }
}

/** An error object inside a reply with a good status, or inside a stream. */
export function errorInReply(head: ResponseHead, text: string): AppError {
  const gateway = readGatewayDetails(head, text);
  const retryAfterSeconds = retryDelaySeconds(text);
  return appError(
    'gateway',
    `The gateway reported an error${reasonGiven(gateway, text)}`,
    nextForCode(gateway) ??
      waitAskedFor(retryAfterSeconds) ??
      'Check the request, then run it again.',
    { gateway, retryAfterSeconds },
  );
}

/** True whenever it is read: how much of the wait is left only the page knows. Null if there is none. */
function waitAskedFor(seconds: number | null): string | null {
  if (seconds === null || seconds === 0) return null;
  return `The gateway asked to wait ${formatWait(seconds)} before retrying.`;
}

function otherStatus(
  head: ResponseHead,
  gateway: GatewayDetails,
  reason: string,
  retryAfterSeconds: number | null,
  { url, redirects }: Request,
): AppError {
  if (gateway.code === 'api_not_implemented') return notImplemented(gateway, reason);
  const { status } = head;
  const more = { gateway, retryAfterSeconds };
  const location = headerValue(head.headers, 'location');
  if (isRedirect(status) || (status === 300 && location !== null)) {
    const target = location === null ? null : URL.parse(location, url.href);
    const isElsewhere = target !== null && isWeb(target) && target.origin !== url.origin;
    const isOtherPath =
      redirects === 'none' && target?.origin === url.origin && target.href !== url.href;
    return appError(
      'http',
      `The gateway redirected this request${location === null ? '' : ` to ${location}`}. Gatehouse did not follow it${isElsewhere ? ', to protect your key' : ''}.`,
      isElsewhere
        ? 'If the gateway has moved there, change the base URL in Settings.'
        : isOtherPath
          ? 'Send the request to that path instead.'
          : 'Check the base URL in Settings.',
      more,
    );
  }
  const next = nextForCode(gateway) ?? nextForStatus(status);
  if (gateway.message === null && gateway.code === null) {
    return appError('http', `The gateway returned HTTP status ${status}${reason}`, next, more);
  }
  return appError('gateway', `The gateway rejected the request (${status})${reason}`, next, more);
}

const AFTER_CACHE =
  'Retry in a moment. If it keeps failing, a cache in front of the gateway has a problem.';

function notImplemented(gateway: GatewayDetails, reason: string): AppError {
  return appError(
    'not-implemented',
    `The gateway does not support this endpoint${reason}`,
    'Use another panel or another gateway.',
    { gateway },
  );
}

/** Ends the sentence with the gateway's own words, where they are readable. */
function reasonGiven(gateway: GatewayDetails, text: string): string {
  const message = gateway.message?.trim() ?? plainText(text);
  if (message !== null) {
    const short = message.length > 300 ? `${message.slice(0, 300)}…` : message;
    return `: ${short}${/[.!?…。)]$/.test(short) ? '' : '.'}`;
  }
  if (!/^\s*</.test(text)) return '.';
  return `; it returned ${/^\s*<(?:!doctype html|html)/i.test(text) ? 'a web page' : 'markup'} instead of an error object.`;
}

/** Some gateways say what is wrong in a line of text. */
function plainText(text: string): string | null {
  const line = text.trim();
  return line === '' || line.length > MAX_LINE || /^[<{[]|[\n\0]/.test(line) ? null : line;
}

const MAX_LINE = 300;

function nextForCode({ code, message }: GatewayDetails): string | null {
  const unknownModel = /model_not_found|model_not_exist/.test(code ?? '');
  const noChannel = /no available (?:channel|distributor)/i.test(message ?? '');
  return unknownModel || noChannel ? 'Check the model ID, or choose another model.' : null;
}

function nextFor404(gateway: GatewayDetails): string {
  const known = nextForCode(gateway);
  if (known !== null) return known;
  return gateway.message === null
    ? 'Check the base URL of this connection.'
    : 'Check the model ID and the base URL.';
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Timeout, conflict, too early, closed by a proxy on the way. */
const PASSING = [408, 409, 425, 499];

function nextForStatus(status: number): string {
  if (status < 400) return AFTER_CACHE;
  if (status === 402) return 'Check the balance of your account at the gateway.';
  if (status === 405) return 'Check the base URL of this connection.';
  if (status === 413) return 'Make the request smaller, then run it again.';
  if (PASSING.includes(status)) return 'Retry in a moment.';
  if (status >= 500) return 'Retry in a moment. If it keeps failing, the gateway has a problem.';
  return 'Fix the request, then run it again.';
}

/** A number of seconds, or an HTTP date: then counted from the gateway's own clock where a Date header shows it. */
function retryAfter(head: ResponseHead, now: () => number): number | null {
  const value = headerValue(head.headers, 'retry-after')?.trim();
  if (!value) return null;
  if (/^\d+(?:\.\d+)?$/.test(value)) return believed(Number(value));
  // `-5` would be read as a date.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const gatewayNow = Date.parse(headerValue(head.headers, 'date') ?? '');
  const seconds = (until - (Number.isNaN(gatewayNow) ? now() : gatewayNow)) / 1000;
  return believed(Math.max(0, Math.ceil(seconds)));
}

const MAX_WAIT_SECONDS = 366 * 24 * 3600;

/** Null for a wait that nobody means. */
function believed(seconds: number): number | null {
  return seconds <= MAX_WAIT_SECONDS ? seconds : null;
}
