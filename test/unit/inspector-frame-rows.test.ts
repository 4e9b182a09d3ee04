import { describe, expect, it } from 'vitest';
import { filterRows, getFrameRows } from '../../renderer/features/inspector/events/frame-rows.ts';
import type { RunEvent } from '../../shared/run.ts';

const events: RunEvent[] = [
  { kind: 'response', seq: 2, atMs: 5, exchange: 0, status: 200, headers: [] },
  chunk(3, 10, '{"text":"Hello"}'),
  { ...chunk(4, 25, 'PROCESSING'), comment: true },
  { ...chunk(5, 26, '[DONE]'), event: 'end' },
];

function chunk(seq: number, atMs: number, data: string) {
  return { kind: 'chunk' as const, seq, atMs, exchange: 0, data, event: null, comment: false };
}

describe('getFrameRows', () => {
  it('measures time since the start and the previous event', () => {
    expect(getFrameRows(events)).toEqual([
      { number: 1, seq: 3, atMs: 10, gapMs: null, label: '', data: '{"text":"Hello"}' },
      { number: 2, seq: 4, atMs: 25, gapMs: 15, label: 'comment', data: 'PROCESSING' },
      { number: 3, seq: 5, atMs: 26, gapMs: 1, label: 'end', data: '[DONE]' },
    ]);
  });

  it('filters by text or label and keeps the gaps', () => {
    const rows = getFrameRows(events);
    expect(filterRows(rows, 'hello').map(({ seq }) => seq)).toEqual([3]);
    expect(filterRows(rows, 'comment')).toEqual([rows[1]]);
    expect(filterRows(rows, ' ')).toBe(rows);
  });
});
