/** An HTTP status and its body as an error the user can act on. */
import { type AppError, appError, type GatewaySays } from '../../shared/errors.ts';
import { waitWords } from '../../shared/wait-words.ts';
import { gatewaySays } from './gateway-says.ts';
import { headerValue, type ResponseHead } from './response-head.ts';

/** `text` is redacted. `now` is Unix milliseconds, for a Retry-After that is a date. */
export function httpError(head: ResponseHead, text: string, now: () => number): AppError {
  const gateway = gatewaySays(head, text);
  const retryAfterSeconds = retryAfter(head, now);
  const said = saying(gateway, text);
  switch (head.status) {
    case 401:
      return appError(
        'unauthorized',
        `The gateway does not accept the API key${said}`,
        'Check the key of this connection in Settings.',
        { gateway },
      );
    case 403:
      return appError(
        'forbidden',
        `The gateway does not allow this${said}`,
        'Check that the key may use this model and that its quota is not spent.',
        { gateway },
      );
    case 404:
      return appError('not-found', `The gateway found nothing there${said}`, nextFor404(gateway), {
        gateway,
      });
    case 407:
      return appError(
        'http',
        'The proxy asks for a user name and a password.',
        'Put them into the proxy address, such as http://user:password@proxy.example:3128.',
        { gateway, retryAfterSeconds: null },
      );
    case 429:
      return appError(
        'rate-limited',
        `The gateway received too many requests${said}`,
        retryAfterSeconds === null
          ? 'Wait a moment, then retry.'
          : `Retry in ${waitWords(retryAfterSeconds)}.`,
        { gateway, retryAfterSeconds },
      );
    case 501:
      return notImplemented(gateway, said);
    default:
      return otherStatus(head, gateway, said, retryAfterSeconds);
  }
}

/** An error object inside a reply with a good status, or inside a stream. */
export function errorInReply(head: ResponseHead, text: string): AppError {
  const gateway = gatewaySays(head, text);
  return appError(
    'gateway',
    `The gateway reported an error${saying(gateway, text)}`,
    nextForCode(gateway) ?? 'Check the request, then run it again.',
    { gateway, retryAfterSeconds: null },
  );
}

function otherStatus(
  head: ResponseHead,
  gateway: GatewaySays,
  said: string,
  retryAfterSeconds: number | null,
): AppError {
  if (gateway.code === 'api_not_implemented') return notImplemented(gateway, said);
  const { status } = head;
  const more = { gateway, retryAfterSeconds };
  if (status >= 300 && status < 400) {
    const location = headerValue(head.headers, 'location');
    return appError(
      'http',
      `The gateway sent this request elsewhere${location === null ? '' : `, to ${location}`}; Gatehouse does not follow, so that the key goes nowhere else.`,
      'If that is where the gateway is now, set it as the base URL.',
      more,
    );
  }
  const next = nextForCode(gateway) ?? nextForStatus(status);
  if (gateway.message === null && gateway.code === null) {
    return appError('http', `The gateway answered with HTTP status ${status}${said}`, next, more);
  }
  return appError('gateway', `The gateway refused the request (${status})${said}`, next, more);
}

function notImplemented(gateway: GatewaySays, said: string): AppError {
  return appError(
    'not-implemented',
    `The gateway does not offer this endpoint${said}`,
    'Use another panel, or another gateway.',
    { gateway },
  );
}

/** Ends the sentence: with what the gateway said, where it said something readable. */
function saying(gateway: GatewaySays, text: string): string {
  if (gateway.message !== null) {
    const message = gateway.message.trim();
    const short = message.length > 300 ? `${message.slice(0, 300)}…` : message;
    return `: ${short}${/[.!?…。)]$/.test(short) ? '' : '.'}`;
  }
  if (!/^\s*</.test(text)) return '.';
  return `; it sent ${/^\s*<(?:!doctype html|html)/i.test(text) ? 'a web page' : 'markup'} instead of an error object.`;
}

function nextForCode({ code, message }: GatewaySays): string | null {
  const unknownModel = /model_not_found|model_not_exist/.test(code ?? '');
  const noChannel = /no available (?:channel|distributor)/i.test(message ?? '');
  return unknownModel || noChannel ? 'Check the name of the model, or pick another.' : null;
}

function nextFor404(gateway: GatewaySays): string {
  const known = nextForCode(gateway);
  if (known !== null) return known;
  return gateway.message === null
    ? 'Check the base URL of this connection.'
    : 'Check the name of the model and the base URL.';
}

function nextForStatus(status: number): string {
  if (status === 413) return 'Make the request smaller, then run it again.';
  if (status >= 500) return 'Retry in a moment; if it goes on, the gateway itself has a problem.';
  return 'Change what the gateway objects to, then run it again.';
}

/** A number of seconds, or an HTTP date: then counted from the gateway's own clock where it says it. */
function retryAfter(head: ResponseHead, now: () => number): number | null {
  const value = headerValue(head.headers, 'retry-after')?.trim();
  if (!value) return null;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return null;
  const gatewayNow = Date.parse(headerValue(head.headers, 'date') ?? '');
  return Math.max(0, Math.ceil((until - (Number.isNaN(gatewayNow) ? now() : gatewayNow)) / 1000));
}
