/** Checks the files of checks that need no stored runs. */
import { describe, expect, it } from 'vitest';
import { exportCheck } from '../../electron/checks/export-check.ts';
import type { Check, CheckFormat, ProbeBody, RowVerdict } from '../../shared/checks/check.ts';
import { measureStage } from '../../shared/checks/load/measure-stage.ts';

const estimate = { requests: 6, inputTokens: 9, outputTokens: null, dollars: null, isLeast: true };
const head = { connectionId: 'demo', connectionName: 'Demo', comparisonIds: [], estimate };

async function write(body: Check['body'], format: CheckFormat): Promise<string> {
  const check: Check = { id: 'a', title: 'one', createdAt: Date.UTC(2026, 0, 2), body };
  let text = '';
  const noRuns = { getAttempts: () => [], getOutcomes: () => [] };
  for await (const chunk of exportCheck(check, format, noRuns)) text += chunk;
  return text;
}

describe('the export of a probe', () => {
  const verdict = (rowId: string, model: string): RowVerdict => ({
    model,
    format: '',
    rowId,
    verdict: 'honored',
    sentence: `${model} did.`,
    chance: null,
    evidence: null,
    atMs: Date.UTC(2026, 0, 2),
  });
  const body: ProbeBody = {
    ...head,
    kind: 'probe',
    stopped: null,
    models: ['one', 'two'],
    asked: ['stop', 'seed'].map((id) => ({ id, group: 'All', label: `Row ${id}`, requests: 1 })),
    formats: [''],
    operations: ['chat'],
    rulesVersion: 1,
    verdicts: [verdict('seed', 'two'), verdict('stop', 'two'), verdict('stop', 'one')],
  };

  it('has the rows and columns of the page’s matrix, in whatever order they were judged', async () => {
    const lines = (await write(body, 'markdown')).split('\n');
    expect(lines.filter((line) => /^[|-] (?!---)/.test(line))).toEqual([
      '| Row | one | two |',
      '| Row stop | Honored | Honored |',
      '| Row seed | – | Honored |',
      '- one, Row stop: Honored. one did.',
      '- two, Row stop: Honored. two did.',
      '- two, Row seed: Honored. two did.',
    ]);
    const rows = (await write(body, 'csv')).trim().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(0, 3))).toEqual([
      ['one', '', 'Row stop'],
      ['two', '', 'Row stop'],
      ['two', '', 'Row seed'],
    ]);
  });

  it('says how likely a verdict is by chance', async () => {
    const likely = { ...verdict('stop', 'one'), chance: 1 / 32 };
    const markdown = await write({ ...body, verdicts: [likely] }, 'markdown');
    expect(markdown).toContain('- one, Row stop: Honored. one did. Likely by chance: 3.125%.');
  });
});

describe('the export of a load', () => {
  it('has the client’s delay and the number of samples of the page', async () => {
    const stage = measureStage({ atOnce: 1, warmupRequests: 0 }, null, []);
    const times = { count: 5, p50: 3.25, p90: 7, p95: null, p99: null, max: 12 };
    const body: Check['body'] = {
      ...head,
      kind: 'load',
      models: ['one'],
      operation: 'chat',
      stages: [{ atOnce: 1, requests: 6 }],
      warmup: 0,
      limits: { requests: null, seconds: null, cost: null, errorShare: null },
      target: null,
      sent: { first: {}, count: 1 },
      stopped: null,
      results: [{ model: 'one', stages: [{ ...stage, totalMs: times, clientDelayMs: times }] }],
    };
    expect(await write(body, 'markdown')).toMatch(
      /\| Client delay \|\n.*\n.* \| 3\.25 \/ 7 \/ – \/ – \(5\) \| 3\.25 \/ 12 \|$/m,
    );
    const [names, values] = (await write(body, 'csv')).split('\r\n');
    expect(names).toMatch(/,client_delay_ms_p50,client_delay_ms_max$/);
    expect(values).toMatch(/,3\.25,12$/);
  });
});
