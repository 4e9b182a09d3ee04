import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSameJson, type JsonValue, toJson } from '../../shared/json.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';

const url = 'https://a.example/v1/rerank';

/**
 * Generates texts that every shell passes unchanged. An argument can't hold a NUL or a lone
 * surrogate.
 */
const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((made) => made.replaceAll('\0', ''));
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const body = value.map((other) => ({
  model: 'm',
  query: 'q',
  documents: ['d'],
  other: toJson(other),
}));

const quoters: [shell: string, write: (json: string) => string][] = [
  ['single quotes', (json) => `curl ${url} -d '${json.replaceAll("'", "'\\''")}'`],
  ['double quotes', (json) => `curl \\\n ${url} -d "${json.replace(/["\\$`]/g, '\\$&')}"`],
  [
    'bash escapes',
    (json) =>
      `curl ${url} -d $'${json
        .replace(/['\\]/g, '\\$&')
        .replace(/\n/g, '\\n')
        .replace(/[^ -~]/gu, escapeUnicode)}'`,
  ],
  ['a here-document', (json) => `curl ${url} --json @- <<'END'\n${json}\nEND`],
  [
    'the command prompt',
    (json) => {
      const argument = json.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
      return `curl ^"${url}^" ^\n -d ^"${argument.replace(/[^a-zA-Z0-9\s_\-:=+~'/.',?;()*`]/gu, '^$&')}^"`;
    },
  ],
  [
    'PowerShell’s single quotes',
    (json) => `irm ${url} -Method Post -Body '${json.replaceAll("'", "''")}'`,
  ],
  [
    'PowerShell’s double quotes',
    (json) => `irm -Uri "${url}" \`\n -Method "POST" -Body "${json.replace(/["`$]/g, '`$&')}"`,
  ],
  ['fetch', (json) => `fetch("${url}", { method: "POST", body: ${JSON.stringify(json)} });`],
  [
    'JSON.stringify',
    (json) => `await fetch('${url}', { method: 'POST', body: JSON.stringify(${json}) });`,
  ],
];

function escapeUnicode(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

it.each(quoters)('reads back any body written as %s', (_shell, write) => {
  fc.assert(
    fc.property(body, (written) => {
      const result = readPasted(write(JSON.stringify(written)));
      const read = result?.kind === 'request' ? result.pasted.request.body : null;
      expect(read).toMatchObject({ kind: 'json' });
      expect(read?.kind === 'json' && isSameJson(read.value, written)).toBe(true);
    }),
  );
});

it('never throws for any pasted text', () => {
  const starts = ['curl ', `curl ${url} `, 'irm ', 'fetch(', '{"messages":', 'const a = ', '$a = '];
  const start = fc.constantFrom(...starts);
  const marks = fc.constantFrom(
    ...['"', "'", '`', '$', '\\', '\n', '@{', '}', '(', ')', '[', ']', '@"\n', '\n"@', '^', '<<A'],
    ...['|', ';', ' -d ', '{', ',', ':', '=', '${', '$(', ' ', 'a', '1', '...', '//', '/*', '*/'],
    ...['#', '::A.b('],
  );
  fc.assert(
    fc.property(start, fc.array(marks, { maxLength: 40 }), (first, rest) => {
      readPasted(first + rest.join(''));
    }),
    { numRuns: 3000 },
  );
});
