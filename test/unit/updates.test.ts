import { describe, expect, test, vi } from 'vitest';
import { createChanges } from '../../electron/base/changes.ts';
import { createUpdates, type Updater } from '../../electron/updates.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { findFeedProblem } from '../../shared/update-feed.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

const DAY_MS = 86_400_000;

function start({
  activeRuns = 0,
  recordings = 0,
  downloads = 0,
  found = '2.0.0' as string | null,
} = {}) {
  const changes = createChanges();
  const timer = manualTimer();
  const updater = {
    check: vi.fn<Updater['check']>(async () => found),
    download: vi.fn<Updater['download']>(async () => undefined),
    install: vi.fn<Updater['install']>(() => new Promise(() => undefined)),
  };
  const updates = createUpdates({
    version: '1.0.0',
    updater,
    settings: { get: () => ({ ...defaultSettings, updateFeedUrl: 'https://example.com' }) },
    changes,
    countUnfinished: () => activeRuns,
    recordingCount: () => recordings,
    downloadCount: () => downloads,
    timer,
    now: () => 7,
    log: () => undefined,
  });
  const becomes = (name: string) =>
    vi.waitFor(() => expect(updates.status().update.state).toBe(name));
  const check = async () => {
    updates.check();
    await becomes('available');
  };
  const download = async () => {
    await check();
    updates.download();
    await becomes('downloaded');
  };
  return { becomes, changes, check, download, timer, updater, updates };
}

test('checks after the start and then daily, and downloads only on request', async () => {
  const { becomes, timer, updater } = start();
  timer.advance(14_999);
  expect(updater.check).not.toHaveBeenCalled();
  timer.advance(1);
  await becomes('available');
  timer.advance(DAY_MS);
  await becomes('available');
  expect(updater.check).toHaveBeenCalledTimes(2);
  expect(updater.download).not.toHaveBeenCalled();
});

test('keeps offering a downloaded version at the next check', async () => {
  const { download, timer, updater, updates } = start();
  await download();
  timer.advance(DAY_MS);
  expect(updater.check).toHaveBeenCalledTimes(1);
  expect(updates.status().update.state).toBe('downloaded');
});

test.each([
  ['fails', 'failed', 2],
  ['ends', 'downloaded', 1],
])(
  'keeps checking daily if a check comes due during a download that %s',
  async (how, state, checks) => {
    const { becomes, check, timer, updater, updates } = start();
    const download = Promise.withResolvers<void>();
    updater.download.mockReturnValue(download.promise);
    await check();
    updates.download();
    timer.advance(DAY_MS);
    expect(updater.check).toHaveBeenCalledTimes(1);
    if (how === 'fails') download.reject(new Error('ECONNRESET'));
    else download.resolve();
    await becomes(state);
    timer.advance(DAY_MS);
    expect(timer.waiting()).toBe(1);
    expect(updater.check).toHaveBeenCalledTimes(checks);
  },
);

test.each([
  ['runs', { activeRuns: 2 }, '2 runs are still in progress.'],
  // An update closes the page, which would end the recording.
  ['a recording', { recordings: 1 }, 'A recording is in progress.'],
])('installs nothing during %s', async (_what, busy, problem) => {
  const { download, updater, updates } = start(busy);
  await download();
  expect(() => updates.install()).toThrow(problem);
  expect(updates.status().update.state).toBe('downloaded');
  expect(updater.install).not.toHaveBeenCalled();
});

test('announces each change, and allows steps only in order', async () => {
  const { becomes, changes, updater, updates } = start({ found: null });
  const heard = vi.fn<(topic: string) => void>();
  changes.listen(({ topic }) => heard(topic));
  updates.install();
  updates.download();
  expect(updater.install).not.toHaveBeenCalled();
  expect(updater.download).not.toHaveBeenCalled();
  updates.check();
  updates.check();
  await becomes('current');
  expect(updater.check).toHaveBeenCalledTimes(1);
  expect(heard.mock.calls).toEqual([['updates'], ['updates']]);
});

test('stops checking when it is closed', () => {
  const { timer, updates } = start();
  updates.close();
  expect(timer.waiting()).toBe(0);
});

describe('feedProblem', () => {
  test.each([
    'https://updates.example.com/gatehouse',
    'http://localhost:8099/',
    'http://127.0.0.1/feed',
    'http://[::1]:80/',
  ])('accepts %s', (url) => expect(findFeedProblem(url)).toBeNull());

  test.each([
    ['', 'Enter a URL'],
    ['updates.example.com', 'Enter a URL'],
    ['http://updates.example.com', 'Use https://'],
    ['http://127.0.0.1.example.com', 'Use https://'],
    ['file:///tmp', 'Enter a URL'],
    ['https:// example.com', 'Enter a URL'],
    ['https://me@example.com', 'Remove the user name'],
  ])('refuses %s', (url, problem) => expect(findFeedProblem(url)).toContain(problem));
});
