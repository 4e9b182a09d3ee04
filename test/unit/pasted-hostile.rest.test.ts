import { expect, it } from 'vitest';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';

const url = 'https://a.example/v1/chat/completions';
const SIZE = 256 * 1024;

it.each<[string, (size: number) => string, size?: number]>([
  ['an unclosed quote', (size) => `curl ${url} -d '${'x'.repeat(10 * size)}`],
  ['backslashes', (size) => `curl ${url} -d "${'\\'.repeat(4 * size)}"`],
  ['quotes', (size) => `curl ${url} -d ${`'"'`.repeat(size)}`],
  ['carets', (size) => `curl ^"${url}^" -d ^"${'^\\^"'.repeat(size)}^"`],
  ['open parentheses', (size) => `curl ${url} -d "${'$('.repeat(size)}"`],
  ['here-documents', (size) => `curl ${url} ${'<<A '.repeat(size)}`, 100_000],
  ['variables', (size) => `A=${'x'.repeat(size)}\ncurl ${url} -d "${'$A'.repeat(size)}"`],
  ['doubled variables', (size) => `${'A=$A$A\n'.repeat(size)}curl ${url} -d $A`, 100_000],
  ['spaces', (size) => `curl ${url}${' '.repeat(8 * size)}x`],
  ['blank lines', (size) => `curl ${url} -d x${'\n'.repeat(8 * size)}`],
  ['PowerShell here-strings', (size) => `irm ${url}\n${"@'\n".repeat(size)}`],
  ['PowerShell hashtables', (size) => `irm ${url} -Body ${'@{a='.repeat(size)}`],
  ['PowerShell blanks', (size) => `irm ${url}${' `\n'.repeat(size)}${' '.repeat(8 * size)}-Body x`],
  ['PowerShell comments', (size) => `irm ${url}\n${'# comment\n \n'.repeat(size)}`],
  ['PowerShell types', (size) => `irm ${url} -Body (${'[a]'.repeat(size)} ${'[b::('.repeat(size)}`],
  ['PowerShell parentheses', (size) => `irm ${url}\n${'((\n'.repeat(size)}`, 50_000],
  [
    'the inside of a PowerShell here-string',
    (size) => `irm ${url} -Body @"\n${' "@"\n  \n$a`\n'.repeat(size)}\n"@`,
  ],
  ['PowerShell backticks', (size) => `irm ${url} -Body "${'`'.repeat(4 * size)}"`],
  [
    'doubled PowerShell variables',
    (size) => `${'$a = "$a$a"\n'.repeat(size)}irm ${url} -Body $a`,
    100_000,
  ],
  [
    'added PowerShell variables',
    (size) => `$a = "xxxxxxxx"\n${'$a = $a + $a\n'.repeat(size)}irm ${url} -Body $a`,
    100_000,
  ],
  ['slashes', (size) => `irm ${url}${'/'.repeat(size)}x -Method Post -Body x`],
  ['lines in a here-document', (size) => `curl ${url} -d "$(cat <<A\n${'\n'.repeat(size)}x\nA\n)"`],
  ['nested lists', (size) => `fetch("${url}", ${'['.repeat(4 * size)}`],
  ['awaits', (size) => `fetch("${url}", ${'await '.repeat(size)}x)`],
  [
    'unclosed templates',
    (size) => `const a = 1;\n${'const b = `${'.repeat(size)}\nfetch("${url}")`,
  ],
  ['comments', (size) => `const a = 1;\n${'/* */ // \n'.repeat(size)}fetch("${url}")`],
  [
    'doubled constants',
    (size) => `const a = 'x';\n${'let a = a + a;\n'.repeat(size)}fetch("${url}")`,
    100_000,
  ],
  ['nested JSON', (size) => `{"messages":${'['.repeat(4 * size)}`],
])('reads long texts of %s in linear time', (_name, create, size = SIZE) =>
  expectLinear(size, create, readPasted),
);

it.each([
  ['PowerShell sums', 'irm', '@{ a = "" + ', ' }'],
  ['PowerShell keys', 'irm', '@{ @{ b = 1 } = ', ' }'],
  ['PowerShell files', 'irm', '@{ a = Get-Item ', ' }'],
  ['PowerShell JSON', 'irm', '(', ' | ConvertTo-Json)'],
  ['JavaScript sums', 'fetch', '{ a: "" + ', ' }'],
  ['JavaScript keys', 'fetch', '{ [', ']: 1 }'],
  ['JavaScript files', 'fetch', '{ a: readFileSync(', ') }'],
  ['JavaScript pairs', 'fetch', '{ a: new FormData([[', ', 1]]) }'],
  ['JavaScript JSON', 'fetch', 'JSON.stringify({ a: ', ' })'],
])('limits texts that are encoded again in nested %s', (_name, command, open, close) => {
  const body = `${open.repeat(48)}"x"${close.repeat(48)}`;
  const text =
    command === 'irm'
      ? `irm ${url} -Method Post -Body (${body})`
      : `fetch("${url}", { method: "POST", body: ${body} })`;
  expect(readPasted(text)).not.toBeNull();
});
