import { describe, expect, it } from 'vitest';
import { describeProgress } from '../../renderer/run/frame/run-status.tsx';

describe('the status of a running answer', () => {
  it.each([
    ['waits, before the first token', false, 1234, 1234, 'Waiting for first token… 1.2 s'],
    ['streams', true, 6200, 1999, 'Streaming · 6.2 s'],
    ['is quiet for two seconds', true, 9100, 2000, 'Streaming · 9.1 s · no data for 2 s'],
    ['is quiet for longer', true, 75_000, 4700, 'Streaming · 1 min 15 s · no data for 4 s'],
  ])('shows that the answer %s', (_how, streams, elapsedMs, quietMs, words) => {
    expect(describeProgress({ operation: 'chat', streams, elapsedMs, quietMs })).toBe(words);
  });

  it('doesn’t treat polls of a video task as a stream, or the pauses between them as silence', () => {
    const pulse = { operation: 'video' as const, streams: true, elapsedMs: 9100, quietMs: 4700 };
    expect(describeProgress(pulse)).toBe('In progress · 9.1 s');
  });
});
