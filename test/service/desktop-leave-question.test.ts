import { expect, test } from 'vitest';
import type { ActiveWork } from '../../electron/desktop/active-work.ts';
import { initialPhase, type Phase } from '../../shared/run.ts';
import { freshElectron } from '../fixtures/electron/desktop-under-test.ts';

const task: Phase['task'] = { id: 'task', status: 'in_progress', word: null, progress: null };
const chat = { operation: 'chat', phase: initialPhase } as const;
const image = { operation: 'image', phase: initialPhase } as const;
/** Its task is not accepted yet. */
const submitting = { operation: 'video', phase: initialPhase } as const;
const followed = { operation: 'video', phase: { name: 'following', task } } as const;
const downloading = { operation: 'video', phase: { name: 'downloading', task } } as const;

const nothing: ActiveWork = { runs: [], waiting: 0, recordings: 0 };

async function ask(more: Partial<ActiveWork>, notifies = true) {
  const electron = await freshElectron();
  const { confirmQuit } = await import('../../electron/desktop/active-work.ts');
  electron.app.moduleSettled();
  await electron.app.whenReady();
  const window = new electron.BrowserWindow();
  type Window = Parameters<typeof confirmQuit>[0]['window'];
  const answer = confirmQuit({
    goingOn: { ...nothing, ...more },
    window: window as unknown as Window,
    notifies,
    onlyCloses: false,
  });
  const question = electron.dialog.questions.pop();
  question?.answer('Cancel');
  expect(await answer).toBe('stay');
  return question?.options.detail;
}

test.each<[string, Partial<ActiveWork>, string]>([
  ['one run', { runs: [chat] }, 'Quitting stops the chat and keeps any partial result.'],
  [
    'several runs',
    { runs: [chat, image, chat] },
    'Quitting stops the chats and image request and keeps any partial results.',
  ],
  [
    'a task that the gateway works on',
    { runs: [followed] },
    'The video task continues at the gateway; Gatehouse follows it again the next time it opens.',
  ],
  [
    'several tasks',
    { runs: [followed, followed] },
    'The video tasks continue at the gateway; Gatehouse follows them again the next time it opens.',
  ],
  ['a download', { runs: [downloading] }, 'The download resumes the next time Gatehouse opens.'],
  [
    'a task that is not accepted yet',
    { runs: [submitting] },
    'Quitting stops the video task and keeps any partial result.',
  ],
  [
    'a request that waits',
    { waiting: 1 },
    'The waiting request is not sent; you can send it from its comparison later.',
  ],
  [
    'all of them',
    { runs: [chat, followed, downloading, downloading], waiting: 3, recordings: 1 },
    [
      'Quitting stops the chat and keeps any partial result.',
      'The video task continues at the gateway; Gatehouse follows it again the next time it opens.',
      'The downloads resume the next time Gatehouse opens.',
      'The waiting requests are not sent; you can send them from their comparison later.',
      'The recording stops; what was recorded is kept.',
    ].join(' '),
  ],
])('says what quitting does to %s', async (_what, goingOn, words) => {
  const detail = await ask(goingOn);
  expect(detail?.replace(/^Gatehouse can finish .+? and notify you\. /, '')).toBe(words);
});

test.each<[boolean, string]>([
  [true, 'Gatehouse can finish the chats and waiting request in the background and notify you.'],
  [
    false,
    'Gatehouse can finish the chats and waiting request in the background, but may not be able to notify you.',
  ],
])(
  'offers the background, and where notifications are certain (%s) promises one',
  async (notifies, words) => {
    const detail = await ask({ runs: [chat, chat], waiting: 1 }, notifies);
    expect(detail?.startsWith(`${words} Quitting stops the chats`)).toBe(true);
  },
);
