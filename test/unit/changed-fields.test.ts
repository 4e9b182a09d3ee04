import { expect, it } from 'vitest';
import { type Draft, listChangedFields } from '../../renderer/run/form/validate-form.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';

const chat = describeOperation('chat');
const unset = { parameters: {}, typed: {}, extraBody: '' };

function labels(parameters: Draft['parameters'], more: Partial<Draft> = {}): string[] {
  const draft = { ...unset, parameters: { ...chat.draft, ...parameters }, ...more };
  return listChangedFields(chat, draft).map(({ label, problem }) => label + (problem ? '!' : ''));
}

it('omits values that a new form also sends', () => {
  expect(labels({})).toEqual([]);
});

it('names each changed field briefly, in the order of the form', () => {
  const set = labels({ n: 3, temperature: 0.2, stop: ['one', 'two'] });
  expect(set).toEqual(['temperature 0.2', 'stop one, two', 'n 3']);
  const [user] = labels({ user: 'somebody with a name that is far too long' });
  expect(user).toBe('user somebody with a name th…');
});

it('names each default that isn’t sent', () => {
  expect(listChangedFields(chat, unset).map(({ label }) => label)).toEqual(
    Object.keys(chat.draft).map((name) => `${name} not sent`),
  );
  expect(labels({ stream: false })).toEqual(['stream off']);
});

it('marks fields that can’t be sent', () => {
  expect(labels({}, { typed: { temperature: '9' } })).toEqual(['temperature 9!']);
  expect(labels({}, { extraBody: '{"top_k": 4}' })).toEqual(['Extra body fields 1']);
  expect(labels({}, { extraBody: '{"top_k"' })).toEqual(['Extra body fields!']);
});
