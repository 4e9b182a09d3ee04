import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { RunLiveness } from '../../renderer/run/frame/run-liveness.tsx';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { runView } from '../fixtures/run-view.ts';
import { api } from './panel-fake-main.ts';

const startedAt = Date.now();
/** The current state of the run. */
const run = { seq: 1, lastEventAt: 0, update: (_update: RunUpdate) => {} };
let now = startedAt;

/** Yields the current state to a watcher, then its updates. */
async function* watch(): AsyncGenerator<RunUpdate, void> {
  const { seq, lastEventAt } = run;
  const state = { choices: [{ index: 0, text: 'Once', other: {}, finishReason: null }] };
  const view = runView('completion', { seq, createdAt: startedAt, startedAt, state });
  yield { type: 'snapshot', seq, view, quietMs: now - lastEventAt };
  while (true) {
    yield await new Promise<RunUpdate>((resolve) => {
      run.update = resolve;
    });
  }
}

beforeEach(() => {
  now = startedAt;
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  vi.spyOn(api.runs, 'watch').mockImplementation(async () => watch());
  useLinkState.setState('open', true);
  Object.assign(run, { seq: 1, lastEventAt: now });
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('shows how long a run has been silent, including while it was hidden', async () => {
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming · [\d.]+ s · about 1 token$/)).toBeVisible();
  now += 120_000;
  await expect.element(screen.getByText(/no data for 120 s$/)).toBeVisible();
  await screen.rerender(<p>Another panel</p>);
  await screen.rerender(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/no data for 120 s$/)).toBeVisible();
  await expect.poll(() => vi.mocked(api.runs.watch).mock.calls).toHaveLength(2);
  run.update({ type: 'update', from: 1, to: 2, patch: [] });
  await expect.element(screen.getByText(/^Streaming · 2 min 0 s · about 1 token$/)).toBeVisible();
  await screen.rerender(<p>Another panel</p>);
  Object.assign(run, { seq: 9, lastEventAt: now - 90_000 });
  await screen.rerender(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/no data for 90 s$/)).toBeVisible();
});

it('doesn’t claim to be streaming while the connection is lost', async () => {
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
  useLinkState.setState('lost', true);
  await expect.element(screen.getByText('Connection lost')).toBeVisible();
  await expect.element(screen.getByText(/^Streaming/)).not.toBeInTheDocument();
  useLinkState.setState('open', true);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
});
