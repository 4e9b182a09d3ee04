import { expect, it } from 'vitest';
import { describeDeletion, isStoppedByDeletion } from '../../renderer/run/live/deletion-text.ts';
import type { RunSummary } from '../../shared/run.ts';
import { medium } from '../fixtures/medium.ts';
import { runSummary } from '../fixtures/run-view.ts';

const task = { id: 't', status: 'queued', word: null, progress: null } as const;
const answer = runSummary({ operation: 'chat' });
const picture = runSummary({ operation: 'image' });
const ended = runSummary({ status: 'succeeded' });
const submitting = runSummary({ operation: 'video' });
const following = runSummary({ operation: 'video', phase: { name: 'following', task } });
const unfollowed = runSummary({ operation: 'video', phase: { name: 'unfollowed', task } });
const downloading = runSummary({ operation: 'video', phase: { name: 'downloading', task } });
const film = runSummary({ operation: 'video', status: 'succeeded', media: [medium({})] });
const filmless = runSummary({ operation: 'video', status: 'failed' });

const mayBill = 'The gateway may still finish and bill';
const tasks = `${mayBill} video tasks.`;
it.each<[string, RunSummary[], string, string]>([
  ['Run', [ended], 'Run deleted', ''],
  ['Message', [], 'Message deleted', ''],
  ['Message', [answer], 'Message deleted, answer stopped', ', answer stopped'],
  ['3 messages', [answer, answer], '3 messages deleted, answers stopped', ', answers stopped'],
  ['Run', [picture], 'Run deleted, request stopped', ', request stopped'],
  ['Run', [submitting], 'Run deleted, request stopped', ', request stopped'],
  ['Run', [following], `Run deleted. ${mayBill} it.`, `. ${tasks}`],
  ['2 runs', [ended, unfollowed], `2 runs deleted. ${mayBill} the video task.`, `. ${tasks}`],
  [
    '3 runs',
    [answer, following, unfollowed],
    `3 runs deleted, answer stopped. ${mayBill} the video tasks.`,
    `, answer stopped. ${tasks}`,
  ],
  ['Task', [downloading], 'Task deleted', ''],
  ['Task', [film], 'Task deleted. Its video stays in the library.', ''],
  ['Task', [filmless], 'Task deleted', ''],
  ['2 runs', [film, ended], '2 runs deleted', ''],
])('describes the deletion of %s with %#', (what, runs, message, note) => {
  expect(describeDeletion(what, runs)).toEqual({ message, note });
});

it('treats a run as stopped only if no later process can continue it', () => {
  expect([answer, submitting].map(isStoppedByDeletion)).toEqual([true, true]);
  const others = [ended, following, unfollowed, downloading];
  expect(others.map(isStoppedByDeletion)).toEqual([false, false, false, false]);
});
