import { expect, it } from 'vitest';
import { readPasted } from '../../shared/pasted/read-pasted.ts';

const url = 'https://a.example/v1/chat/completions';

it('never sets a prototype', () => {
  const texts = [
    `curl ${url} -d '{"messages":[{"role":"user","content":"Hi"}],"__proto__":{"polluted":1}}'`,
    `fetch("${url}", { method: 'POST', body: JSON.stringify({ "__proto__": { polluted: 1 } }) })`,
    `irm ${url} -Method Post -Body (@{ __proto__ = @{ polluted = 1 } } | ConvertTo-Json)`,
  ];
  for (const text of texts) readPasted(text);
  expect('polluted' in {}).toBe(false);
});

it.each([
  ['a sum in PowerShell', `irm ${url} -Body ("" + @{ toString = 1 })`],
  ['a list in PowerShell', `$x = @(@{ toString = 1 })\nirm "${url}$x"`],
  ['a word in PowerShell', `$x = @{ toString = 1 }\nirm ${url}$x`],
  ['a key in PowerShell', `irm ${url} -Body @{ @{ toString = 1 } = 1 }`],
  ['a file in PowerShell', `irm ${url} -Body (Get-Item @{ toString = 1 })`],
  ['a key in JavaScript', `fetch("${url}", { [{ toString: 1 }]: 1 })`],
  ['a file in JavaScript', `fetch("${url}", { body: readFileSync({ toString: 1 }) })`],
  ['a header in JavaScript', `fetch("${url}", { headers: [[{ toString: 1 }, 1]] })`],
])('reads an object with a toString field as %s', (_name, text) => {
  expect(readPasted(text)?.kind).toBe('request');
});

it.each([
  ['no-break spaces', `irm ${url}${'\u00A0a'.repeat(20_000)}`],
  ['comments', `irm ${'#\n'.repeat(3_000_000)}`],
])('reads long PowerShell with %s within the stack', (_name, text) => {
  expect(() => readPasted(text)).not.toThrow();
});

it.each([
  ['PowerShell', 'irm @a\n', `irm ${url}`],
  ['JavaScript', 'fetch()\n', `fetch("${url}")`],
])('reads on after up to 1000 problems of %s', (_name, broken, request) => {
  expect(readPasted(broken.repeat(999) + request)?.kind).toBe('request');
  expect(readPasted(broken.repeat(1000) + request)?.kind).toBe('problem');
});
