import { describe, expect, it } from 'vitest';
import {
  addMessages,
  getNewestLeaf,
  getPath,
  getSiblings,
  getSubtree,
} from '../../renderer/features/chat/conversation/branch.ts';
import { type Conversation, defaultConversationOptions } from '../../shared/conversation.ts';
import { makeMessage } from '../component/chat-fake-state.ts';

/** Messages, oldest first: a question with two answers, the second of which has a follow-up. */
const tree = [
  { id: 'question', parentId: null },
  { id: 'first', parentId: 'question' },
  { id: 'second', parentId: 'question' },
  { id: 'follow-up', parentId: 'second' },
  { id: 'answer', parentId: 'follow-up' },
  { id: 'other root', parentId: null },
];

const ids = (messages: { id: string }[]) => messages.map(({ id }) => id);

describe('the tree of a conversation', () => {
  it('returns the branch from the root to the leaf', () => {
    expect(ids(getPath(tree, 'answer'))).toEqual(['question', 'second', 'follow-up', 'answer']);
    expect(ids(getPath(tree, 'first'))).toEqual(['question', 'first']);
  });

  it.each([null, 'gone'])('returns nothing for the leaf %j', (leaf) => {
    expect(getPath(tree, leaf)).toEqual([]);
  });

  it('stops at a cycle in a damaged tree', () => {
    const loop = ['a', 'b'].map((id) => ({ id, parentId: id === 'a' ? 'b' : 'a' }));
    expect(ids(getPath(loop, 'a'))).toEqual(['b', 'a']);
    expect(getNewestLeaf(loop, 'a')).toBe('a');
    expect(ids(getSubtree(loop, 'a'))).toEqual(['a', 'b']);
  });

  it('numbers siblings from the oldest, roots included', () => {
    const siblings = getSiblings(tree);
    expect(siblings.get('second')).toEqual({ ids: ['first', 'second'], position: 1 });
    expect(siblings.get('other root')).toEqual({ ids: ['question', 'other root'], position: 1 });
    expect(siblings.get('answer')?.ids).toHaveLength(1);
  });

  it('finds the newest leaf of a branch', () => {
    expect(getNewestLeaf(tree, 'question')).toBe('answer');
    expect(getNewestLeaf(tree, 'first')).toBe('first');
  });

  it('returns a message with its descendants', () => {
    const all = ['question', 'first', 'second', 'follow-up', 'answer'];
    expect(ids(getSubtree(tree, 'question'))).toEqual(all);
    expect(ids(getSubtree(tree, 'first'))).toEqual(['first']);
  });
});

describe('messages that were just added', () => {
  const before: Conversation = {
    id: 'c',
    title: 'New',
    titled: false,
    createdAt: 0,
    updatedAt: 0,
    match: null,
    pinned: false,
    archived: false,
    folder: null,
    lastRunStatus: null,
    messageCount: 1,
    systemMessage: 'Be brief',
    activeLeafId: 'a',
    options: defaultConversationOptions,
    complete: true,
    revision: 'epoch:0',
    turns: [],
    messages: [makeMessage({ id: 'a', parentId: null })],
  };
  const added = {
    conversation: { ...before, title: 'Question', messageCount: 3 },
    messages: [makeMessage({ id: 'b', parentId: 'a' }), makeMessage({ id: 'c', parentId: 'b' })],
    activeLeafId: 'c',
  };
  it('appends them to the shown branch', () => {
    const after = addMessages(before, added);
    expect(after).toMatchObject({ title: 'Question', systemMessage: 'Be brief', messageCount: 3 });
    expect(ids(getPath(after.messages, after.activeLeafId))).toEqual(['a', 'b', 'c']);
  });

  it('ignores messages that were already fetched', () => {
    const fetched = { ...addMessages(before, added), activeLeafId: 'a', title: 'Renamed' };
    expect(addMessages(fetched, added)).toBe(fetched);
  });
});
