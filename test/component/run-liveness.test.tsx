import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { RunLiveness } from '../../renderer/run/frame/run-liveness.tsx';
import { runView } from '../fixtures/run-view.ts';

interface Main {
  watches: number;
  /** Of the run as it is now. */
  seq: number;
  lastEventAt: number;
  update: (update: unknown) => void;
}

const main = vi.hoisted(
  (): Main => ({ watches: 0, seq: 1, lastEventAt: 0, update: () => undefined }),
);
const startedAt = Date.now();

vi.mock('../../renderer/lib/api.ts', async () => {
  const { createTanstackQueryUtils } = await import('@orpc/tanstack-query');
  /** As main answers whoever watches: the run as it stands, then what is new. */
  async function* updates() {
    let next = new Promise<unknown>((resolve) => {
      main.update = resolve;
    });
    main.watches += 1;
    yield snapshot();
    while (true) {
      const update = await next;
      next = new Promise((resolve) => {
        main.update = resolve;
      });
      yield update;
    }
  }
  const api = { runs: { watch: async () => updates() } };
  return { api, orpc: createTanstackQueryUtils(api) };
});

function view(seq: number) {
  return runView('completion', {
    seq,
    createdAt: startedAt,
    startedAt,
    state: { choices: [{ index: 0, text: 'Once', finishReason: null }] },
  });
}

function snapshot() {
  const { seq, lastEventAt } = main;
  return { type: 'snapshot', seq, view: view(seq), quietMs: Date.now() - lastEventAt };
}

beforeEach(() => {
  useLinkState.setState('open', true);
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('a run that is silent says for how long, also when it is drawn again', async () => {
  const now = Date.now;
  let later = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + later);
  main.lastEventAt = Date.now();
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming · [\d.]+ s$/)).toBeVisible();
  later = 120_000;
  await expect.element(screen.getByText(/no data for 12\d s$/)).toBeVisible();
  await screen.rerender(<p>Another panel</p>);
  await screen.rerender(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/no data for 12\d s$/)).toBeVisible();
  await expect.poll(() => main.watches).toBe(2);
  main.update({ type: 'update', from: 1, to: 2, patch: [] });
  await expect.element(screen.getByText(/^Streaming · 2 min \d+ s$/)).toBeVisible();
});

it('a run that became silent while nobody looked says since when', async () => {
  main.lastEventAt = Date.now();
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
  await screen.rerender(<p>Another panel</p>);
  main.seq = 9;
  main.lastEventAt = Date.now() - 90_000;
  await screen.rerender(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/no data for 9\d s$/)).toBeVisible();
});

it('a run of which nothing is heard any more does not claim to stream', async () => {
  main.lastEventAt = Date.now();
  const screen = await render(<RunLiveness runId="run-1" />);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
  useLinkState.setState('lost', true);
  await expect.element(screen.getByText('Connection lost')).toBeVisible();
  await expect.element(screen.getByText(/^Streaming/)).not.toBeInTheDocument();
  useLinkState.setState('open', true);
  await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
});
