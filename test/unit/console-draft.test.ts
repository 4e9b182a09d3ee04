import { expect, test } from 'vitest';
import {
  getConsoleProblems,
  readHeaders,
  toConsoleInput,
  toConsoleRequest,
} from '../../renderer/features/console/console-draft.ts';
import {
  type ConsoleInput,
  consoleRequestSchema,
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

test.each(drafts)('asks main for %s, and takes it back from the history', (_name, written) => {
  const request = toConsoleRequest(written);
  expect(consoleRequestSchema.strict().safeParse(request).error).toBeUndefined();
  expect(toConsoleInput(request ?? {})).toEqual(written);
});

test('sends no body with a GET, whatever was written before', () => {
  const request = toConsoleRequest(draft({ method: 'GET', body: '{}', bodyKind: 'form' }));
  expect(request).toEqual({ method: 'GET', path: '/v1/x', body: null });
});

test('leaves out form fields without a name', () => {
  const fields = [
    { name: ' ', value: 'x' },
    { name: 'a', value: 'y' },
  ];
  expect(toConsoleRequest(draft({ bodyKind: 'form', fields }))).toMatchObject({
    multipart: { fields: [['a', 'y']], file: null },
  });
});

test('says at the field what cannot be sent', () => {
  expect(getConsoleProblems(draft({ path: 'https://elsewhere.example/' })).path).toMatch(
    /base URL/,
  );
  expect(getConsoleProblems(draft({ headers: 'no colon' })).headers).toMatch(/Name: value/);
  expect(getConsoleProblems(draft({ headers: 'authorization: x' })).headers).toMatch(/connection/);
  expect(toConsoleRequest(draft({ path: '//elsewhere' }))).toBeNull();
  expect(toConsoleRequest(draft({ headers: ': x' }))).toBeNull();
});

test('warns of a body that is no JSON, and sends it all the same', () => {
  const written = draft({ body: '{oops' });
  expect(getConsoleProblems(written).body).toMatch(/Sent exactly as written/);
  expect(toConsoleRequest(written)).toMatchObject({ body: '{oops' });
});

test('keeps colons and spaces inside a value', () => {
  expect(readHeaders('X-Time:  12:30 \n\n')).toEqual({ ok: true, headers: [['X-Time', '12:30']] });
});
