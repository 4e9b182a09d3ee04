import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { useCheckStore } from '../../renderer/features/check/check-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useUndo } from '../../renderer/lib/undo.ts';
import { useShownCheck } from '../../renderer/run/check/listed-check.ts';
import { appError } from '../../shared/errors.ts';
import {
  checks,
  estimate,
  fakeChecks,
  load,
  openCheck,
  probe,
  resetChecks,
  stage,
  store,
  verdict,
} from './check-fixtures.tsx';
import { listControls } from './list-controls.ts';
import { refusal } from './panel-fake-main.ts';

beforeEach(() => {
  resetChecks();
  useUndo.setState({ offers: [] });
});

it('asks with the estimate before a probe, shows verdicts as they come, stops and resumes', async () => {
  const { screen, button, result } = await openCheck();
  await expect.element(screen.getByText('Seed twice')).toBeVisible();
  const model = screen.getByRole('combobox', { name: 'Model' });
  await model.fill('two');
  await userEvent.keyboard('{Enter}');
  await screen.getByRole('checkbox', { name: /^Messages/ }).click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const question = screen.getByRole('alertdialog', { name: 'Probe Demo?' });
  await expect
    .element(question)
    .toMatchTextContent(/84 requests · about 12,400 input tokens .* at most \$0\.021/);
  expect(checks.started).toEqual([]);
  await button('Start').click();
  await expect.element(result).toMatchTextContent(/one, two.*0 of 84 requests/);
  expect(checks.started).toMatchObject([
    {
      kind: 'probe',
      connectionId: 'demo',
      models: ['one', 'two'],
      formats: ['', 'messages'],
    },
  ]);

  const verdicts = [verdict('seed', 'one'), verdict('seed', 'two', { verdict: 'ignored' })];
  store(probe('started', { verdicts }), { state: 'running', ended: 6 });
  await expect.element(screen.getByRole('button', { name: /twice, one: Honored/ })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: /twice, two: Ignored/ })).toBeVisible();
  await expect.element(result.getByRole('columnheader', { name: /1 of 1 honored/ })).toBeVisible();
  await button('Stop').click();
  expect(fakeChecks.stop.mock.lastCall?.[0]).toEqual({ id: 'started' });

  store(probe('started', { verdicts, stopped: 'errors' }), { state: 'stopped', ended: 6 });
  await expect.element(result.getByText('Ended because too many requests failed.')).toBeVisible();
  await button('Resume').click();
  expect(fakeChecks.resume.mock.lastCall?.[0]).toEqual({ id: 'started', overCap: false });
});

it.each([
  ['probe', ['combobox', 'checkbox', 'tab', 'row']],
  ['load', ['combobox', 'select', 'textarea', 'switch', 'spinbutton', 'tab', 'row']],
] as const)('runs a %s from every kind of control, and changes none', async (kind, expected) => {
  store(kind === 'probe' ? probe('a') : load('a'));
  useShownCheck.setState({ kind });
  const { screen } = await openCheck();
  await expect.element(screen.getByRole('region', { name: 'Saved checks' })).toBeVisible();
  const kinds = listControls();
  for (const each of expected) expect([...kinds.keys()].join(' ')).toContain(each);
  const getState = () => ({ ...useCheckStore.getState(), ...useShownCheck.getState() });
  const before = getState();
  const question = screen.getByRole('alertdialog');
  for (const [name, control] of kinds) {
    control.focus();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(question, { message: name }).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(question).not.toBeInTheDocument();
    expect(getState(), name).toEqual(before);
  }
  expect(checks.started).toEqual([]);
});

it('explains a verdict, leads to its evidence, and says when that was deleted', async () => {
  const evidence = {
    runId: 'run 7',
    place: { comparisonId: 'c', place: 0 },
    field: 'choices[0].message',
  };
  const verdicts = [
    verdict('seed', 'one', { verdict: 'unclear', chance: 0.25, evidence }),
    verdict('stop', 'one', { evidence: { ...evidence, runId: null } }),
  ];
  store(probe('a', { models: ['one'], verdicts }));
  const { screen, button } = await openCheck();
  await screen.getByRole('button', { name: /^one Chat/ }).click();
  await screen.getByRole('button', { name: /^Seed twice, one: Can’t tell/ }).click();
  const details = screen.getByRole('region', { name: 'Seed twice, one' });
  await expect
    .element(details)
    .toMatchTextContent(/^Likely by chance: 25%.*choices\[0\]\.message/s);
  await button('Inspect').click();
  expect(useLayout.getState()).toMatchObject({ inspectorOpen: true, inspectedRunId: 'run 7' });

  await userEvent.keyboard('{Escape}');
  await screen.getByRole('button', { name: /^Seed twice/ }).click();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect
    .element(screen.getByRole('region', { name: 'Stop sequence, one' }))
    .toMatchTextContent(/Evidence deleted/);
});

