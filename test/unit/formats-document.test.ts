import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { listBuiltInTools } from '../../shared/operations/chat/built-in-tools.ts';
import { REASONING_TAGS } from '../../shared/operations/chat/think-tags.ts';
import { listSchemaRules } from '../../shared/operations/chat/tool-schema.ts';
import { type AnyFieldTable, findPlace } from '../../shared/operations/field-table.ts';
import { getFormat, listFormats } from '../../shared/operations/formats.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { requestSchemas } from '../../shared/operations/operations.ts';

const PATH = 'docs/formats.md';
const LIST = /(?<=<!-- list: (?<name>[^>]+) -->\n).*?(?=<!-- end list -->)/gs;
const BEGIN = /(?<=<!-- fields: (?<title>[^>]+) -->\n).*?(?=<!-- end -->)/gs;

const formats = operationNameSchema.options.flatMap((operation) =>
  listFormats(operation).map(({ name, title }) => ({ operation, name, title })),
);

/** To write the tables: `npx vitest run --project unit test/unit/formats-document.test.ts -u`. */
it('matches the field tables in the code', async () => {
  const written: string[] = [];
  const document = readFileSync(PATH, 'utf8').replace(LIST, (_list, name: string) => {
    return `\n${(lists[name] ?? expect.fail(name)).join('\n')}\n\n`;
  });
  const current = document.replace(BEGIN, (_table, title: string) => {
    const format = formats.find((known) => known.title === title) ?? expect.fail(title);
    written.push(title);
    const { fields = {} } = getFormat(format.operation, format.name);
    return writeTable(format.operation, fields);
  });
  expect(written).toEqual(formats.map(({ title }) => title));
  await expect(current).toMatchFileSnapshot(`../../${PATH}`);
});

const builtIn = listFormats('chat').flatMap(({ name, title }) =>
  listBuiltInTools(name).map((tool) => ({ ...tool, format: title })),
);

/** Tables and lists that the code defines. */
const lists: Record<string, string[]> = {
  schemas: listSchemaRules('chat-completions').map(
    ({ title, source }, at) => `${at + 1}. ${title} ([source](${source}))`,
  ),
  'built-in tools': [
    '| Format | Tool | Sent | Parameters |',
    '|---|---|---|---|',
    ...builtIn.map(({ format, title, source, sent, parameters }) => {
      const names = parameters.map(({ at }) => `\`${at.join('.')}\``).join(', ');
      return `| ${format} | [${title}](${source}) | \`${String(sent.type)}\` | ${names} |`;
    }),
  ],
  'reasoning tags': [
    '| Opens | Closes | Source |',
    '|---|---|---|',
    ...REASONING_TAGS.map(
      ({ open, close, source }) => `| ${code(open)} | ${code(close)} | <${source}> |`,
    ),
  ],
};

/** A bar would end the cell. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** Fields with the same description share a row. */
function writeTable(operation: OperationName, fields: AnyFieldTable): string {
  const rows = Map.groupBy(Object.keys(fields), (field) => describe(fields, field));
  const isLast = (text: string) => text === SAME || text === UNSENT;
  const texts = [...rows.keys()].filter((text) => !isLast(text));
  const lines = [...texts, SAME, UNSENT].flatMap((text) => {
    const group = rows.get(text) ?? [];
    const names = group.map((field) => getTitle(operation, field));
    const isChoice = group.some((field) => Object.hasOwn(Object(fields[field]), 'with'));
    // If fields are sent in the same place, the last one wins.
    const joined = isChoice ? names.reverse().join(', else ') : names.join(', ');
    return group.length === 0 ? [] : [`| ${joined} | ${text} |\n`];
  });
  return `\n| Form | Body |\n|---|---|\n${lines.join('')}\n`;
}

const SAME = 'The same';
const UNSENT = 'Not sent';

function describe(fields: AnyFieldTable, field: string): string {
  const row = fields[field] ?? expect.fail(field);
  if (row === 'same') return SAME;
  if (row === 'unsent') return UNSENT;
  if (row === 'path') return 'In the URL';
  if (row === 'local') return 'Not sent: for Gatehouse itself';
  if ('step' in row) return row.step.note;
  const { path, rule } = findPlace(fields, field) ?? expect.fail(field);
  const { default: value, only, note } = rule;
  const isFixed = value !== undefined && typeof value !== 'function';
  return [
    only === undefined ? `\`${path.join('.')}\`` : SAME,
    isFixed ? `; ${JSON.stringify(value)} unless set` : '',
    only === undefined ? '' : `, only in ${only === 'form' ? 'a form' : 'JSON'}`,
    note === undefined ? '' : `, ${note}`,
  ].join('');
}

function getTitle(operation: OperationName, field: string): string {
  const title = z
    .looseObject({ title: z.string() })
    .safeParse(requestSchemas[operation].shape[field]?.meta()).data?.title;
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return title ?? words.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
}
