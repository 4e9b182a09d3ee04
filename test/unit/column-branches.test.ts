import { expect, it } from 'vitest';
import {
  countSharedMessages,
  getColumnBranches,
} from '../../renderer/features/chat/columns/column-branches.ts';
import type { Cell } from '../../shared/comparison.ts';
import { makeMessage, makeRun } from '../component/chat-fake-state.ts';

const question = (id: string, parentId: string | null) => makeMessage({ id, parentId });

/** Makes a cell's answer from a run created at `createdAt`. */
function answer(id: string, parentId: string, place: number, createdAt: number) {
  const run = makeRun({ id: `run-${id}`, comparisonId: 'c', cell: place, createdAt });
  return makeMessage({ id, parentId, role: 'assistant', run, choiceIndex: 0 });
}

function cell(place: number, variantId: string, messageId: string, run: Cell['run'] = null): Cell {
  return {
    place,
    variantId,
    messageId,
    run,
    state: run === null ? 'waiting' : 'sent',
    rowId: 'row',
    repeat: 0,
    attempts: 1,
    problem: null,
  };
}

const before = question('q0', null);
const hello = question('q1', 'q0');
const a1 = answer('a1', 'q1', 0, 1);
const b1 = answer('b1', 'q1', 1, 1);
const [a2, b2] = [question('qa2', 'a1'), question('qb2', 'b1')];
const reply = answer('ra2', 'qa2', 2, 2);

const ids = (branches: ReturnType<typeof getColumnBranches>, id: string) =>
  branches.get(id)?.path.map((message) => message.id);

it('continues each column with its own answers', () => {
  const cells = [
    cell(0, 'a', 'q1', a1.run),
    cell(1, 'b', 'q1', b1.run),
    cell(2, 'a', 'qa2', reply.run),
    cell(3, 'b', 'qb2'),
  ];
  const branches = getColumnBranches(cells, [before, hello, a1, b1, a2, b2, reply], {});
  expect(ids(branches, 'a')).toEqual(['q0', 'q1', 'a1', 'qa2', 'ra2']);
  expect(ids(branches, 'b')).toEqual(['q0', 'q1', 'b1', 'qb2']);
  const paths = [...branches.values()].map(({ path }) => path);
  expect(countSharedMessages(paths, 'q1')).toBe(1);
});

it('separates a column that started below another column’s answer', () => {
  const later = answer('ra2', 'qa2', 1, 2);
  const cells = [cell(0, 'a', 'q1', a1.run), cell(1, 'c', 'qa2', later.run)];
  const branches = getColumnBranches(cells, [before, hello, a1, a2, later], {});
  expect(ids(branches, 'a')).toEqual(['q0', 'q1', 'a1']);
  expect(ids(branches, 'c')).toEqual(['q0', 'q1', 'a1', 'qa2', 'ra2']);
});

it('ends a column at a retried answer and includes later messages', () => {
  const retried = answer('a3', 'q1', 0, 9);
  const cells = [cell(0, 'a', 'q1', retried.run), cell(1, 'a', 'qa2', reply.run)];
  const alone = question('alone', 'a3');
  const messages = [before, hello, a1, a2, reply, retried, alone];
  expect(ids(getColumnBranches(cells, messages, {}), 'a')).toEqual(['q0', 'q1', 'a3', 'alone']);
});

it('ends a column without an answer at its message', () => {
  const branches = getColumnBranches([cell(0, 'a', 'q1')], [before, hello, a1], {});
  expect(ids(branches, 'a')).toEqual(['q0', 'q1']);
});

it('continues with the picked choice, or with the first', () => {
  const second = { ...a1, id: 'a1-2', choiceIndex: 1 };
  const messages = [before, hello, a1, second, b1];
  const cells = [cell(0, 'a', 'q1', a1.run), cell(1, 'b', 'q1', b1.run)];
  expect(ids(getColumnBranches(cells, messages, {}), 'a')).toEqual(['q0', 'q1', 'a1']);
  const picked = getColumnBranches(cells, messages, { 0: 'a1-2', 1: 'a1' });
  expect(ids(picked, 'a')).toEqual(['q0', 'q1', 'a1-2']);
  expect(picked.get('a')?.choices.map(({ id }) => id)).toEqual(['a1', 'a1-2']);
  // The pick was for an earlier run, so it no longer counts.
  expect(ids(picked, 'b')).toEqual(['q0', 'q1', 'b1']);
  expect(picked.get('b')?.choices).toEqual([]);

  const later = question('later', 'a1-2');
  const followed = getColumnBranches(cells, [...messages, later], { 0: 'a1-2' });
  expect(ids(followed, 'a')).toEqual(['q0', 'q1', 'a1-2', 'later']);
  expect(followed.get('a')?.choices).toEqual([]);
});
