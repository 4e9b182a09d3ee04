import { expect, test } from 'vitest';
import type { ActiveWork } from '../../electron/desktop/active-work.ts';
import { initialPhase, type Phase } from '../../shared/run.ts';
import { freshElectron } from '../fixtures/electron/desktop-under-test.ts';

const task: Phase['task'] = { id: 'task', status: 'in_progress', word: null, progress: null };
const chat = { operation: 'chat', phase: initialPhase } as const;
const image = { operation: 'image', phase: initialPhase } as const;
/** A video run whose task the gateway hasn't accepted yet. */
const submitting = { operation: 'video', phase: initialPhase } as const;
const followed = { operation: 'video', phase: { name: 'following', task } } as const;
const downloading = { operation: 'video', phase: { name: 'downloading', task } } as const;

const nothing: ActiveWork = { runs: [], waiting: 0, recordings: 0, downloads: 0 };

async function ask(more: Partial<ActiveWork>, notifies = true) {
  const electron = await freshElectron();
  const { confirmQuit } = await import('../../electron/desktop/active-work.ts');
  electron.app.moduleSettled();
  await electron.app.whenReady();
  const window = new electron.BrowserWindow();
  type Window = Parameters<typeof confirmQuit>[0]['window'];
  const answer = confirmQuit({
    activeWork: { ...nothing, ...more },
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
  ['a file', { downloads: 1 }, 'Quitting deletes the incomplete file.'],
  ['several files', { downloads: 2 }, 'Quitting deletes the incomplete files.'],
  ['one run', { runs: [chat] }, 'Quitting stops the chat and keeps any partial result.'],
  [
    'several runs',
    { runs: [chat, image, chat] },
    'Quitting stops the chats and image request and keeps any partial results.',
  ],
  [
    'a task that the gateway works on',
    { runs: [followed] },
    'The video task keeps running on the gateway; Gatehouse resumes following it when you reopen it.',
  ],
  [
    'several tasks',
    { runs: [followed, followed] },
    'The video tasks keep running on the gateway; Gatehouse resumes following them when you reopen it.',
  ],
  ['a download', { runs: [downloading] }, 'The download resumes when you reopen Gatehouse.'],
  [
    'a task that is not accepted yet',
    { runs: [submitting] },
    'Quitting stops the video task and keeps any partial result.',
  ],
  [
    'a request that waits',
    { waiting: 1 },
    'The waiting request won’t be sent. You can send it later from its comparison.',
  ],
  [
    'all of them',
    { runs: [chat, followed, downloading, downloading], waiting: 3, recordings: 1 },
    [
      'Quitting stops the chat and keeps any partial result.',
      'The video task keeps running on the gateway; Gatehouse resumes following it when you reopen it.',
      'The downloads resume when you reopen Gatehouse.',
      'The waiting requests won’t be sent. You can send them later from their comparisons.',
      'Recording stops. What you’ve recorded is kept.',
    ].join(' '),
  ],
])('explains what quitting does to %s', async (_what, activeWork, words) => {
  const detail = await ask(activeWork);
  expect(detail?.replace(/^Gatehouse can finish .+? and notify you\. /, '')).toBe(words);
});

test.each<[boolean, string]>([
  [true, 'Gatehouse can finish the chats and waiting request in the background and notify you.'],
  [
    false,
    'Gatehouse can finish the chats and waiting request in the background, but may not be able to notify you.',
  ],
])(
  'offers to finish in the background, and promises a notification only if it is certain (%s)',
  async (notifies, words) => {
    const detail = await ask({ runs: [chat, chat], waiting: 1 }, notifies);
    expect(detail?.startsWith(`${words} Quitting stops the chats`)).toBe(true);
  },
);
