import { beforeEach, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { announceChange } from '../../renderer/lib/change-listeners.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { useLiveRuns, watchRun } from '../../renderer/run/live/live-runs.ts';
import { appError } from '../../shared/errors.ts';
import { runView } from '../fixtures/run-view.ts';
import { api, refusal } from './panel-fake-main.ts';
import { resetPanels } from './panel-fixtures.tsx';

const notFound = appError('not-found', 'This run was deleted.', 'Choose another run.');

/** Returns how many runs each store update added, until `count` runs are shown. */
async function arrivals(count: number): Promise<number[]> {
  const steps: number[] = [];
  let known = 0;
  const ids = Array.from({ length: count }, (_, at) => `run-${count}-${at}`);
  const stopListening = useLiveRuns.subscribe(({ views }) => {
    const shown = ids.filter((id) => id in views).length;
    if (shown > known) steps.push(shown - known);
    known = shown;
  });
  const releases = ids.map(watchRun);
  await arriveWith(count);
  await expect.poll(() => known).toBe(count);
  stopListening();
  for (const release of releases) release();
  return steps;
}

/** Makes runs arrive at once, as soon as `count` of them are watched. */
let arriveWith: (count: number) => Promise<void>;

beforeEach(() => {
  resetPanels();
  useLinkState.setState('open', true);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  let watched = 0;
  vi.spyOn(api.runs, 'watch').mockImplementation(async ({ id }) =>
    (async function* () {
      watched += 1;
      await arrived;
      const view = runView('completion', { id, seq: 1, status: 'succeeded' });
      yield { type: 'snapshot' as const, seq: 1, view, quietMs: 0 };
    })(),
  );
  arriveWith = async (count) => {
    await expect.poll(() => watched).toBe(count);
    arrive();
  };
});

it('shows two of several simultaneous changes per frame', async () => {
  const steps = await arrivals(6);
  expect(Math.max(...steps)).toBe(2);
  expect(steps.length).toBeLessThan(5);
});

it('shows an eighth of a large number of changes per frame', async () => {
  const steps = await arrivals(160);
  expect(Math.max(...steps)).toBe(20);
  expect(steps.length).toBeLessThan(40);
});

it('shows waiting and later updates at once if the page is hidden', async () => {
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  const releases = ['seen-1', 'seen-2', 'seen-3'].map(watchRun);
  await arriveWith(3);
  await expect.poll(() => shownFirst('seen-', frames)).toBe(2);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  onTestFinished(() => {
    frames.mockRestore();
    hidden.mockRestore();
  });
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => shown('seen-')).toBe(3);
  releases.push(watchRun('behind'));
  await expect.poll(() => shown('behind')).toBe(1);
  for (const release of releases) release();
});

it('remembers that a run was deleted while its update waited for a frame', async () => {
  const frames = vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  onTestFinished(() => frames.mockRestore());
  const ids = ['ended-1', 'ended-2', 'ended-3'];
  const releases = ids.map(watchRun);
  await arriveWith(3);
  await expect.poll(() => shownFirst('ended-', frames)).toBe(2);
  vi.mocked(api.runs.watch).mockRejectedValue(refusal(notFound));
  for (const id of ids) announceChange({ topic: 'runs', id });
  const deleted = () => Object.keys(useLiveRuns.getState().problems);
  await expect.poll(deleted).toEqual(expect.arrayContaining(ids));
  frames.mock.lastCall?.[0](0);
  expect(deleted()).toEqual(expect.arrayContaining(ids));
  for (const release of releases) release();
});

/** Counts the runs in the first update, which waits for a frame if the page was busy before. */
function shownFirst(prefix: string, frames: MockInstance<typeof requestAnimationFrame>): number {
  if (shown(prefix) === 0) frames.mock.lastCall?.[0](0);
  return shown(prefix);
}

function shown(prefix: string): number {
  return Object.keys(useLiveRuns.getState().views).filter((id) => id.startsWith(prefix)).length;
}
