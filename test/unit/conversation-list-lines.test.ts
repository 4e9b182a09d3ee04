import { expect, it } from 'vitest';
import {
  getListLines,
  groupByDate,
  type ListLine,
} from '../../renderer/features/chat/list/list-lines.ts';
import type { ConversationSummary } from '../../shared/conversation.ts';

const now = new Date(2026, 10, 21, 9);

function conversation(title: string, date: Date): ConversationSummary {
  return {
    id: title,
    title,
    titled: false,
    createdAt: 0,
    updatedAt: date.getTime(),
    messageCount: 1,
    lastRunStatus: null,
    match: null,
    pinned: false,
    archived: false,
    folder: null,
  };
}

function describe(lines: readonly ListLine[]): string[] {
  return lines.map((line) => {
    if (line.kind === 'heading') return `# ${line.title}`;
    if (line.kind === 'conversation') return line.conversation.title;
    return `${line.open ? '-' : '+'} ${line.title} ${line.count}`;
  });
}

it('adds a heading before each date range', () => {
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
  expect(describe(lines)).toEqual([
    ...['# Today', 'now', 'at midnight', '# Yesterday', 'late last night'],
    ...['# Previous 7 days', 'a week ago', '# Previous 30 days', 'two weeks ago'],
    ...['# July 2026', 'in summer', 'in summer too', '# November 2025', 'a year ago'],
  ]);
});

it('groups future times under today', () => {
  const lines = groupByDate(
    [conversation('tomorrow', new Date(2026, 10, 22)), conversation('now', now)],
    now,
  );
  expect(lines).toMatchObject([
    { kind: 'heading', title: 'Today' },
    { kind: 'conversation', conversation: { title: 'tomorrow' } },
    { kind: 'conversation', conversation: { title: 'now' } },
  ]);
});

it('lists pinned conversations, then folders by name, the rest by date, and the archive', () => {
  const listed = {
    conversations: [
      { ...conversation('pinned in a folder', now), pinned: true, folder: 'Work 2' },
      { ...conversation('in ten', now), folder: 'Work 10' },
      { ...conversation('in two', now), folder: 'Work 2' },
      conversation('loose', now),
    ],
    archived: [{ ...conversation('old', now), archived: true }],
    closedFolders: ['Work 10'],
    archivedOpen: false,
    now,
  };
  expect(describe(getListLines(listed))).toEqual([
    ...['# Pinned', 'pinned in a folder', '- Work 2 1', 'in two', '+ Work 10 1'],
    ...['# Today', 'loose', '+ Archived 0'],
  ]);
  expect(describe(getListLines({ ...listed, archivedOpen: true })).slice(-2)).toEqual([
    ...['- Archived 1', 'old'],
  ]);
  expect(describe(getListLines({ ...listed, conversations: [], archived: [] }))).toEqual([]);
});
