import { ORPCError } from '@orpc/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { followRun, updateView } from '../../renderer/run/live/follow-run.ts';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import type { AppError } from '../../shared/errors.ts';
import type { RunStatus } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';

function view(seq: number, text: string, status: RunStatus = 'running'): RunView {
  return runView('transcription', { seq, status, state: { text } });
}

const snapshot = (view: RunView): RunUpdate => ({
  type: 'snapshot',
  seq: view.seq,
  view,
  quietMs: 4000,
});
const appended = (from: number, to: number, text: string): RunUpdate => ({
  type: 'update',
  from,
  to,
  patch: [{ op: 'append', path: ['state', 'text'], text }],
});

/** Each entry describes one watch: the updates it yields, and the error it then throws, if any. */
async function follow(script: { yields: RunUpdate[]; throws?: unknown }[]) {
  const requested: (number | null)[] = [];
  const problems: AppError[] = [];
  const quiet: number[] = [];
  let known: RunView | null = null;
  const stop = new AbortController();
  await followRun({
    watch: async (after) => {
      const part = script[requested.length];
      requested.push(after);
      if (part === undefined) throw new Error('watched more often than expected');
      return (async function* () {
        yield* part.yields;
        if (part.throws !== undefined) throw part.throws;
      })();
    },
    known: () => known,
    onView: (next, quietMs) => {
      known = next;
      quiet.push(quietMs);
    },
    onProblem: (problem) => problems.push(problem),
    signal: stop.signal,
  });
  return { requested, problems, quiet, last: known as RunView | null };
}

beforeEach(() => useLinkState.setState('open', true));

describe('following a run', () => {
  it('applies updates to the snapshot and ends with the run', async () => {
    const { requested, quiet, last } = await follow([
      {
        yields: [snapshot(view(1, 'a')), appended(1, 3, 'b'), snapshot(view(4, 'ab', 'succeeded'))],
      },
    ]);
    expect(requested).toEqual([null]);
    expect(quiet).toEqual([4000, 0, 4000]);
    expect(last).toMatchObject({ seq: 4, status: 'succeeded', state: { text: 'ab' } });
  });

  it('restarts from a snapshot if an update was lost', async () => {
    const { requested, last } = await follow([
      { yields: [snapshot(view(1, 'a')), appended(2, 3, 'c')] },
      { yields: [snapshot(view(3, 'abc', 'succeeded'))] },
    ]);
    expect(requested).toEqual([null, null]);
    expect(last?.state).toMatchObject({ text: 'abc' });
  });

  it('ignores an update that arrives twice', async () => {
    const { last } = await follow([
      { yields: [snapshot(view(1, 'a')), appended(1, 2, 'b'), appended(1, 2, 'b')] },
      { yields: [snapshot(view(2, 'ab', 'succeeded'))] },
    ]);
    expect(last?.state).toMatchObject({ text: 'ab' });
  });

  it('continues from the last number after a dropped connection', async () => {
    const { requested, last, problems } = await follow([
      { yields: [snapshot(view(5, 'a'))], throws: new Error('queue was closed') },
      { yields: [appended(5, 6, 'b'), snapshot(view(7, 'ab', 'failed'))] },
    ]);
    expect(requested).toEqual([null, 5]);
    expect(problems).toEqual([]);
    expect(last?.status).toBe('failed');
  });

  it('reports once that the main process doesn’t know a run', async () => {
    const { requested, problems } = await follow([
      { yields: [], throws: new ORPCError('INTERNAL_SERVER_ERROR') },
    ]);
    expect(requested).toHaveLength(1);
    expect(problems.map(({ kind }) => kind)).toEqual(['unexpected']);
  });
});

it('returns null if a patch doesn’t fit', () => {
  const patch = [{ op: 'append' as const, path: ['state', 'missing'], text: 'x' }];
  expect(updateView(view(1, 'a'), { type: 'update', from: 1, to: 2, patch })).toBeNull();
});
