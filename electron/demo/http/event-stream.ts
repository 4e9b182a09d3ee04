/** Server-Sent Events out: frames in order, no faster than the client reads. */
import { once } from 'node:events';
import type { DemoExchange } from './exchange.ts';

const KEEP_ALIVE_AFTER_MS = 500;

export interface EventStream {
  /** Sends frames; resolves when the client has room for more. */
  send: (documents: unknown[]) => Promise<void>;
  /** Waits simulated milliseconds; a long silence is filled with comments. */
  wait: (durationMs: number) => Promise<void>;
  /** Sends `[DONE]` and ends the reply. */
  finish: () => void;
  /** Breaks off in the middle of this frame. */
  cut: (document: unknown) => void;
}

export function openEventStream({ response, signal, state, cut }: DemoExchange): EventStream {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();

  async function write(text: string): Promise<void> {
    signal.throwIfAborted();
    if (!response.write(text)) await once(response, 'drain', { signal });
  }

  return {
    send: (documents) => write(documents.map(toFrame).join('')),
    wait: async (durationMs) => {
      let leftMs = durationMs;
      while (leftMs > KEEP_ALIVE_AFTER_MS) {
        await state.pace.wait(KEEP_ALIVE_AFTER_MS, signal);
        leftMs -= KEEP_ALIVE_AFTER_MS;
        await write(': PROCESSING\n\n');
      }
      await state.pace.wait(leftMs, signal);
    },
    finish: () => {
      response.end('data: [DONE]\n\n');
    },
    cut: (document) => {
      const frame = toFrame(document);
      cut(frame.slice(0, Math.ceil(frame.length / 2)));
    },
  };
}

function toFrame(document: unknown): string {
  return `data: ${JSON.stringify(document)}\n\n`;
}
