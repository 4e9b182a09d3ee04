/** Sends stored bytes whole or in part, and sound while it is made. */
import { once } from 'node:events';
import type { SpeechPart } from '../studio/worker/jobs.ts';
import type { DemoExchange } from './exchange.ts';

/** Whole or in part, as players request it when they seek; https://www.rfc-editor.org/rfc/rfc9110#section-14; of several ranges none is sent apart. */
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

/** This much goes out at once; what follows, at the model's own pace. */
const HEAD_START_SECONDS = 0.5;
const SLICE_SECONDS = 0.2;

/** As it is made: ahead of who listens by `timesRealTime`, but not all at once. */
export async function sendSound(
  { response, signal, state }: DemoExchange,
  contentType: string,
  parts: AsyncIterable<SpeechPart>,
  timesRealTime: number,
): Promise<void> {
  const { pace } = state;
  let startedAt = 0;
  let sentSeconds = 0;
  for await (const { bytes, seconds } of parts) {
    if (!response.headersSent) {
      // Only now, so that a failure before the first byte is still an error object.
      response.writeHead(200, { 'content-type': contentType });
      startedAt = pace.now();
    }
    const slices = Math.max(1, Math.round(seconds / SLICE_SECONDS));
    const sliceBytes = Math.ceil(bytes.length / slices);
    for (let slice = 0; slice < slices; slice += 1) {
      const dueAt = startedAt + ((sentSeconds - HEAD_START_SECONDS) / timesRealTime) * 1000;
      const earlyMs = dueAt - pace.now();
      if (earlyMs > 0) await pace.wait(earlyMs, signal);
      signal.throwIfAborted();
      const chunk = bytes.subarray(slice * sliceBytes, (slice + 1) * sliceBytes);
      if (!response.write(chunk)) await once(response, 'drain', { signal });
      sentSeconds += seconds / slices;
    }
  }
  response.end();
}
