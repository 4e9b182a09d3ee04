import { expect, test } from 'vitest';
import {
  consoleProblems,
  consoleRequest,
  draftFrom,
  readHeaders,
} from '../../renderer/features/console/console-draft.ts';
import type { ConsoleInput } from '../../shared/operations/console/input.ts';
import { consoleRequestSchema } from '../../shared/operations/console/request.ts';
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
  const request = consoleRequest(written);
  expect(consoleRequestSchema.strict().safeParse(request).error).toBeUndefined();
  expect(draftFrom(request ?? {})).toEqual(written);
});

test('sends no body with a GET, whatever was written before', () => {
  const request = consoleRequest(draft({ method: 'GET', body: '{}', bodyKind: 'form' }));
  expect(request).toEqual({ method: 'GET', path: '/v1/x', body: null });
});

test('leaves out form fields without a name', () => {
  const fields = [
    { name: ' ', value: 'x' },
    { name: 'a', value: 'y' },
  ];
  expect(consoleRequest(draft({ bodyKind: 'form', fields }))).toMatchObject({
    multipart: { fields: [['a', 'y']], file: null },
  });
});

test('says at the field what cannot be sent', () => {
  expect(consoleProblems(draft({ path: 'https://elsewhere.example/' })).path).toMatch(/base URL/);
  expect(consoleProblems(draft({ headers: 'no colon' })).headers).toMatch(/Name: value/);
  expect(consoleProblems(draft({ headers: 'authorization: x' })).headers).toMatch(/connection/);
  expect(consoleRequest(draft({ path: '//elsewhere' }))).toBeNull();
  expect(consoleRequest(draft({ headers: ': x' }))).toBeNull();
});

test('warns of a body that is no JSON, and sends it all the same', () => {
  const written = draft({ body: '{oops' });
  expect(consoleProblems(written).body).toMatch(/sent exactly as written/);
  expect(consoleRequest(written)).toMatchObject({ body: '{oops' });
});

test('keeps colons and spaces inside a value', () => {
  expect(readHeaders('X-Time:  12:30 \n\n')).toEqual({ ok: true, headers: [['X-Time', '12:30']] });
});
