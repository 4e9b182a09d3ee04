import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { RunLiveness } from '../../renderer/run/frame/run-liveness.tsx';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { runView } from '../fixtures/run-view.ts';
import { api } from './panel-fake-main.ts';

const startedAt = Date.now();
/** The run as it is now, and what tells who watches it something new. */
const now = { seq: 1, lastEventAt: 0, update: (_update: RunUpdate) => {} };

/** As main answers whoever watches: the run as it stands, then what is new. */
async function* updates(): AsyncGenerator<RunUpdate, void> {
  let next = nextUpdate();
  yield snapshot();
  while (true) {
    const update = await next;
    next = nextUpdate();
    yield update;
  }
}

function nextUpdate(): Promise<RunUpdate> {
  return new Promise((resolve) => {
    now.update = resolve;
  });
}

function view(seq: number) {
  return runView('completion', {
    seq,
    createdAt: startedAt,
    startedAt,
    state: { choices: [{ index: 0, text: 'Once', other: {}, finishReason: null }] },
  });
}

function snapshot(): RunUpdate {
  const { seq, lastEventAt } = now;
  return { type: 'snapshot', seq, view: view(seq), quietMs: Date.now() - lastEventAt };
}

/** Stands still but for what a test adds. */
let clock = 0;

beforeEach(() => {
  clock = startedAt;
  vi.spyOn(Date, 'now').mockImplementation(() => clock);
  useLinkState.setState('open', true);
  now.seq = 1;
  vi.spyOn(api.runs, 'watch').mockImplementation(async () => updates());
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('shows how long a run has been silent, also after a remount', async () => {
  now.lastEventAt = Date.now();
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming · [\d.]+ s · about 1 token$/)).toBeVisible();
  clock += 120_000;
  await expect.element(screen.getByText(/no data for 120 s$/)).toBeVisible();
  await screen.rerender(<p>Another panel</p>);
  await screen.rerender(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/no data for 120 s$/)).toBeVisible();
  await expect.poll(() => vi.mocked(api.runs.watch).mock.calls).toHaveLength(2);
  now.update({ type: 'update', from: 1, to: 2, patch: [] });
  await expect.element(screen.getByText(/^Streaming · 2 min 0 s · about 1 token$/)).toBeVisible();
});

it('shows how long a run was silent while it wasn’t shown', async () => {
  now.lastEventAt = Date.now();
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
  await screen.rerender(<p>Another panel</p>);
  now.seq = 9;
  now.lastEventAt = Date.now() - 90_000;
  await screen.rerender(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/no data for 90 s$/)).toBeVisible();
});

it('doesn’t claim to stream while the connection is lost', async () => {
  now.lastEventAt = Date.now();
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
  useLinkState.setState('lost', true);
  await expect.element(screen.getByText('Connection lost')).toBeVisible();
  await expect.element(screen.getByText(/^Streaming/)).not.toBeInTheDocument();
  useLinkState.setState('open', true);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
});
