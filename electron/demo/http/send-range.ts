/** Sends bytes whole or in part, as players request them when they seek. */
import type { DemoExchange } from './exchange.ts';

/** https://www.rfc-editor.org/rfc/rfc9110#section-14; of several ranges none is sent apart. */
export function sendRange({ request, response }: DemoExchange, type: string, bytes: Buffer): void {
  const common = { 'content-type': type, 'accept-ranges': 'bytes' };
  const requested = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range?.trim() ?? '');
  const [, first = '', last = ''] = requested ?? [];
  if (requested === null || (first === '' && last === '')) {
    response.writeHead(200, { ...common, 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
  const end =
    first === '' || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
  if (start > end) {
    response.writeHead(416, { ...common, 'content-range': `bytes */${bytes.length}` });
    response.end();
    return;
  }
  response.writeHead(206, {
    ...common,
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
    'content-length': end - start + 1,
  });
  response.end(bytes.subarray(start, end + 1));
}