it('shows the differences from the earlier probe of the same connection and models', async () => {
  const earlier = probe('a', { verdicts: [verdict('seed', 'one'), verdict('stop', 'one')] });
  store({ ...earlier, createdAt: Date.UTC(2026, 0, 1) });
  store(probe('other', { models: ['two'], verdicts: [verdict('seed', 'two')] }));
  const verdicts = [verdict('seed', 'one', { verdict: 'rejected' }), verdict('stop', 'one')];
  store({ ...probe('b', { verdicts }), createdAt: Date.UTC(2026, 0, 3) });
  const { screen, result } = await openCheck();
  await screen
    .getByRole('button', { name: /^one, two Chat/ })
    .first()
    .click();
  await expect.element(result.getByText(/^1 difference from the probe of Jan 1/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: /Rejected was honored/ })).toBeVisible();
  await screen.getByRole('radio', { name: 'Changed' }).click();
  await expect
    .element(screen.getByRole('rowheader', { name: 'Stop sequence' }))
    .not.toBeInTheDocument();
});

it('doesn’t compare a probe with an earlier one that asked other rows', async () => {
  const earliest = probe('a', { models: ['one'], verdicts: [verdict('seed', 'one')] });
  store({ ...earliest, createdAt: Date.UTC(2026, 0, 1) });
  const between = probe('b', { models: ['one', 'two'], verdicts: [verdict('top-n', 'one')] });
  store({ ...between, createdAt: Date.UTC(2026, 0, 2) });
  const verdicts = [verdict('seed', 'one', { verdict: 'ignored' })];
  store({ ...probe('c', { models: ['one'], verdicts }), createdAt: Date.UTC(2026, 0, 3) });
  useShownCheck.setState({ shown: { probe: 'c', load: null } });
  const { result } = await openCheck();
  await expect.element(result.getByText(/^1 difference from the probe of Jan 1/)).toBeVisible();
});

it('names the format of a cell, and says if the format isn’t asked', async () => {
  const formats = ['', 'responses'] as const;
  const verdicts = [verdict('seed', 'one')];
  store(probe('a', { models: ['one'], formats: [...formats], verdicts }), { state: 'running' });
  useShownCheck.setState({ shown: { probe: 'a', load: null } });
  const { screen } = await openCheck();
  const cell = (name: RegExp) => screen.getByRole('button', { name });
  await expect.element(cell(/^Seed twice, one, Chat completions: Honored/)).toBeVisible();
  await expect.element(cell(/^Stop sequence, one, Chat completions: …/)).toBeVisible();
  await cell(/^Seed twice, one, Responses: –/).click();
  await expect.element(screen.getByText('Not asked in this format')).toBeVisible();
});

it('keeps the names of rows and columns visible in a large matrix', async () => {
  const models = Array.from({ length: 20 }, (_, index) => `model ${index}`);
  const rows = Array.from({ length: 60 }, (_, index) => `${index}`);
  const asked = rows.map((id) => ({ id, group: 'Sampling', label: `Row ${id}`, requests: 1 }));
  store(probe('a', { models, asked, verdicts: [] }));
  useShownCheck.setState({ shown: { probe: 'a', load: null } });
  const { screen } = await openCheck();
  const last = screen.getByRole('button', { name: /^Row 59, model 19:/ }).element();
  last.scrollIntoView();
  for (const [role, name] of [
    ['rowheader', 'Row 59'],
    ['columnheader', /^model 19/],
  ] as const) {
    await expect.element(screen.getByRole(role, { name })).toBeInViewport({ ratio: 0.9 });
  }
});

it('deletes the runs of a check, and offers Undo beside its result', async () => {
  store(probe('a', { models: ['one'] }));
  useShownCheck.setState({ shown: { probe: 'a', load: null } });
  const { screen, result } = await openCheck();
  await result.getByRole('button', { name: 'More actions' }).click();
  await screen.getByRole('menuitem', { name: 'Delete runs, keep results' }).click();
  await expect.element(result.getByText('Runs deleted')).toBeVisible();
  await expect.element(result.getByRole('button', { name: 'Undo' })).toBeVisible();
});

