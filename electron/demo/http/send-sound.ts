/** Streams sound as it is made: ahead of who listens, but not all at once. */
import { once } from 'node:events';
import type { SpeechPart } from '../studio/worker/jobs.ts';
import type { DemoExchange } from './exchange.ts';

/** So many seconds of sound go out in each second… */
const PACE = 4;
/** …after this many at once. */
const HEAD_START_SECONDS = 0.5;
const SLICE_SECONDS = 0.2;

export async function sendSound(
  { response, signal, state }: DemoExchange,
  contentType: string,
  parts: AsyncIterable<SpeechPart>,
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
      const dueAt = startedAt + ((sentSeconds - HEAD_START_SECONDS) / PACE) * 1000;
      if (dueAt > pace.now()) await pace.wait(dueAt - pace.now(), signal);
      signal.throwIfAborted();
      const chunk = bytes.subarray(slice * sliceBytes, (slice + 1) * sliceBytes);
      if (!response.write(chunk)) await once(response, 'drain', { signal });
      sentSeconds += seconds / slices;
    }
  }
  response.end();
}
