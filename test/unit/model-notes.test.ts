import { expect, it } from 'vitest';
import { getModelNotes } from '../../renderer/features/chat/conversation/model-notes.ts';
import { makeMessage, makeRun } from '../component/chat-fake-state.ts';

function answer(id: string, parentId: string, model: string, connectionId = 'demo') {
  const run = makeRun({ id: `run-${id}`, model, connectionId, connectionName: connectionId });
  return makeMessage({ id, parentId, role: 'assistant', run });
}
const question = (id: string, parentId: string | null) => makeMessage({ id, parentId });

it('notes a change of model', () => {
  const models = ['story', 'story', 'think', 'think'];
  const path = models.flatMap((model, at) => {
    const question = makeMessage({ id: `q${at}`, parentId: at === 0 ? null : `a${at - 1}` });
    return [question, answer(`a${at}`, `q${at}`, model, at === 3 ? 'Staging' : 'demo')];
  });
  const notes = { a2: 'Switched to think', a3: 'Switched to think on Staging' };
  expect(Object.fromEntries(getModelNotes(path, path))).toEqual(notes);
});

it('notes the model of each version if the models differ', () => {
  const prompt = question('q1', null);
  const first = answer('a1', 'q1', 'story');
  const retry = answer('a2', 'q1', 'think');
  const messages = [prompt, first, retry];
  expect(getModelNotes(messages, [prompt, retry]).get('a2')).toBe('Retried with think');
  expect(getModelNotes(messages, [prompt, first]).get('a1')).toBe('story');
});

it('adds no note for a retry with the same model', () => {
  const messages = [question('q1', null), answer('a1', 'q1', 'story'), answer('a2', 'q1', 'story')];
  expect(getModelNotes(messages, messages.slice(0, 2)).size).toBe(0);
});

it('notes the other models of compared answers', () => {
  const prompt = question('q1', null);
  const column = (id: string, cell: number, model: string) => {
    const { run, ...message } = answer(id, 'q1', model);
    return { ...message, run: run && { ...run, comparisonId: 'c', cell } };
  };
  const story = column('a1', 0, 'story');
  const think = column('a2', 1, 'think');
  const retried = column('a3', 1, 'think');
  const later = answer('a4', 'q2', 'think');
  const next = question('q2', 'a1');
  const messages = [prompt, story, think, retried, next, later];
  const notes = { a1: 'story · compared with think', a4: 'Switched to think' };
  const shown = getModelNotes(messages, [prompt, story, next, later]);
  expect(Object.fromEntries(shown)).toEqual(notes);
  expect(getModelNotes(messages, [prompt, retried]).get('a3')).toBe('think · compared with story');
});
