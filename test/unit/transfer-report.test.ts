import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { reportTransfer } from '../../electron/gateway/timing-recorder.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

function start() {
  const told: number[] = [];
  const report = reportTransfer(({ doneBytes }) => told.push(doneBytes), 'upload', 100, Date.now);
  return { told, report };
}

it('reports the first bytes and then at most every 250 ms', () => {
  const { told, report } = start();
  for (let bytes = 1; bytes <= 21; bytes += 1) {
    report.at(bytes);
    vi.advanceTimersByTime(50);
  }
  expect(told).toEqual([1, 5, 10, 15, 20]);
});

it('reports the latest bytes after 250 ms even if no more arrive', () => {
  const { told, report } = start();
  report.at(1);
  report.at(2);
  vi.advanceTimersByTime(249);
  expect(told).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([1, 2]);
});

it('reports the end at once and only once', () => {
  const { told, report } = start();
  report.at(1);
  report.at(2);
  report.end(3);
  report.end(3);
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([1, 3]);
});
