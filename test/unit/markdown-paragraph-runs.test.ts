import { describe, expect, it } from 'vitest';
import { paragraphRuns } from '../../renderer/ui/markdown/paragraph-runs.ts';

describe('the runs of a long paragraph', () => {
  const prose = 'some words **in bold here** and `code` '.repeat(400);

  it('lose nothing', () => {
    expect(paragraphRuns(prose).join('')).toBe(prose);
  });

  it('never cut through emphasis or code', () => {
    for (const run of paragraphRuns(prose)) {
      expect((run.match(/\*\*/g)?.length ?? 0) % 2).toBe(0);
      expect((run.match(/`/g)?.length ?? 0) % 2).toBe(0);
    }
  });

  it('stay where they are while the paragraph grows', () => {
    const whole = paragraphRuns(prose);
    for (let end = 100; end < prose.length; end += 997) {
      const runs = paragraphRuns(prose.slice(0, end));
      expect(whole.slice(0, runs.length - 1)).toEqual(runs.slice(0, -1));
    }
  });

  it('cut a text without a single space all the same', () => {
    const runs = paragraphRuns('x'.repeat(20_000));
    expect(Math.max(...runs.map((run) => run.length))).toBeLessThanOrEqual(6000);
  });
});
