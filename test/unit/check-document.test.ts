import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { probeRows } from '../../shared/checks/probe/rows.ts';

const PATH = 'docs/check.md';
const TABLE = /(?<=<!-- probe rows -->\n).*?(?=<!-- end -->)/s;

/** To write the table: `npx vitest run --project unit test/unit/check-document.test.ts -u`. */
it('lists the rows of a probe as the code has them', async () => {
  const groups = Map.groupBy(probeRows, ({ group }) => group);
  const lines = [...groups].flatMap(([group, rows]) => {
    const byCase = Map.groupBy(rows, ({ counterexample }) => counterexample);
    return [...byCase].map(([counterexample, same]) => {
      const labels = same.map(({ label }) => label).join(', ');
      return `| ${group} | ${labels} | ${counterexample} |`.replaceAll('’', "'");
    });
  });
  const table = ['', '| Group | Row | Ignored if |', '|---|---|---|', ...lines, ''];
  const current = readFileSync(PATH, 'utf8').replace(TABLE, `${table.join('\n')}\n`);
  expect(lines.length).toBeGreaterThan(40);
  await expect(current).toMatchFileSnapshot(`../../${PATH}`);
});
