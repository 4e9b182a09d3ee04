import { describe, expect, it, vi } from 'vitest';
import { createRunLoader, type RunPage } from '../../renderer/run/live/use-run-pages.ts';
import type { RunEvent } from '../../shared/run.ts';

function chunk(seq: number): RunEvent {
  return { kind: 'chunk', seq, atMs: seq, exchange: 0, data: '', event: null, comment: false };
}

/** Simulates a growing database with two events per page. The first `failures` fetches fail. */
function ledger(failures = 0) {
  const events: RunEvent[] = [];
  const requested: number[] = [];
  const got: number[] = [];
  const problems: string[] = [];
  const loader = createRunLoader({
    async fetchPage(after): Promise<RunPage<RunEvent[]>> {
      requested.push(after);
      if (requested.length <= failures) throw new Error('dropped');
      const rest = events.filter(({ seq }) => seq > after);
      const page = rest.slice(0, 2);
      return { content: page, last: page.at(-1)?.seq ?? after, more: rest.length > 2 };
    },
    onContent: (page) => got.push(...page.map(({ seq }) => seq)),
    onProblem: (error) => problems.push(String(error)),
    pause: async () => undefined,
  });
  return { events, requested, got, problems, loader };
}

describe('createRunLoader', () => {
  it('fetches every page up to the newest event of the run', async () => {
    const { events, got, loader } = ledger();
    events.push(...[1, 2, 3, 4, 5].map(chunk));
    loader.advance(5);
    await vi.waitFor(() => expect(got).toEqual([1, 2, 3, 4, 5]));
  });

  it('follows a live run without requesting any event twice', async () => {
    const { events, got, loader } = ledger();
    for (const seq of [1, 2, 3, 4, 5, 6]) {
      events.push(chunk(seq));
      loader.advance(seq);
      loader.advance(seq);
      await Promise.resolve();
    }
    await vi.waitFor(() => expect(got).toEqual([1, 2, 3, 4, 5, 6]));
  });

  it('stops requesting if the run has only other kinds of events', async () => {
    const { requested, loader } = ledger();
    loader.advance(3);
    await vi.waitFor(() => expect(requested).toEqual([0]));
    loader.advance(3);
    await Promise.resolve();
    expect(requested).toEqual([0]);
  });

  it('delivers nothing after it is stopped', async () => {
    const { events, got, loader } = ledger();
    events.push(chunk(1));
    loader.advance(1);
    loader.stop();
    await Promise.resolve();
    await Promise.resolve();
    expect(got).toEqual([]);
  });

  it('reports a failure and tries again when the run has new events', async () => {
    const { events, got, problems, loader } = ledger(1);
    events.push(chunk(1));
    loader.advance(1);
    await vi.waitFor(() => expect(problems).toEqual(['Error: dropped']));
    loader.advance(2);
    await vi.waitFor(() => expect(got).toEqual([1]));
  });
});
