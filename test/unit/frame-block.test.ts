import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  countOfBlock,
  type FrameEvent,
  getBlock,
  getDictionary,
  getFrames,
  joinBlocks,
  packBlock,
  unpackBlock,
} from '../../electron/storage/frames/frame-block.ts';

function frame(seq: number, fields: Partial<FrameEvent> = {}): FrameEvent {
  const data = `{"choices":[{"index":0,"delta":{"content":" word${seq}"}}]}`;
  const event: FrameEvent = {
    kind: 'chunk',
    seq,
    atMs: 20 + seq * 20.125,
    exchange: 0,
    data,
    event: null,
    comment: false,
  };
  return { ...event, ...fields };
}

function frames(from: number, to: number): FrameEvent[] {
  return Array.from({ length: to - from + 1 }, (_, at) => frame(from + at));
}

/** As it comes back from disk. */
function stored(block: ReturnType<typeof getBlock>) {
  const { seq, exchange } = block;
  return unpackBlock({ seq, exchange, body: packBlock(block, null), dictionary: null });
}

test('gives every frame back as it was', () => {
  const all = [
    frame(7, { exchange: 3 }),
    frame(8, { exchange: 3, data: '' }),
    frame(9, { exchange: 3, data: ' PING', comment: true }),
    frame(10, { exchange: 3, event: 'response.audio.delta', data: 'two\nlines' }),
    frame(11, { exchange: 3, data: 'é 🦊 \u0000 \ud83e' }),
  ];
  expect(getFrames(getBlock(all))).toEqual(all);
  const whole = all.slice(0, -1);
  expect(getFrames(stored(getBlock(whole)))).toEqual(whole);
});

test('keeps half of a surrogate pair, which a gateway may send in a frame of its own', () => {
  const halves = [frame(1, { data: '\ud83e' }), frame(2, { data: '\udd8a' })];
  expect(getFrames(stored(getBlock(halves)))).toEqual(halves);
});

test('keeps times to the microsecond, however many there are', () => {
  const all = Array.from({ length: 5000 }, (_, at) => frame(at + 1, { atMs: at * 0.1 + 0.0004 }));
  for (const [at, { atMs }] of getFrames(stored(getBlock(all))).entries()) {
    expect(Math.abs(atMs - at * 0.1)).toBeLessThan(0.001);
  }
});

test.each([
  ['another exchange', [frame(1), frame(2), frame(3, { exchange: 1 })], 2],
  ['a gap', [frame(1), frame(2), frame(4)], 2],
  ['as many as fit', [frame(1, { data: 'x'.repeat(600) }), frame(2), frame(3)], 1],
  ['one that is too long alone', [frame(1, { data: 'x'.repeat(5000) })], 1],
  ['all', frames(1, 5), 5],
])('ends a block at %s', (_what, all, count) => {
  expect(countOfBlock(all, 610)).toBe(count);
});

test('joins blocks that follow each other', () => {
  const joined = joinBlocks([frames(1, 3), frames(4, 4), frames(5, 9)].map(getBlock));
  expect(getFrames(joined)).toEqual(frames(1, 9));
});

test('takes a tenth of the room that frames alike take', () => {
  const all = frames(1, 900);
  const length = all.reduce((sum, { data }) => sum + data.length, 0);
  expect(packBlock(getBlock(all), null).byteLength).toBeLessThan(length / 5);
});

test('takes half the room where the dictionary has what the frames repeat', () => {
  const dictionary = getDictionary(getBlock(frames(1, 3)));
  const block = getBlock(frames(4, 6));
  const body = packBlock(block, dictionary);
  expect(body.byteLength).toBeLessThan(packBlock(block, null).byteLength / 2);
  const { seq, exchange } = block;
  expect(getFrames(unpackBlock({ seq, exchange, body, dictionary }))).toEqual(frames(4, 6));
  expect(() => unpackBlock({ seq, exchange, body, dictionary: null })).toThrow();
});

test.each([
  ['nothing', new Uint8Array()],
  ['no block', new Uint8Array([1, 2, 3])],
  ['a head that is no object', bodyOf('null')],
  ['a head without times', bodyOf('{"lengths":[1]}')],
  ['a time that is no whole number', bodyOf('{"at":[0.5],"lengths":[1]}')],
  ['a length that is no number', bodyOf('{"at":[0],"lengths":["1"]}')],
  ['a negative length', bodyOf('{"at":[0],"lengths":[-1]}')],
  ['a name without its frame', bodyOf('{"at":[0],"lengths":[1],"names":[["a"]]}')],
  ['a name that is no text', bodyOf('{"at":[0],"lengths":[1],"names":[[0,1]]}')],
  ['a comment that is no index', bodyOf('{"at":[0],"lengths":[1],"comments":[null]}')],
  ['halves of another kind', bodyOf('{"at":[0],"lengths":[1],"halves":false}')],
])('throws where there is %s', (_what, body) => {
  expect(() => unpackBlock({ seq: 1, exchange: 0, body, dictionary: null })).toThrow();
});

test('reads a head that has no more than it must', () => {
  const body = bodyOf('{"at":[0],"lengths":[1]}');
  expect(unpackBlock({ seq: 1, exchange: 0, body, dictionary: null })).toMatchObject({
    text: 'x',
    names: [],
    comments: [],
  });
});

/** A block of that head, and an x. */
function bodyOf(head: string): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return deflateRawSync(Buffer.concat([length, Buffer.from(`${head}x`)]));
}
