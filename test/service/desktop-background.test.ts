import { expect, test } from 'vitest';
import { describeActiveWork } from '../../electron/desktop/active-work.ts';
import { createKeepAwake } from '../../electron/desktop/activity.ts';
import { createEndedNotice } from '../../electron/desktop/notifications.ts';
import type { Notice } from '../../shared/contract/system.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { initialPhase, type Phase } from '../../shared/run.ts';
import { createPowerSaveBlocker } from '../fixtures/electron/tray.ts';

function start() {
  const shown: (Notice | null)[] = [];
  const notice = createEndedNotice((next) => shown.push(next));
  return { ...notice, shown, messages: () => shown.map((one) => one?.message ?? null) };
}

test('counts the runs that ended since the window was last focused', () => {
  const { add, left, shown, markSeen, messages } = start();
  add('demo-story finished');
  add('demo-fast failed');
  markSeen();
  add('demo-echo finished');
  expect(messages()).toEqual([
    'demo-story finished.',
    '2 runs finished in the background. Latest: demo-fast failed.',
    'demo-echo finished.',
  ]);
  expect(new Set(shown.map((one) => one?.id)).size).toBe(3);
  left();
  expect(messages()).toHaveLength(3);
  markSeen();
  left();
  left();
  expect(messages().slice(3)).toEqual([null]);
});

test.each<[Phase['name'], boolean]>([
  ['working', true],
  ['downloading', true],
  ['following', false],
])('keeps the system awake for a %s run: %s', (name, holds) => {
  const blocker = createPowerSaveBlocker();
  const update = createKeepAwake(blocker);
  const idle = { downloads: 0, mayNap: false };
  update({ phases: [name], ...idle });
  update({ phases: [name, name], ...idle });
  expect([...blocker.blocking.values()]).toEqual(holds ? ['prevent-app-suspension'] : []);
  update({ phases: [name], ...idle });
  expect(blocker.blocking.size).toBe(holds ? 1 : 0);
  update({ phases: [], ...idle });
  update({ phases: [], ...idle });
  expect(blocker.blocking.size).toBe(0);
});

test.each<[OperationName[], number, string, number?]>([
  [['chat'], 0, '1 chat is in progress.'],
  [[], 1, 'A recording is in progress.'],
  [['video', 'video'], 0, '2 video tasks are in progress.'],
  [['chat', 'video', 'chat'], 1, '2 chats, 1 video task, and a recording are in progress.'],
  [['console', 'image'], 0, '1 console request and 1 image request are in progress.'],
  [['chat'], 0, '1 chat is in progress. 5 requests are waiting.', 5],
  [[], 0, '1 request is waiting.', 1],
])('describes %s and %d recordings as: %s', (operations, recordings, words, waiting = 0) => {
  const runs = operations.map((operation) => ({ operation, phase: initialPhase }));
  expect(describeActiveWork({ runs, waiting, recordings, downloads: 0 })).toBe(words);
});

test.each([
  [1, '1 download is in progress.'],
  [2, '2 downloads are in progress.'],
])('describes %d files that are being saved as: %s', (downloads, words) => {
  expect(describeActiveWork({ runs: [], waiting: 0, recordings: 0, downloads })).toBe(words);
});

test.each([
  ['a file is being saved', { phases: [], downloads: 1, mayNap: false }],
  ['macOS may delay polls', { phases: ['following' as const], downloads: 0, mayNap: true }],
])('keeps the system awake while %s', (_name, work) => {
  const blocker = createPowerSaveBlocker();
  const update = createKeepAwake(blocker);
  update(work);
  expect(blocker.blocking.size).toBe(1);
  update({ ...work, phases: [], downloads: 0 });
  expect(blocker.blocking.size).toBe(0);
});
