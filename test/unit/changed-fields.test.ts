import { expect, it } from 'vitest';
import { changedFields, type Draft } from '../../renderer/run/form/validate-form.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';

const chat = describeOperation('chat');

function labels(parameters: Draft['parameters'], more: Partial<Draft> = {}): string[] {
  if (chat === undefined) throw new Error('no description of chat');
  const draft = { parameters: { ...chat.draft, ...parameters }, typed: {}, extraBody: '', ...more };
  return changedFields(chat, draft).map(({ label, problem }) =>
    problem === null ? label : `${label}!`,
  );
}

it('names nothing that a new form sends as well', () => {
  expect(labels({})).toEqual([]);
});

it('names what is set, in a few words, in the order of the form', () => {
  expect(labels({ n: 3, temperature: 0.2, stop: ['one', 'two'] })).toEqual([
    'temperature 0.2',
    'stop one, two',
    'n 3',
  ]);
  expect(labels({ user: 'somebody with a name that is far too long' })).toEqual([
    'user somebody with a name th…',
  ]);
});

it('names what a new form sends and this one does not', () => {
  if (chat === undefined) throw new Error('no description of chat');
  const draft = { parameters: {}, typed: {}, extraBody: '' };
  expect(changedFields(chat, draft).map(({ label }) => label)).toEqual(
    Object.keys(chat.draft).map((name) => `${name} not sent`),
  );
  expect(labels({ stream: false })).toEqual(['stream off']);
});

it('marks what cannot be sent', () => {
  expect(labels({}, { typed: { temperature: '9' } })).toEqual(['temperature 9!']);
  expect(labels({}, { extraBody: '{"top_k": 4}' })).toEqual(['Extra body fields 1']);
  expect(labels({}, { extraBody: '{"top_k"' })).toEqual(['Extra body fields!']);
});
