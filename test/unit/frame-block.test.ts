import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  extendBlock,
  type FrameBlock,
  type FrameEvent,
  getDictionary,
  getFrames,
  joinBlocks,
  packBlock,
  unpackBlock,
} from '../../electron/storage/frames/frame-block.ts';
import { makeBlock } from '../fixtures/frames.ts';

function frame(seq: number, fields: Partial<FrameEvent> = {}): FrameEvent {
  const data = `{"choices":[{"index":0,"delta":{"content":" word${seq}"}}]}`;
  const at = { seq, atMs: 20 + seq * 20.125, exchange: 0 };
  return { kind: 'chunk', ...at, data, event: null, comment: false, ...fields };
}

function frames(from: number, to: number): FrameEvent[] {
  return Array.from({ length: to - from + 1 }, (_, at) => frame(from + at));
}

const unpack = (
  body: Uint8Array,
  block = { seq: 1, exchange: 0 },
  dictionary: Uint8Array | null = null,
) => unpackBlock({ seq: block.seq, exchange: block.exchange, body, dictionary });

const store = (block: FrameBlock) => unpack(packBlock(block, null), block);

it('unpacks every frame unchanged', () => {
  const all = [
    frame(7, { exchange: 3 }),
    frame(8, { exchange: 3, data: '' }),
    frame(9, { exchange: 3, data: ' PING', comment: true }),
    frame(10, { exchange: 3, event: 'response.audio.delta', data: 'two\nlines' }),
    frame(11, { exchange: 3, data: 'é 🦊 \u0000 \ud83e' }),
  ];
  expect(getFrames(makeBlock(all))).toEqual(all);
  const whole = all.slice(0, -1);
  expect(getFrames(store(makeBlock(whole)))).toEqual(whole);
});

it('keeps each half of a split surrogate pair in its own frame', () => {
  const halves = [frame(1, { data: '\ud83e' }), frame(2, { data: '\udd8a' })];
  expect(getFrames(store(makeBlock(halves)))).toEqual(halves);
});

it('keeps times to the microsecond over thousands of frames', () => {
  const all = Array.from({ length: 4000 }, (_, at) => frame(at + 1, { atMs: at * 0.1 + 0.0004 }));
  for (const [at, { atMs }] of getFrames(store(makeBlock(all))).entries()) {
    expect(Math.abs(atMs - at * 0.1)).toBeLessThan(0.001);
  }
});

it.each([
  ['is of another exchange', frame(3, { exchange: 1 })],
  ['leaves a gap', frame(4)],
  ['makes the block too long', frame(3, { data: 'x'.repeat(256 * 1024) })],
])('starts another block for a frame that %s', (_what, next) => {
  const block = makeBlock(frames(1, 2));
  expect(extendBlock(block, next)).toBe(false);
  expect(getFrames(block)).toEqual(frames(1, 2));
});

it('joins adjacent blocks', () => {
  const joined = joinBlocks([frames(1, 3), frames(4, 4), frames(5, 9)].map(makeBlock));
  expect(getFrames(joined)).toEqual(frames(1, 9));
});

it('halves the size with a dictionary of repeated text', () => {
  const dictionary = getDictionary(makeBlock(frames(1, 3)));
  const block = makeBlock(frames(4, 6));
  const body = packBlock(block, dictionary);
  expect(body.byteLength).toBeLessThan(packBlock(block, null).byteLength / 2);
  expect(getFrames(unpack(body, block, dictionary))).toEqual(frames(4, 6));
  expect(() => unpack(body, block)).toThrow();
});

it.each([
  ['nothing', new Uint8Array()],
  ['no block', new Uint8Array([1, 2, 3])],
  ['a head that is not an object', packHead('null')],
  ['a head without times', packHead('{"lengths":[1]}')],
  ['a fractional time', packHead('{"at":[0.5],"lengths":[1]}')],
  ['a length in text', packHead('{"at":[0],"lengths":["1"]}')],
  ['a negative length', packHead('{"at":[0],"lengths":[-1]}')],
  ['a name without its frame', packHead('{"at":[0],"lengths":[1],"names":[["a"]]}')],
  ['a name that is not text', packHead('{"at":[0],"lengths":[1],"names":[[0,1]]}')],
  ['a comment that is not an index', packHead('{"at":[0],"lengths":[1],"comments":[null]}')],
  ['halves of another kind', packHead('{"at":[0],"lengths":[1],"halves":false}')],
])('rejects %s', (_what, body) => {
  expect(() => unpack(body)).toThrow();
});

it('reads a header without optional fields', () => {
  const block = unpack(packHead('{"at":[0],"lengths":[1]}'));
  expect(block).toMatchObject({ text: 'x', names: [], comments: [] });
});

/** Packs a block with this head and the text “x”. */
function packHead(head: string): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return deflateRawSync(Buffer.concat([length, Buffer.from(`${head}x`)]));
}
