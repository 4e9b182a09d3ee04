import { expect, it } from 'vitest';
import { getDraft } from '../../renderer/run/form/parameters.ts';
import { listChangedFields } from '../../renderer/run/form/validate-form.ts';
import type { JsonObject } from '../../shared/json.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { Params } from '../../shared/param.ts';

const chat = describeOperation('chat');
const unset = { params: {}, extraBody: '' };

function labelsOf(params: Params, extraBody = ''): string[] {
  const changed = listChangedFields(chat, getDraft({ params, extraBody }, chat));
  return changed.map(({ label, problem }) => label + (problem ? '!' : ''));
}

function labels(values: JsonObject): string[] {
  const params = Object.entries(values).map(([name, value]) => [name, { value }]);
  return labelsOf(Object.fromEntries(params));
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
  expect(labelsOf({ temperature: { text: '9' } })).toEqual(['temperature 9!']);
  expect(labelsOf({}, '{"top_k": 4}')).toEqual(['Extra JSON 1']);
  expect(labelsOf({}, '{"top_k"')).toEqual(['Extra JSON!']);
});
