/** Connections that are slow, break, or are never established. */
import { setInterval as ticks, setImmediate as turn } from 'node:timers/promises';
import { createMediaReference } from '../../shared/media.ts';
import { reply, streamHead, type WireExchange } from '../fixtures/wire-server.ts';
import {
  type Fault,
  type FaultGroup,
  isFirst,
  isStream,
  NEVER_BEGINS,
  NEVER_GOES_ON,
  only,
  typical,
} from './fault.ts';
import { goodReply, SOUND, type Target } from './targets.ts';

async function drip({ send, socket }: WireExchange, bytes: Uint8Array, everyMs: number) {
  let at = 0;
  for await (const _ of ticks(everyMs)) {
    if (socket.destroyed || at >= bytes.length) return;
    await send(bytes.subarray(at, at + 1));
    at += 1;
  }
}

const headOf = ({ type, body }: Target): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
const part = (target: Target): Buffer => target.body.subarray(0, target.body.indexOf('Bravo') + 5);

const slow: Fault[] = [
  { name: 'No reply', ...NEVER_BEGINS, answer: () => undefined },
  {
    name: 'A head that stops in the middle',
    ...NEVER_BEGINS,
    answer: ({ send }) => send('HTTP/1.1 200 OK\r\nContent-'),
  },
  {
    name: 'A head, a byte a second',
    ...NEVER_BEGINS,
    answer: (wire, target) => drip(wire, goodReply(target), 1000),
    words: () => [],
  },
  {
    name: 'A head, then nothing',
    ...NEVER_GOES_ON,
    answer: ({ send }, target) => send(headOf(target)),
  },
  {
    name: 'A body that stops in the middle',
    ...NEVER_GOES_ON,
    async answer({ send }, target) {
      await send(headOf(target));
      await send(part(target));
    },
  },
  {
    name: 'A body, a byte a second',
    ...NEVER_GOES_ON,
    async answer(wire, target) {
      await wire.send(headOf(target));
      await wire.send(part(target));
      await drip(wire, target.body.subarray(part(target).length), 1000);
    },
  },
  {
    name: 'Keep-alive comments for longer than the timeout',
    timeouts: { stallSeconds: 3 },
    on: isStream,
    async answer({ send, end, socket }, { body }) {
      await send(streamHead.replace('Transfer-Encoding: chunked\r\n', ''));
      const cut = body.indexOf('\n\n') + 2;
      await send(body.subarray(0, cut));
      let count = 0;
      for await (const _ of ticks(100)) {
        if (socket.destroyed || count === 40) break;
        count += 1;
        await send(': PING\n\n');
      }
      await send(body.subarray(cut));
      end();
    },
  },
];

const resets: Fault[] = [
  { name: 'Reset when connected', on: isFirst, connected: (socket) => socket.resetAndDestroy() },
  { name: 'Closed when connected', on: isFirst, connected: (socket) => socket.destroy() },
  {
    name: 'Reset while the request comes',
    on: isFirst,
    connected: (socket) => socket.once('data', () => socket.resetAndDestroy()),
  },
  { name: 'Reset instead of a reply', answer: ({ socket }) => socket.resetAndDestroy() },
  { name: 'Closed instead of a reply', answer: ({ socket }) => socket.end() },
  {
    name: 'Reset within the head',
    async answer({ send, socket }) {
      await send('HTTP/1.1 200 OK\r\nConte');
      socket.resetAndDestroy();
    },
  },
  {
    name: 'Reset after the head',
    async answer({ send, socket }, target) {
      await send(headOf(target));
      await turn();
      socket.resetAndDestroy();
    },
  },
  {
    name: 'Closed within the body',
    async answer({ send, socket }, target) {
      await send(headOf(target));
      await send(part(target));
      socket.end();
    },
  },
  {
    name: 'Reset within the body',
    async answer({ send, socket }, target) {
      await send(headOf(target));
      await send(part(target));
      await turn();
      socket.resetAndDestroy();
    },
    // Data that the system hasn't delivered by then is lost.
    words: () => [],
  },
  {
    name: 'Closed after the body',
    async answer({ send, socket }, target) {
      await send(goodReply(target));
      socket.end();
    },
    closes: true,
  },
];

const refusal = reply(
  '413 Content Too Large',
  { 'Content-Type': 'application/json', Connection: 'close' },
  '{"error":{"message":"Alpha is too large","type":"invalid_request_error"}}',
);

const EIGHT_MB = 8 * 1024 * 1024;
/** Adds a file that is too large for one write. */
const bigFile: Pick<Fault, 'on' | 'request'> = {
  on: only('transcription'),
  async request({ store }) {
    const sound = Buffer.concat([SOUND, Buffer.alloc(EIGHT_MB)]);
    return { model: 'm', file: createMediaReference(await store('long.wav', 'audio/wav', sound)) };
  },
};

const bigUploads: Fault[] = [
  {
    name: 'A server that never reads a file of 8 MB',
    ...NEVER_GOES_ON,
    connected: (socket) => void socket.pause(),
    ...bigFile,
  },
  {
    name: 'A refusal in the middle of a file of 8 MB, of which nothing more is read',
    connected: (socket) => void socket.once('data', () => socket.pause().write(refusal)),
    ...bigFile,
  },
  {
    name: 'A refusal in the middle of a file of 8 MB, which is read to its end',
    connected: (socket) =>
      void socket.on('data', () => undefined).once('data', () => socket.write(refusal)),
    ...bigFile,
  },
  {
    name: 'A refusal in the middle of a file of 8 MB, then the end',
    connected: (socket) => void socket.once('data', () => socket.pause().end(refusal)),
    ...bigFile,
  },
  {
    name: 'A reset in the middle of a file of 8 MB',
    connected: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    ...bigFile,
  },
  {
    name: 'A refusal in the middle of a message of 8 MB, of which nothing more is read',
    on: only('chat'),
    request: () => ({
      model: 'm',
      messages: [{ role: 'user', content: 'x'.repeat(EIGHT_MB) }],
      stream: true,
    }),
    connected: (socket) => void socket.once('data', () => socket.pause().write(refusal)),
  },
];

const uploads: Fault[] = [
  {
    name: 'A server that never reads',
    on: isFirst,
    ...NEVER_BEGINS,
    connected: (socket) => void socket.pause(),
  },
  {
    name: 'A refusal before the request was read',
    on: isFirst,
    connected: (socket) => void socket.once('data', () => socket.end(refusal)),
  },
  {
    name: 'A refusal as soon as it is connected',
    on: isFirst,
    connected: (socket) => void socket.end(refusal),
  },
];

export const transport: FaultGroup[] = [
  { title: 'Slow connections', tries: typical, faults: slow },
  { title: 'Broken connections', tries: typical, faults: resets },
  { title: 'Uploads', tries: typical, faults: uploads },
  { title: 'Large uploads', faults: bigUploads },
];
