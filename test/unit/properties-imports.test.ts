import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { getCurl } from '../../renderer/run/code/curl.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { inputs, jsonValue } from '../fixtures/property.ts';

/** Generates letters mixed with special characters of shells, JSON and tables. */
const text = fc.string({
  unit: fc.constantFrom(...'aB7 \n\r\t,;"\'\\$`!@[{:-€😀\uFEFF\u2028'),
  maxLength: 8,
});
const jsonText = jsonValue.map((value) => JSON.stringify(value));

it('sends the same request through a shell and curl', () => {
  const line = text.map((value) => value.replace(/[\r\n]/g, ''));
  const header = fc.tuple(fc.constantFrom('content-type', 'x-note'), line);
  const printed = jsonText.filter((body) => !body.includes('\\u0000'));
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    url: text.map((query) => `https://gateway.example/v1?${query.replace(/\s/g, '')}`),
    headers: fc.array(header, { maxLength: 2 }),
    body: fc.oneof(text, printed),
  });
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 40 }), (requests) => {
      const given = argumentsOf(requests.map((sent) => getCurl(sent)));
      for (const [at, { url, headers, body }] of requests.entries()) {
        const argued = given[at] ?? [];
        expect(argued).toContain(url);
        for (const [name, value] of headers) {
          expect(argued).toContain(value === '' ? `${name};` : `${name}: ${value}`);
        }
        const sent = argued[argued.indexOf('--data-raw') + 1];
        expect(sent === body || JSON.stringify(parseJson(sent ?? '')) === body).toBe(true);
      }
    }),
    inputs(20),
  );
});

/** Returns the arguments that a shell passes to each command. */
function argumentsOf(commands: readonly string[]): string[][] {
  const script = `curl() { for argument in "$@"; do printf '=%s\\0' "$argument"; done; printf '.\\0'; }`;
  const output = execFileSync('sh', ['-c', [script, ...commands].join('\n')], { encoding: 'utf8' });
  const calls = output.split(/(?<=^|\0)\.\0/).map((call) => call.split('\0').slice(0, -1));
  return calls.map((given) => given.map((argument) => argument.slice(1)));
}
