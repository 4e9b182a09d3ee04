/** Tests the main case of exported code in TypeScript. `code-export.rest.test.ts` runs every language. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeLanguages, getCode } from '../../renderer/run/code/code-export.ts';
import { type CodeRunner, startCodeRunner } from '../fixtures/code-runner.ts';
import { awkwardBody, codeSecrets, recordedHeaders, serveCode } from '../fixtures/exported-code.ts';

const language = 'typescript';
let runner: CodeRunner;
beforeAll(() => {
  runner = startCodeRunner(language, codeSecrets);
});
afterAll(() => runner.close());

it('sends the recorded request, with the key from the environment', async () => {
  const { arrived, baseUrl } = await serveCode({ body: '{"ok":true}' });
  const url = `${baseUrl}/v1/chat/completions?a=1&b=%20`;
  const body = JSON.stringify(awkwardBody);
  const sent = { method: 'POST', url, headers: recordedHeaders, body };
  const output = await runner.run(getCode(language, sent, { kind: 'text' }));
  expect(output.trim()).toBe('{"ok":true}');
  expect(arrived).toMatchObject([{ method: 'POST', path: '/v1/chat/completions?a=1&b=%20' }]);
  expect(arrived[0]?.headers).toMatchObject({
    authorization: 'Bearer sk-the-key',
    'x-odd': `it's "$HOME" \`id\``,
  });
  expect(JSON.parse(String(arrived[0]?.body))).toEqual(awkwardBody);
});

it('reads the key of a header and other secrets from variables', async () => {
  const { arrived, baseUrl } = await serveCode({ body: '' });
  const headers: [string, string][] = [
    ['X-Team-Token', 'a "b" [redacted]; c'],
    ['x-api-key', '[redacted]'],
  ];
  const url = `${baseUrl}/v1/models?api-version=1&sig=[redacted]`;
  await runner.run(
    getCode(language, { method: 'GET', url, headers, body: null }, { kind: 'text' }),
  );
  expect(arrived).toMatchObject([{ path: '/v1/models?api-version=1&sig=s1' }]);
  expect(arrived[0]?.headers).toMatchObject({
    'x-team-token': `a "b" it's "$x"; c`,
    'x-api-key': 'sk-the-key',
  });
});

it.each(codeLanguages)('leaves out the key and its placeholder in $value', ({ value }) => {
  const url = 'https://g.example/v1';
  const sent = { method: 'POST', url, headers: recordedHeaders, body: '{}' };
  const code = getCode(value, sent, { kind: 'text' });
  expect(code).toContain('GATEHOUSE_API_KEY');
  expect(code).not.toContain('1234');
});
