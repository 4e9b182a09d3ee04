import { ORPCError } from '@orpc/client';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { announceChange } from '../../renderer/lib/change-listeners.ts';
import { useLiveRuns, watchRun } from '../../renderer/run/live/live-runs.ts';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { appError } from '../../shared/errors.ts';
import { diff } from '../../shared/patch.ts';
import type { RunStatus } from '../../shared/run.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';

const main = vi.hoisted(() => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', { hidden: true, addEventListener: () => undefined });
  return {
    watched: [] as { id: string; after: number | null }[],
    isDeleted: false,
    isEnded: false,
    /** The file name of the media item. */
    name: 'boat.png',
    /** Ends the run that is being watched. */
    end: (): void => undefined,
  };
});
vi.mock('../../renderer/lib/link-state.ts', () => ({ waitForLink: async () => undefined }));
vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    runs: {
      async watch(input: { id: string; after: number | null }) {
        main.watched.push(input);
        if (main.isDeleted) throw new ORPCError('APP_ERROR', { defined: true, data: gone });
        return updates(input);
      },
    },
  },
}));

const gone = appError('not-found', 'This run was deleted.', '', {});

const viewOf = (id: string, seq: number, status: RunStatus, name = 'boat.png') =>
  runView('completion', {
    id,
    seq,
    status,
    createdAt: 0,
    startedAt: 0,
    media: [medium({ id: 'picture', name })],
  });

async function* updates({ id, after }: { id: string; after: number | null }) {
  if (main.isEnded) {
    const view = viewOf(id, 2, 'succeeded', main.name);
    yield { type: 'snapshot', seq: 2, view, quietMs: 0 } satisfies RunUpdate;
    return;
  }
  const ended = new Promise<void>((resolve) => {
    main.end = () => {
      main.isEnded = true;
      resolve();
    };
  });
  const [running, succeeded] = [viewOf(id, 1, 'running'), viewOf(id, 2, 'succeeded')];
  if (after !== 1)
    yield { type: 'snapshot', seq: 1, view: running, quietMs: 0 } satisfies RunUpdate;
  await ended;
  const update: RunUpdate = { type: 'update', from: 1, to: 2, patch: diff(running, succeeded) };
  yield update;
}

const problems = () => Object.keys(useLiveRuns.getState().problems);
const statusOf = (id: string) => useLiveRuns.getState().views[id]?.status;

beforeEach(() => {
  Object.assign(main, { watched: [], isDeleted: false, isEnded: false, name: 'boat.png' });
  useLiveRuns.setState({ views: {}, problems: {}, dataAt: {} });
});

it.each([
  ['stands where it was when it was deleted', viewOf('one', 1, 'running')],
  ['was never shown', null],
])('follows a restored, watched run to its end if it %s', async (_, view) => {
  if (view !== null) useLiveRuns.setState({ views: { one: view } });
  main.isDeleted = true;
  onTestFinished(watchRun('one'));
  await vi.waitFor(() => expect(problems()).toEqual(['one']));
  main.isDeleted = false;
  announceChange({ topic: 'runs', id: 'one' });
  await vi.waitFor(() => expect(problems()).toEqual([]));
  expect(statusOf('one')).toBe('running');
  onTestFinished(watchRun('one'));
  main.end();
  await vi.waitFor(() => expect(statusOf('one')).toBe('succeeded'));
  expect(main.watched.map(({ id }) => id)).toEqual(['one', 'one']);
});

it('shows a restored run again even if nothing watches it', async () => {
  useLiveRuns.setState({ problems: { one: gone, other: gone } });
  announceChange({ topic: 'media', id: 'one' });
  announceChange({ topic: 'runs', id: 'one' });
  await vi.waitFor(() => expect(statusOf('one')).toBe('running'));
  expect(problems()).toEqual(['other']);
  expect(main.watched.map(({ id }) => id)).toEqual(['one']);
});

const nameOf = (id: string) => useLiveRuns.getState().views[id]?.media[0]?.name;

it('shows the new name of a file that was renamed during its run', async () => {
  onTestFinished(watchRun('one'));
  await vi.waitFor(() => expect(statusOf('one')).toBe('running'));
  main.name = 'heron.png';
  announceChange({ topic: 'media', id: 'other' });
  announceChange({ topic: 'media', id: 'picture' });
  main.end();
  await vi.waitFor(() => expect(nameOf('one')).toBe('heron.png'));
  expect(statusOf('one')).toBe('succeeded');
  expect(main.watched).toHaveLength(2);
});

it('refetches watched runs when cost estimates change', async () => {
  main.isEnded = true;
  const [one, other] = [viewOf('one', 2, 'succeeded'), viewOf('other', 2, 'succeeded')];
  useLiveRuns.setState({ views: { one, other } });
  onTestFinished(watchRun('one'));
  await vi.waitFor(() => expect(main.watched).toHaveLength(1));
  announceChange({ topic: 'runs', id: null });
  await vi.waitFor(() => expect(main.watched.at(-1)).toEqual({ id: 'one', after: null }));
  expect(Object.keys(useLiveRuns.getState().views)).toEqual(['one']);
});

it('refetches only watched runs after reconnecting', async () => {
  Object.assign(main, { isEnded: true, name: 'heron.png' });
  const view = viewOf('unwatched', 2, 'succeeded');
  useLiveRuns.setState({ views: { unwatched: view }, problems: { deleted: gone } });
  onTestFinished(watchRun('one'));
  await vi.waitFor(() => expect(nameOf('one')).toBe('heron.png'));
  main.watched = [];
  announceChange(null);
  await vi.waitFor(() => expect(main.watched.map(({ id }) => id)).toEqual(['one']));
  expect(Object.keys(useLiveRuns.getState().views)).toEqual(['one']);
  expect(problems()).toEqual([]);
});
