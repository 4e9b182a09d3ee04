import { expect, test } from 'vitest';
import { type FrameEvent, getBlock } from '../../electron/storage/frames/frame-block.ts';
import { fromParcel, toParcel } from '../../electron/storage/frames/frame-parcel.ts';

function frame(seq: number, fields: Partial<FrameEvent> = {}): FrameEvent {
  const numbers = { seq, atMs: seq * 20.125, exchange: 0 };
  return { kind: 'chunk', ...numbers, data: `word ${seq}`, event: null, comment: false, ...fields };
}

test('a parcel holds what all runs have to write', () => {
  const batches = [
    { run: 3, blocks: [getBlock([frame(1), frame(2, { event: 'delta' }), frame(3)])] },
    { run: 2 ** 31, blocks: [getBlock([frame(7, { data: '' })]), getBlock([frame(9)])] },
    {
      run: 4,
      blocks: [
        getBlock([frame(5, { comment: true, exchange: 2 }), frame(6, { exchange: 2 })]),
        getBlock([frame(8, { event: 'x', data: 'é 🦊 \ud83e' })]),
      ],
    },
  ];
  expect(fromParcel(toParcel(batches))).toEqual(batches);
  expect(fromParcel(toParcel([]))).toEqual([]);
});
