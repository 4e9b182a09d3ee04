import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { withBackpressure } from '../../electron/browser/rpc-socket.ts';

const large = 'x'.repeat(2 * 1024 * 1024);

/** Creates a page's socket whose network delivers a message only when the test says so. */
function heldSocket() {
  const waiting: { sizeBytes: number; taken: (() => void) | undefined }[] = [];
  const socket = {
    OPEN: WebSocket.OPEN,
    readyState: WebSocket.OPEN,
    isPaused: false,
    get bufferedAmount() {
      return waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    },
    addEventListener: () => undefined,
    once: () => undefined,
    pause() {
      socket.isPaused = true;
    },
    resume() {
      socket.isPaused = false;
    },
    send(data: unknown, taken?: () => void) {
      waiting.push({ sizeBytes: String(data).length, taken });
    },
  };
  return { socket, takeNext: () => waiting.shift()?.taken?.() };
}

it('accepts calls again once the page has drained its queue', () => {
  const { socket, takeNext } = heldSocket();
  const paced = withBackpressure(socket);
  void paced.send(large);
  void paced.send('small');
  void paced.send('small');
  expect(socket.isPaused).toBe(true);
  takeNext();
  // The queue is now so short that even a large reply counts as on time.
  void paced.send(large);
  takeNext();
  takeNext();
  expect(socket.isPaused).toBe(true);
  takeNext();
  expect(socket.isPaused).toBe(false);
});
