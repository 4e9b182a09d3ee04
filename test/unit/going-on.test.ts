import { expect, test } from 'vitest';
import { describeActiveWork } from '../../electron/desktop/active-work.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { initialPhase } from '../../shared/run.ts';

test.each<[OperationName[], number, string, number?]>([
  [['chat'], 0, '1 chat is in progress.'],
  [[], 1, 'A recording is in progress.'],
  [['video', 'video'], 0, '2 video tasks are in progress.'],
  [['chat', 'video', 'chat'], 1, '2 chats, 1 video task, and a recording are in progress.'],
  [['console', 'image'], 0, '1 console request and 1 image request are in progress.'],
  [['chat'], 0, '1 chat is in progress. 5 requests are waiting.', 5],
  [[], 0, '1 request is waiting.', 1],
])('%s and %d recordings: %s', (operations, recordings, words, waiting = 0) => {
  const runs = operations.map((operation) => ({ operation, phase: initialPhase }));
  expect(describeActiveWork({ runs, waiting, recordings })).toBe(words);
});
