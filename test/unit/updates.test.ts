import { describe, expect, test, vi } from 'vitest';
import { createChanges } from '../../electron/changes.ts';
import { createUpdates, type Updater } from '../../electron/updates.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { feedProblem } from '../../shared/update-feed.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

const DAY_MS = 86_400_000;

function start({ activeRuns = 0, recordings = 0, found = '2.0.0' as string | null } = {}) {
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
    unfinishedCount: () => activeRuns,
    recordingCount: () => recordings,
    timer,
    now: () => 7,
    log: () => undefined,
  });
  const becomes = (name: string) =>
    vi.waitFor(() => expect(updates.status().update.state).toBe(name));
  return { becomes, changes, timer, updater, updates };
}

test('checks soon after the start and then once a day, and downloads nothing by itself', async () => {
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

test('a downloaded version stays offered at the next check', async () => {
  const { becomes, timer, updater, updates } = start();
  updates.check();
  await becomes('available');
  updates.download();
  await becomes('downloaded');
  timer.advance(DAY_MS);
  expect(updater.check).toHaveBeenCalledTimes(1);
  expect(updates.status().update.state).toBe('downloaded');
});

test.each([
  ['breaks', 'failed', 2],
  ['ends', 'downloaded', 1],
])(
  'a download that is under way when a check is due and %s does not end the daily checks',
  async (how, state, checks) => {
    const { becomes, timer, updater, updates } = start();
    const download = Promise.withResolvers<void>();
    updater.download.mockReturnValue(download.promise);
    updates.check();
    await becomes('available');
    updates.download();
    timer.advance(DAY_MS);
    expect(updater.check).toHaveBeenCalledTimes(1);
    if (how === 'breaks') download.reject(new Error('ECONNRESET'));
    else download.resolve();
    await becomes(state);
    timer.advance(DAY_MS);
    expect(timer.waiting()).toBe(1);
    expect(updater.check).toHaveBeenCalledTimes(checks);
  },
);

test('is not installed while runs are active', async () => {
  const { becomes, updater, updates } = start({ activeRuns: 2 });
  updates.check();
  await becomes('available');
  updates.download();
  await becomes('downloaded');
  expect(() => updates.install()).toThrow('2 runs are still in progress.');
  expect(updates.status().update.state).toBe('downloaded');
  expect(updater.install).not.toHaveBeenCalled();
});

test('announces what changes, and takes steps in their order only', async () => {
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

test('stops with the services', () => {
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
  ])('takes %s', (url) => expect(feedProblem(url)).toBeNull());

  test.each([
    ['', 'Enter a URL'],
    ['updates.example.com', 'Enter a URL'],
    ['http://updates.example.com', 'Use https://'],
    ['http://127.0.0.1.example.com', 'Use https://'],
    ['file:///tmp', 'Enter a URL'],
    ['https:// example.com', 'Enter a URL'],
    ['https://me@example.com', 'Remove the user name'],
  ])('refuses %s', (url, problem) => expect(feedProblem(url)).toContain(problem));
});

test('installs nothing over a recording, which would end with its page', async () => {
  const { becomes, updater, updates } = start({ recordings: 1 });
  updates.check();
  await becomes('available');
  updates.download();
  await becomes('downloaded');
  expect(() => updates.install()).toThrow('A recording is in progress.');
  expect(updater.install).not.toHaveBeenCalled();
});
