import type { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { appError } from '../../shared/errors.ts';
import type { RunStatus } from '../../shared/run.ts';
import { freshElectron } from '../fixtures/electron/desktop-under-test.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { testRun } from '../fixtures/test-run.ts';

type Where = { platform: NodeJS.Platform; packaged: boolean };

async function notifier(inFront = false, where: Where = { platform: 'linux', packaged: false }) {
  const { Notification } = await freshElectron();
  // The tests decide what the system reports.
  Notification.outcome = null;
  const { createRunNotifier } = await import('../../electron/desktop/notifications.ts');
  const log: string[] = [];
  const onClick = vi.fn();
  const unshown: string[] = [];
  const onSettled = vi.fn<() => void>();
  const ended = new Set<string>();
  const timer = manualTimer();
  const made = createRunNotifier({
    ...where,
    findEnded: (id) => (ended.has(id) ? { kind: 'Check', title: 'Two voices' } : null),
    inFront: () => inFront,
    onClick,
    onUnshown: (title) => unshown.push(title),
    onSettled,
    timer,
    log: (line) => log.push(line),
  });
  return { Notification, ...made, log, onClick, unshown, onSettled, timer, ended };
}

test.each<[RunStatus, string | undefined]>([
  ['queued', undefined],
  ['running', undefined],
  ['cancelled', undefined],
  ['interrupted', undefined],
  ['succeeded', 'demo-story finished'],
  ['failed', 'demo-story failed'],
  ['unknown', 'demo-story got no response'],
])('announces a run that is %s as: %s', async (status, title) => {
  const { Notification, notify } = await notifier();
  notify(testRun({ id: 'run', status }));
  expect(Notification.shown.at(0)?.options.title).toBe(title);
});

test('explains what went wrong', async () => {
  const { Notification, notify } = await notifier();
  const error = appError('timeout', 'Nothing came for a minute.', 'Retry.');
  notify(testRun({ id: 'run', status: 'failed', error }));
  expect(Notification.shown[0]?.options.body).toBe('Nothing came for a minute.');
});

test('reports that a run without an error returned nothing', async () => {
  const { Notification, notify } = await notifier();
  const figures = { model: null, usage: null, finishReasons: [], noResult: 'The model refused.' };
  notify(testRun({ id: 'run', status: 'succeeded', figures }));
  expect(Notification.shown[0]?.options).toMatchObject({
    title: 'demo-story returned no result',
    body: 'The model refused.',
  });
});

test('announces a comparison or check once, when its last run ends, without naming a model', async () => {
  const { Notification, notify, ended } = await notifier();
  notify(testRun({ id: 'one', status: 'succeeded', comparisonId: 'voices', cell: 0 }));
  notify(testRun({ id: 'two', status: 'failed', comparisonId: 'voices', cell: 1 }));
  expect(Notification.shown).toEqual([]);
  ended.add('voices');
  notify(testRun({ id: 'three', status: 'succeeded', comparisonId: 'voices', cell: 2 }));
  expect(Notification.shown.map(({ options }) => options)).toMatchObject([
    { title: 'Check finished', body: 'Two voices' },
  ]);
});

test('stays silent while the window is focused or if the system has no notifications', async () => {
  const inFront = await notifier(true);
  inFront.notify(testRun({ id: 'run', status: 'succeeded' }));
  expect(inFront.Notification.shown).toEqual([]);
  expect(inFront.unshown).toEqual([]);
  const without = await notifier();
  without.Notification.supported = false;
  without.notify(testRun({ id: 'run', status: 'succeeded' }));
  expect(without.Notification.shown).toEqual([]);
  expect(without.unshown).toEqual(['demo-story finished']);
});

test('logs a notification that macOS denies to an unsigned application', async () => {
  const { Notification, notify, log, onClick } = await notifier();
  notify(testRun({ id: 'run', status: 'succeeded' }));
  Notification.shown[0]?.emit('failed', {}, 'not signed');
  expect(log).toEqual(['no notification: not signed']);
  expect(onClick).not.toHaveBeenCalled();
});

test.each<[string, Where, (notification: EventEmitter) => void, boolean]>([
  ['shown', { platform: 'linux', packaged: false }, (one) => one.emit('show'), true],
  ['shown', { platform: 'win32', packaged: true }, (one) => one.emit('show'), true],
  ['shown', { platform: 'darwin', packaged: true }, (one) => one.emit('show'), true],
  // Without a shortcut, Windows reports success but shows nothing.
  ['shown', { platform: 'win32', packaged: false }, (one) => one.emit('show'), false],
  ['refused', { platform: 'linux', packaged: true }, (one) => one.emit('failed', {}, 'no'), false],
  ['refused', { platform: 'darwin', packaged: true }, (one) => one.emit('failed', {}, 'no'), false],
  ['refused', { platform: 'win32', packaged: true }, (one) => one.emit('failed', {}, 'no'), false],
])(
  'settles a notification only once when it is reported as %s on %o',
  async (_how, where, say, isShown) => {
    const { Notification, notify, isPending, onSettled, timer, unshown } = await notifier(
      false,
      where,
    );
    notify(testRun({ id: 'run', status: 'succeeded' }));
    expect(isPending()).toBe(true);
    const [notification] = Notification.shown;
    if (notification) say(notification);
    expect(isPending()).toBe(false);
    expect(onSettled).toHaveBeenCalledTimes(1);
    timer.advance(60_000);
    expect(onSettled).toHaveBeenCalledTimes(1);
    expect(unshown).toEqual(isShown ? [] : ['demo-story finished']);
  },
);

test('treats a notification without a system event as not shown', async () => {
  const { notify, isPending, onSettled, timer, unshown } = await notifier();
  notify(testRun({ id: 'run', status: 'failed' }));
  timer.advance(4_999);
  expect([isPending(), unshown]).toEqual([true, []]);
  timer.advance(1);
  expect([isPending(), unshown]).toEqual([false, ['demo-story failed']]);
  expect(onSettled).toHaveBeenCalledTimes(1);
});

test.each<[NodeJS.Platform, boolean, boolean]>([
  ['linux', false, true],
  // The installer's shortcut is missing.
  ['win32', false, false],
  ['win32', true, true],
  // The application may not be signed.
  ['darwin', true, false],
])('promises a notification on %s, packaged %s: %s', async (platform, packaged, certain) => {
  const { Notification, isCertain } = await notifier(false, { platform, packaged });
  expect(isCertain()).toBe(certain);
  Notification.supported = false;
  expect(isCertain()).toBe(false);
});

test('promises notifications on macOS only after one was shown', async () => {
  const { Notification, notify, isCertain } = await notifier(false, {
    platform: 'darwin',
    packaged: true,
  });
  notify(testRun({ id: 'one', status: 'succeeded' }));
  Notification.shown[0]?.emit('show');
  expect(isCertain()).toBe(true);
  notify(testRun({ id: 'two', status: 'succeeded' }));
  Notification.shown[1]?.emit('failed', {}, 'not allowed');
  expect(isCertain()).toBe(false);
});
