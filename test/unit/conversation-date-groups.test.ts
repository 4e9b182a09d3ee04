import { expect, it } from 'vitest';
import { groupByDate } from '../../renderer/features/chat/conversations/date-groups.ts';
import type { ConversationSummary } from '../../shared/conversation.ts';

const now = new Date(2026, 10, 21, 9);

function conversation(title: string, date: Date): ConversationSummary {
  return {
    ...{ id: title, title, titled: false, createdAt: 0, updatedAt: date.getTime() },
    ...{ messageCount: 1, lastRunStatus: null, match: null },
    ...{ pinned: false, archived: false, folder: null },
  };
}

it('adds a heading before each span', () => {
  const conversations = [
    conversation('now', now),
    conversation('at midnight', new Date(2026, 10, 21)),
    conversation('late last night', new Date(2026, 10, 20, 23, 59)),
    conversation('a week ago', new Date(2026, 10, 14)),
    conversation('two weeks ago', new Date(2026, 10, 7)),
    conversation('in summer', new Date(2026, 6, 30)),
    conversation('in summer too', new Date(2026, 6, 1)),
    conversation('a year ago', new Date(2025, 10, 21)),
  ];
  const lines = groupByDate(conversations, now);
  expect(
    lines.map((line) => (line.kind === 'heading' ? `# ${line.title}` : line.conversation.title)),
  ).toEqual([
    ...['# Today', 'now', 'at midnight', '# Yesterday', 'late last night'],
    ...['# Previous 7 days', 'a week ago', '# Previous 30 days', 'two weeks ago'],
    ...['# July 2026', 'in summer', 'in summer too', '# November 2025', 'a year ago'],
  ]);
});

it('counts future times as today', () => {
  const lines = groupByDate(
    [conversation('tomorrow', new Date(2026, 10, 22)), conversation('now', now)],
    now,
  );
  expect(lines).toMatchObject([
    { kind: 'heading', title: 'Today' },
    { kind: 'conversation', index: 0 },
    { kind: 'conversation', index: 1 },
  ]);
});
