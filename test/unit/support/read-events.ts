/** Reads the events of a streamed response, whole or in chunks. */
import type { Frame } from '../../../electron/gateway/exchange-types.ts';
import { createResponseReader } from '../../../electron/gateway/response-reader.ts';
import { recordTimings } from '../../../electron/gateway/timing-recorder.ts';
import { createRedactor } from '../../../electron/redaction/redactor.ts';

/** The data of an event, with its name if it has one. */
export type StreamedEvent = string | { event: string; data: string };

/** Returns the events, without comments, of a response that arrives in these chunks. */
export async function readEvents(
  pieces: Iterable<Uint8Array>,
  key: string | null,
): Promise<StreamedEvent[]> {
  const frames: Frame[] = [];
  const reader = createResponseReader(
    'json',
    {
      request() {},
      response() {},
      body() {},
      chunks(completed) {
        frames.push(...completed);
        return { produced: completed.length, rest: 'more' };
      },
    },
    createRedactor(key),
    recordTimings(() => 0),
  );
  reader.head(200, [Buffer.from('Content-Type'), Buffer.from('text/event-stream;charset=x')]);
  for (const piece of pieces) await reader.data(Buffer.from(piece));
  const reply = await reader.end('complete');
  // An exchange records an unfinished event as a frame, but it doesn't count as an event.
  if (reply?.kind === 'stream' && reply.stream.unfinished !== null) frames.pop();
  return frames.flatMap(({ data, event, comment }) =>
    comment ? [] : [event === null ? data : { event, data }],
  );
}