it('deletes a saved check by keyboard, and offers Undo', async () => {
  store(probe('a', { models: ['one'] }));
  store({ ...probe('b', { models: ['two'] }), createdAt: Date.UTC(2026, 0, 3) });
  const { screen } = await openCheck();
  const rows = screen.getByRole('region', { name: 'Saved checks' }).getByRole('listitem');
  await expect.element(rows.first()).toMatchTextContent(/^two/);
  await screen.getByRole('button', { name: /^two Chat/ }).click();
  await userEvent.keyboard('{Delete}');
  await expect.element(screen.getByText('Check deleted')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
  expect(checks.stored.map(({ check }) => check.id)).toEqual(['a']);
  await expect.element(screen.getByRole('region', { name: 'What is asked' })).toBeVisible();
});

it('says that a probe of a gateway without costs is free', async () => {
  fakeChecks.plan.mockResolvedValue({ asked: [], estimate: { ...estimate, dollars: 0 } });
  const { screen } = await openCheck();
  await expect.element(screen.getByText(/ 5,000 output tokens · free$/)).toBeVisible();
});

it('shows why a check couldn’t start only in its tab', async () => {
  fakeChecks.plan.mockRejectedValue(refusal(appError('not-found', 'It can’t be planned.', '')));
  const { screen, button } = await openCheck();
  await button('Run').click();
  await expect.element(screen.getByText('It can’t be planned.')).toBeVisible();
  await screen.getByRole('tab', { name: 'Load' }).click();
  await expect.element(screen.getByText('It can’t be planned.')).not.toBeInTheDocument();
});

it('refuses a load that can’t decide its target, and starts one with stages and limits', async () => {
  const { screen, button } = await openCheck();
  await screen.getByRole('tab', { name: 'Load' }).click();
  await expect.element(screen.getByText(/Load only gateways that you may load/)).toBeVisible();
  const requests = screen.getByRole('spinbutton', { name: 'Requests per stage' });
  await requests.fill('19');
  await expect.element(screen.getByText('Stages and target need at least 20.')).toBeVisible();
  await expect.element(button('Run')).toHaveAttribute('aria-disabled', 'true');
  await requests.fill('25');
  await screen.getByRole('textbox', { name: 'Stages' }).fill('1 2 4');
  await screen.getByRole('spinbutton', { name: 'Cost ($)' }).fill('0.5');
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('First\nSecond');
  await screen.getByRole('switch', { name: 'Each line is a prompt' }).click();
  await button('Run').click();
  await expect.element(screen.getByRole('alertdialog', { name: 'Load Demo?' })).toBeVisible();
  await button('Start').click();
  await expect
    .poll(() => checks.started)
    .toMatchObject([
      {
        kind: 'load',
        models: ['one'],
        requests: [
          { stream: true, max_tokens: 64, messages: [{ content: 'First' }] },
          { stream: true, max_tokens: 64, messages: [{ content: 'Second' }] },
        ],
        stages: [1, 2, 4].map((atOnce) => ({ atOnce, requests: 25 })),
        limits: { requests: 1000, seconds: 600, cost: 0.5, errorShare: 0.5 },
        target: { figure: 'firstTokenMs', percentile: 95, ms: 2000 },
      },
    ]);
});

it('shows the metrics of a load as charts and a table, and the largest number within the target', async () => {
  const stages = [stage(1, 400), stage(2, 900), stage(4, 3000)];
  const results = [
    { model: 'one', stages },
    { model: 'two', stages: stages.slice(0, 1) },
  ];
  store(load('a', { models: ['one', 'two'], results, stopped: 'seconds' }), { state: 'stopped' });
  const { screen, result } = await openCheck();
  await screen.getByRole('tab', { name: 'Load' }).click();
  await screen.getByRole('button', { name: /^one, two Chat/ }).click();
  await expect.element(result.getByText('Ended at the time limit.')).toBeVisible();
  await expect.element(result.getByText('84 requests · 8 for warm-up')).toBeVisible();
  await expect
    .element(result.getByRole('list', { name: 'Target' }))
    .toMatchTextContent(/^2 at once for one1 at once for two.* p95 ≤ 2\.00 s$/);
  await expect.element(result.getByRole('img', { name: /^First token/ })).toBeVisible();
  await expect.element(result.getByRole('img', { name: /^Throughput/ })).toBeVisible();
  const rows = result.getByRole('table').getByRole('row');
  await expect
    .element(rows.nth(2))
    .toMatchTextContent(/^1205\.0% \(rate limited 1\)400 ms500 ms600 ms–202\.01283 ms, 12 msMet$/);
  await result.getByText('First of 3 requests in turn').click();
  await expect.element(result.getByText('"Describe a harbor."')).toBeVisible();
  await result.getByRole('radio', { name: 'Between tokens' }).click();
  await expect.element(rows.nth(2)).toMatchTextContent(/^1205\.0% \(rate limited 1\)–––––2\.0/);
});

it('offers only metrics that embeddings have', async () => {
  const stages = [{ ...stage(1, 400), firstTokenMs: null, tokensPerSecond: null }];
  store(load('a', { operation: 'embeddings', target: null, results: [{ model: 'one', stages }] }));
  useShownCheck.setState({ kind: 'load', shown: { probe: null, load: 'a' } });
  const { screen, result } = await openCheck();
  await screen.getByRole('combobox', { name: 'Operation' }).selectOptions('Embeddings');
  const metric = screen.getByRole('combobox', { name: 'Metric' });
  await expect.element(metric).toHaveValue('totalMs');
  expect(metric.element().textContent).toBe('NoneTotal time');
  await expect.element(result.getByRole('img', { name: /^Total time/ })).toBeVisible();
  await expect.element(result.getByRole('img', { name: /^Throughput \(requests/ })).toBeVisible();
});

it('says that a load without enough successful requests can’t tell', async () => {
  const failed = {
    ...stage(1, 0),
    errors: { 'stream-cut': 1 },
    firstTokenMs: null,
    tokensPerSecond: null,
    clientDelayMs: null,
    meetsTarget: null,
  };
  store(load('a', { results: [{ model: 'one', stages: [failed] }] }));
  useShownCheck.setState({ kind: 'load', shown: { probe: null, load: 'a' } });
  const { result } = await openCheck();
  const target = result.getByRole('list', { name: 'Target' });
  await expect.element(target).toMatchTextContent(/^Can’t tell.* p95 ≤ 2\.00 s$/);
  await expect.element(result.getByText('No values').first()).toBeVisible();
  const row = result.getByRole('table').getByRole('row').nth(1);
  await expect.element(row).toMatchTextContent(/^1205\.0% \(stream cut 1\)–––––2\.0–––$/);
});

it('tells twenty models apart in a chart, by color, shape and dashes', async () => {
  const models = Array.from({ length: 20 }, (_, index) => `model ${index}`);
  const results = models.map((model) => ({ model, stages: [stage(1, 400), stage(2, 500)] }));
  store(load('a', { models, results }));
  useShownCheck.setState({ kind: 'load', shown: { probe: null, load: 'a' } });
  const { result } = await openCheck();
  const chart = result.getByRole('img', { name: /^First token/ });
  await expect.element(chart).toBeVisible();
  const describe = (path: Element) => {
    const color = path.closest('[data-series]')?.getAttribute('data-series');
    return [
      color,
      path.getAttribute('stroke-dasharray'),
      path.getAttribute('transform') && path.getAttribute('d'),
    ].join();
  };
  const looks = [...chart.element().querySelectorAll('path')].map(describe);
  const count = (isCounted: (look: string) => boolean) => new Set(looks.filter(isCounted)).size;
  expect(count((look) => look.includes('M'))).toBe(20);
  expect(count((look) => / 3,/.test(look))).toBe(20);
});

it('shows all columns of a load’s table in a window of 1280 pixels', async () => {
  const times = { count: 100, p50: 1234, p90: 2345, p95: 3456, p99: 4567, max: 5678 };
  const stages = [1, 2].map((atOnce) => ({
    ...stage(atOnce, 400),
    requests: 1000,
    errors: { 'rate-limited': 120, 'stream-cut': 12, timeout: 3 },
    firstTokenMs: times,
    requestsPerSecond: 123.4,
    tokensPerSecond: 1234.5,
    clientDelayMs: times,
  }));
  store(load('a', { results: [{ model: 'one', stages }] }));
  useShownCheck.setState({ kind: 'load', shown: { probe: null, load: 'a' } });
  const { result } = await openCheck({ width: 1280 - NAVIGATION_WIDTH });
  const table = result.getByRole('table');
  await expect.element(table.getByRole('columnheader', { name: 'Target' })).toBeVisible();
  const box = table.element().parentElement;
  expect(box?.scrollWidth).toBe(box?.clientWidth);
});

/** The navigation rail, which this page leaves out. */
const NAVIGATION_WIDTH = 52;
