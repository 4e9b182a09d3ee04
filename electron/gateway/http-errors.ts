/** Converts an HTTP status and response body to an error that tells the user what to do next. */
import { type AppError, appError, type GatewayDetails } from '../../shared/errors.ts';
import { formatWait } from '../../shared/format-wait.ts';
import type { Redirects } from './exchange-types.ts';
import { readGatewayDetails } from './gateway-details.ts';
import { getHeader, isRedirect, type ResponseHead } from './response-head.ts';
import { readWaitSeconds } from './retry-wait.ts';

interface Request {
  url: URL;
  redirects: Redirects;
}

/** `text` must be redacted; `now` returns Unix milliseconds, to evaluate a Retry-After date. */
export function toHttpError(
  head: ResponseHead,
  text: string,
  now: () => number,
  request: Request,
): AppError {
  const gateway = readGatewayDetails(head, text);
  const retryAfterSeconds = readWaitSeconds(head, text, now);
  const explain = (words: string) => withReason(words, gateway, text);
  // Google reports an invalid key with status 400.
  switch (head.status === 400 && WRONG_KEY.test(gateway.message ?? '') ? 401 : head.status) {
    case 401:
      return appError(
        'unauthorized',
        explain('The gateway rejected the API key'),
        'Check this connection’s API key in Settings.',
        { gateway },
      );
    case 403:
      return appError(
        'forbidden',
        explain('The gateway denied this request'),
        'Check that the key can use this model and has quota left.',
        { gateway },
      );
    case 404:
      return appError('not-found', explain('Not found'), getStepFor404(gateway), {
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
        explain('Rate limit reached'),
        describeWait(retryAfterSeconds) ??
          getStepForBalance(gateway) ??
          'Wait a moment, then retry.',
        { gateway, retryAfterSeconds },
      );
    case 501:
      return createNotImplementedError(gateway, explain);
    default:
      return createOtherStatusError(head, gateway, explain, retryAfterSeconds, request);
  }
}

/** Reads an error object from a stream or from a response with a 2xx status. */
export function readErrorInBody(head: ResponseHead, text: string, now: () => number): AppError {
  const gateway = readGatewayDetails(head, text);
  const retryAfterSeconds = readWaitSeconds(head, text, now);
  return appError(
    'gateway',
    withReason('The gateway reported an error', gateway, text),
    getStepForCode(gateway) ?? describeWait(retryAfterSeconds) ?? getStepForReportedStatus(gateway),
    { gateway, retryAfterSeconds },
  );
}

/** Some gateways send the status of the failure as the code of an error in a 200 response. */
function getStepForReportedStatus({ code }: GatewayDetails): string {
  const status = code !== null && /^[45]\d\d$/.test(code) ? Number(code) : 400;
  const isTemporary = status >= 500 || TEMPORARY.includes(status) || status === 402;
  return isTemporary ? getStepForStatus(status) : 'Check the request, then retry.';
}

/** States the total wait; the page shows the countdown. */
function describeWait(seconds: number | null): string | null {
  if (seconds === null || seconds === 0) return null;
  return `The gateway asked you to wait ${formatWait(seconds)} before retrying.`;
}

function createOtherStatusError(
  head: ResponseHead,
  gateway: GatewayDetails,
  explain: Explain,
  retryAfterSeconds: number | null,
  { url, redirects }: Request,
): AppError {
  if (gateway.code === 'api_not_implemented') return createNotImplementedError(gateway, explain);
  const { status } = head;
  const more = { gateway, retryAfterSeconds };
  const location = getHeader(head.headers, 'location');
  if (isRedirect(status) || (status === 300 && location !== null)) {
    const target = location === null ? null : URL.parse(location, url.href);
    const isElsewhere = target !== null && isWeb(target) && target.origin !== url.origin;
    const isOtherPath =
      redirects === 'none' && target?.origin === url.origin && target.href !== url.href;
    return appError(
      'http',
      `The gateway redirected this request${location === null ? '' : ` to ${location}`}. Gatehouse didn’t follow it${isElsewhere ? ', to protect your API key' : ''}.`,
      isElsewhere
        ? 'If the gateway moved, update the base URL in Settings.'
        : isOtherPath
          ? 'Send the request to that path instead.'
          : 'Check the base URL in Settings.',
      more,
    );
  }
  const next = getStepForCode(gateway) ?? getStepForStatus(status);
  if (gateway.message === null && gateway.code === null) {
    return appError('http', explain(`The gateway returned HTTP status ${status}`), next, more);
  }
  return appError('gateway', explain(`The gateway rejected the request (${status})`), next, more);
}

const AFTER_CACHE =
  'Retry in a moment. If it keeps failing, check the cache or proxy in front of the gateway.';

function createNotImplementedError(gateway: GatewayDetails, explain: Explain): AppError {
  return appError(
    'not-implemented',
    explain('The gateway doesn’t support this endpoint'),
    'Try another panel or another gateway.',
    { gateway },
  );
}

const WRONG_KEY = /\b(?:api[ _-]?key not valid|(?:invalid|incorrect) api[ _-]?key)\b/i;

type Explain = (words: string) => string;

/**
 * Appends the gateway's message to `words`, or returns the message if it already starts with them.
 */
function withReason(words: string, gateway: GatewayDetails, text: string): string {
  const message = gateway.message?.trim() ?? getPlainText(text);
  if (message !== null) {
    const short = message.length > 300 ? `${message.slice(0, 300)}…` : message;
    const sentence = `${short}${isSentence(short) ? '' : '.'}`;
    const isSaid =
      short.toLowerCase().startsWith(words.toLowerCase()) ||
      (gateway.status === 429 && /^rate.?limit/i.test(short));
    return isSaid ? sentence : `${words}: ${sentence}`;
  }
  if (!/^\s*</.test(text)) return `${words}.`;
  return `${words}; it returned ${/^\s*<(?:!doctype html|html)/i.test(text) ? 'a web page' : 'markup'} instead of an error object.`;
}

/** A sentence may end with a name or a place in parentheses, such as “No. (Acme)”. */
function isSentence(text: string): boolean {
  return /[.!?…。](?: \([^()]*\))?$/.test(text);
}

/** Some gateways send the error as one line of plain text. */
function getPlainText(text: string): string | null {
  const line = text.trim();
  return line === '' || line.length > MAX_LINE || /^[<{[]|[\n\0]/.test(line) ? null : line;
}

const MAX_LINE = 300;

function getStepForCode(gateway: GatewayDetails): string | null {
  const unknownModel = /model_not_found|model_not_exist/.test(gateway.code ?? '');
  const noChannel = /no available (?:channel|distributor)/i.test(gateway.message ?? '');
  if (unknownModel || noChannel) return 'Check the model ID, or choose another model.';
  return getStepForBalance(gateway);
}

const NO_BALANCE =
  /insufficient[ _](?:account[ _])?(?:balance|quota|credit|funds)|(?:balance|credit|funds)\w* (?:is |are )?(?:not enough|insufficient|exhausted)|\bno balance|out of credits?|billing (?:details|hard limit)/i;

/** Waiting doesn't help if the account has no balance left. */
function getStepForBalance({ code, message }: GatewayDetails): string | null {
  return NO_BALANCE.test(`${code ?? ''} ${message ?? ''}`) ? CHECK_BALANCE : null;
}

const CHECK_BALANCE = 'Check your account balance with the gateway.';

function getStepFor404(gateway: GatewayDetails): string {
  const known = getStepForCode(gateway);
  if (known !== null) return known;
  return gateway.message === null
    ? 'Check this connection’s base URL.'
    : 'Check the model ID and the base URL.';
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Retryable statuses: Request Timeout, Conflict, Too Early and Client Closed Request. */
const TEMPORARY = [408, 409, 425, 499];

function getStepForStatus(status: number): string {
  if (status < 400) return AFTER_CACHE;
  if (status === 402) return CHECK_BALANCE;
  if (status === 405) return 'Check this connection’s base URL.';
  if (status === 413) return 'Make the request smaller, then retry.';
  if (TEMPORARY.includes(status)) return 'Retry in a moment.';
  if (status >= 500)
    return 'Retry in a moment. If it keeps failing, contact the gateway’s operator.';
  return 'Fix the request, then retry.';
}
