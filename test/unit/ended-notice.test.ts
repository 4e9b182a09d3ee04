import { expect, test } from 'vitest';
import { createEndedNotice } from '../../electron/desktop/notifications.ts';
import type { Notice } from '../../shared/contract/system.ts';

function start() {
  const said: (Notice | null)[] = [];
  const notice = createEndedNotice((next) => said.push(next));
  return { ...notice, said, words: () => said.map((one) => one?.message ?? null) };
}

test('counts what ended since the window was last in front, each time as a notice of its own', () => {
  const { add, left, said, seen, words } = start();
  add('demo-story finished');
  add('demo-fast failed');
  seen();
  add('demo-echo finished');
  expect(words()).toEqual([
    'demo-story finished.',
    '2 runs ended in the background. Latest: demo-fast failed.',
    'demo-echo finished.',
  ]);
  expect(new Set(said.map((one) => one?.id)).size).toBe(3);
  left();
  expect(words()).toHaveLength(3);
  seen();
  left();
  left();
  expect(words().slice(3)).toEqual([null]);
});
