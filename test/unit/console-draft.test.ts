import { expect, it } from 'vitest';
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

it.each(drafts)('converts %s to a request and back', (_name, written) => {
  const request = toConsoleRequest(written);
  expect(consoleRequestSchema.strict().safeParse(request).error).toBeUndefined();
  expect(toConsoleInput(request ?? {})).toEqual(written);
});

it('sends no body with GET', () => {
  const request = toConsoleRequest(draft({ method: 'GET', body: '{}', bodyKind: 'form' }));
  expect(request).toEqual({ method: 'GET', path: '/v1/x', body: null });
});

it('skips form fields without a name', () => {
  const fields = [
    { name: ' ', value: 'x' },
    { name: 'a', value: 'y' },
  ];
  expect(toConsoleRequest(draft({ bodyKind: 'form', fields }))).toMatchObject({
    multipart: { fields: [['a', 'y']], file: null },
  });
});

it('returns an error for each invalid field', () => {
  expect(getConsoleProblems(draft({ path: 'https://elsewhere.example/' })).path).toMatch(
    /base URL/,
  );
  expect(getConsoleProblems(draft({ headers: 'no colon' })).headers).toMatch(/Name: value/);
  expect(getConsoleProblems(draft({ headers: 'authorization: x' })).headers).toMatch(/connection/);
  expect(toConsoleRequest(draft({ path: '//elsewhere' }))).toBeNull();
  expect(toConsoleRequest(draft({ headers: ': x' }))).toBeNull();
});

it('warns about invalid JSON but sends it', () => {
  const written = draft({ body: '{oops' });
  expect(getConsoleProblems(written).body).toMatch(/Sent exactly as written/);
  expect(toConsoleRequest(written)).toMatchObject({ body: '{oops' });
});

it('keeps colons and spaces in a value', () => {
  expect(readHeaders('X-Time:  12:30 \n\n')).toEqual({ ok: true, headers: [['X-Time', '12:30']] });
});
