import { expect, it } from 'vitest';
import { readPasted } from '../../shared/pasted/read-pasted.ts';

const MEGABYTE = 1024 * 1024;
const url = 'https://a.example/v1/chat/completions';

it.each([
  ['an unclosed quote', `curl ${url} -d '${'x'.repeat(10 * MEGABYTE)}`],
  ['backslashes', `curl ${url} -d "${'\\'.repeat(4 * MEGABYTE)}"`],
  ['quotes', `curl ${url} -d ${`'"'`.repeat(MEGABYTE)}`],
  ['carets', `curl ^"${url}^" -d ^"${'^\\^"'.repeat(MEGABYTE)}^"`],
  ['open parentheses', `curl ${url} -d "${'$('.repeat(MEGABYTE)}"`],
  ['here-documents', `curl ${url} ${'<<A '.repeat(100_000)}`],
  ['variables', `A=${'x'.repeat(MEGABYTE)}\ncurl ${url} -d "${'$A'.repeat(MEGABYTE)}"`],
  ['doubled variables', `${'A=$A$A\n'.repeat(100_000)}curl ${url} -d $A`],
  ['spaces', `curl ${url}${' '.repeat(8 * MEGABYTE)}x`],
  ['blank lines', `curl ${url} -d x${'\n'.repeat(8 * MEGABYTE)}`],
  ['PowerShell here-strings', `irm ${url}\n${"@'\n".repeat(MEGABYTE)}`],
  ['PowerShell hashtables', `irm ${url} -Body ${'@{a='.repeat(MEGABYTE)}`],
  ['PowerShell backticks', `irm ${url} -Body "${'`'.repeat(4 * MEGABYTE)}"`],
  ['doubled PowerShell variables', `${'$a = "$a$a"\n'.repeat(100_000)}irm ${url} -Body $a`],
  ['nested lists', `fetch("${url}", ${'['.repeat(4 * MEGABYTE)}`],
  ['awaits', `fetch("${url}", ${'await '.repeat(MEGABYTE)}x)`],
  ['unclosed templates', `const a = 1;\n${'const b = `${'.repeat(MEGABYTE / 4)}\nfetch("${url}")`],
  ['comments', `const a = 1;\n${'/* */ // \n'.repeat(MEGABYTE / 2)}fetch("${url}")`],
  ['doubled constants', `const a = 'x';\n${'let a = a + a;\n'.repeat(100_000)}fetch("${url}")`],
  ['nested JSON', `{"messages":${'['.repeat(4 * MEGABYTE)}`],
])('reads megabytes of %s in linear time', { timeout: 20_000 }, (_name, text) => {
  const start = performance.now();
  readPasted(text);
  expect(performance.now() - start).toBeLessThan(5000);
});

it('never sets a prototype', () => {
  const texts = [
    `curl ${url} -d '{"messages":[{"role":"user","content":"Hi"}],"__proto__":{"polluted":1}}'`,
    `fetch("${url}", { method: 'POST', body: JSON.stringify({ "__proto__": { polluted: 1 } }) })`,
    `irm ${url} -Method Post -Body (@{ __proto__ = @{ polluted = 1 } } | ConvertTo-Json)`,
  ];
  for (const text of texts) readPasted(text);
  expect('polluted' in {}).toBe(false);
});
