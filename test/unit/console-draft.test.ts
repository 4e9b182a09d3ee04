import { expect, it } from 'vitest';
import {
  getConsoleProblems,
  listHeaders,
  listQuery,
  readHeaders,
  toConsoleInput,
  toConsoleRequest,
  writeHeaders,
  writeQuery,
} from '../../renderer/features/console/console-draft.ts';
import {
  type ConsoleInput,
  getConsoleRequestSchema,
} from '../../shared/operations/console/request.ts';
import { emptyInputs } from '../../shared/operations/empty-inputs.ts';

const mediaId = 'AAAAAAAAAAAAAAAAAAAAAA';

function draft(fields: Partial<ConsoleInput>): ConsoleInput {
  return { ...emptyInputs.console, method: 'POST', path: '/v1/x', ...fields };
}

const drafts: [name: string, draft: ConsoleInput][] = [
  ['a plain GET', emptyInputs.console],
  ['JSON as it is written', draft({ body: '{ "a": 1 }' })],
  ['headers', draft({ headers: 'X-One: 1\nAccept: text/plain, */*' })],
  [
    'a form with a file',
    draft({
      bodyKind: 'form',
      fields: [{ name: 'model', value: 'm: "1"' }],
      file: { name: 'file', mediaId, filename: 'take.wav' },
    }),
  ],
  ['a form without one', draft({ bodyKind: 'form', fields: [{ name: 'a', value: '' }] })],
];

it.each(drafts)('converts %s to a request and back again', (_name, written) => {
  const request = toConsoleRequest(written);
  expect(getConsoleRequestSchema().strict().safeParse(request).error).toBeUndefined();
  expect(toConsoleInput(request ?? {})).toEqual(written);
});

it.each<[string, Partial<ConsoleInput>, object]>([
  ['no body with GET', { method: 'GET', body: '{}', bodyKind: 'form' }, { body: null }],
  ['invalid JSON', { body: '{oops' }, { body: '{oops' }],
  [
    'only named form fields',
    {
      bodyKind: 'form',
      fields: [
        { name: ' ', value: 'x' },
        { name: 'a', value: 'y' },
      ],
    },
    { multipart: { fields: [['a', 'y']], file: null } },
  ],
])('sends %s', (_name, fields, request) => {
  expect(toConsoleRequest(draft(fields))).toMatchObject(request);
});

it('returns an error for each invalid field', () => {
  const problems = (fields: Partial<ConsoleInput>) => getConsoleProblems(draft(fields));
  expect(problems({ path: 'https://elsewhere.example/' }).path).toMatch(/base URL/);
  expect(problems({ headers: 'no colon' }).headers).toMatch(/Name: value/);
  expect(problems({ headers: 'authorization: x' }).headers).toMatch(/connection/);
  expect(problems({ body: '{oops' }).body).toMatch(/Sent exactly as written/);
  expect(toConsoleRequest(draft({ path: '//elsewhere' }))).toBeNull();
  expect(toConsoleRequest(draft({ headers: ': x' }))).toBeNull();
});

it('keeps colons and spaces in a value', () => {
  expect(readHeaders('X-Time:  12:30 \n\n')).toEqual({ ok: true, headers: [['X-Time', '12:30']] });
});

it('edits the query of a path, and keeps the spelling of what didn’t change', () => {
  const path = '/v1/files?after=a+b&limit=%35#top';
  const query = listQuery(path);
  expect(query).toEqual([
    { name: 'after', value: 'a b' },
    { name: 'limit', value: '5' },
  ]);
  const added = [...query, { name: 'order by', value: 'x&y' }];
  expect(writeQuery(path, added)).toBe('/v1/files?after=a+b&limit=%35&order%20by=x%26y#top');
  expect(writeQuery(path, [])).toBe('/v1/files#top');
  expect(listQuery('/v1/files?%ZZ')).toEqual([{ name: '%ZZ', value: '' }]);
});

it('lists headers that aren’t valid yet, and writes them back', () => {
  const text = 'X-Trace: 7\nno colon\n: value';
  expect(listHeaders(text).map(({ name }) => name)).toEqual(['X-Trace', 'no colon', '']);
  expect(writeHeaders(listHeaders('X-Trace: 7\nAccept: */*'))).toBe('X-Trace: 7\nAccept: */*');
  expect(listHeaders('')).toEqual([]);
});
