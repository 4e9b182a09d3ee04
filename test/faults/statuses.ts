/** Covers every status except a plain success, with all kinds of bodies. */
import { any, type Fault, type FaultGroup, NEVER_BEGINS, only, typical, whole } from './fault.ts';
import { goodReply } from './targets.ts';

const json = 'application/json';
const said =
  '{"error":{"code":"","message":"Alpha happened (request id: 2026010112000098)","type":"t"}}';
const page = '<!DOCTYPE html><html><body><h1>Alpha</h1></body></html>';

const refused = (
  status: string,
  headers: Record<string, string> = {},
  name = status,
  more: Partial<Fault> = {},
): Fault => whole(name, () => ({ status, headers, type: json, body: said }), more);

const plain = [
  '400 Bad Request',
  '401 Unauthorized',
  '402 Payment Required',
  '403 Forbidden',
  '404 Not Found',
  '405 Method Not Allowed',
  '407 Proxy Authentication Required',
  '408 Request Timeout',
  '409 Conflict',
  '413 Content Too Large',
  '415 Unsupported Media Type',
  '422 Unprocessable Content',
  '425 Too Early',
  '429 Too Many Requests',
  '451 Unavailable For Legal Reasons',
  '499 Client Closed Request',
  '500 Internal Server Error',
  '501 Not Implemented',
  '502 Bad Gateway',
  '503 Service Unavailable',
  '504 Gateway Timeout',
  '529 Overloaded',
  '599',
  '799 Nobody knows',
].map((status) =>
  // Each operation reads an error body in its own way, whatever the status.
  refused(status, {}, status, status === '400 Bad Request' ? { tries: any } : {}),
);

const wait = (name: string, value: string): Fault =>
  refused(
    '429 Too Many Requests',
    { 'Retry-After': value, Date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
    `429 with a wait: ${name}`,
  );

const waits = [
  wait('2 seconds', '2'),
  wait('a date', 'Thu, 01 Jan 2026 00:00:05 GMT'),
  wait('a past date', 'Wed, 31 Dec 2025 23:00:00 GMT'),
  wait('a word', 'soon'),
  wait('a negative number', '-5'),
  wait('a number of 400 digits', '9'.repeat(400)),
  refused('503 Service Unavailable', { 'Retry-After': '3' }, '503 with a wait: 3 seconds'),
  whole('429 with a wait in its details', () => ({
    status: '429 Too Many Requests',
    type: json,
    body: '[{"error":{"code":429,"message":"Alpha","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"37s"}]}}]',
  })),
];

const bodies: Fault[] = [
  whole('500, a web page', () => ({ status: '500', type: 'text/html', body: page })),
  whole('500, nothing', () => ({ status: '500', type: '', body: '' })),
  whole('500, JSON labeled as a web page', () => ({
    status: '500',
    type: 'text/html',
    body: said,
  })),
  whole('500, a web page labeled as JSON', () => ({ status: '500', type: json, body: page })),
  ...'402 408 413 425 429 499 501 503'.split(' ').map((status) =>
    whole(`${status}, a web page`, () => ({ status, type: 'text/html', body: page }), {
      tries: only('chat', 'video file'),
    }),
  ),
];

const odd: Fault[] = [
  whole('500 as an event stream', () => ({
    status: '500 Internal Server Error',
    type: 'text/event-stream',
    body: `event: error\ndata: ${said}\n\n`,
  })),
  whole('500 with the good reply', () => ({ status: '500 Internal Server Error' })),
  ...['503 Service Unavailable', '404 Not Found', '200 OK'].map((status) =>
    whole(`${status.slice(0, 3)} \`model_not_found\``, () => ({
      status,
      type: json,
      body: '{"error":{"code":"model_not_found","message":"Alpha","type":"new_api_error"}}',
    })),
  ),
  whole('503 in a line of text', () => ({
    status: '503 Service Unavailable',
    type: 'text/plain',
    body: 'upstream connect error: Alpha',
  })),
  whole('204 No Content', () => ({ status: '204 No Content', type: '', body: '' })),
  whole('204 with a body', () => ({ status: '204 No Content' }), {
    words: () => [],
    isFramed: false,
  }),
  whole('205 Reset Content', () => ({ status: '205 Reset Content', body: '' })),
  whole('206 without being asked', () => ({ status: '206 Partial Content' })),
  whole('201 Created', () => ({ status: '201 Created' })),
  whole('304 Not Modified', () => ({ status: '304 Not Modified', type: '', body: '' })),
  whole('304 with a body', () => ({ status: '304 Not Modified' }), {
    words: () => [],
    isFramed: false,
  }),
];

const interim = ['100 Continue', '103 Early Hints', '199 Odd'].flatMap((status): Fault[] => [
  {
    name: `${status}, then the reply`,
    answer: async ({ send }, target) => {
      await send(`HTTP/1.1 ${status}\r\nX-Note: hold on\r\n\r\n`);
      await send(goodReply(target));
    },
  },
  {
    name: `${status}, then nothing`,
    tries: only('chat', 'video status'),
    ...NEVER_BEGINS,
    answer: ({ send }) => send(`HTTP/1.1 ${status}\r\n\r\n`),
  },
]);

export const statuses: FaultGroup[] = [
  { title: 'Statuses with a JSON error', tries: typical, faults: plain },
  { title: 'Waits', tries: only('chat', 'speech', 'video status'), faults: waits },
  { title: 'Statuses with other bodies', faults: bodies },
  { title: 'Odd successes and errors', tries: typical, faults: odd },
  { title: 'Interim replies', tries: typical, faults: interim },
];
