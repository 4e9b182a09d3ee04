import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { Inspector } from '../../renderer/features/inspector/inspector.tsx';
import { selectInspectedRun, setInspectorTab } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { useCodeChoice } from '../../renderer/run/code/code-pane.tsx';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { useOnScreen } from '../../renderer/run/live/on-screen.ts';

import type { RunEventBody } from '../../shared/run.ts';
import { timingTooltips } from '../../shared/run-times.ts';

import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { main, timings } from './inspector-fake-main.ts';
import { Queries } from './params-fixtures.tsx';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import {
  makeAnswer,
  makePoll,
  makeRequest,
  polls,
  recordTask,
  submit,
} from './exchange-fixtures.ts';
import { chunk, request, response, seed, streamed } from './run-events-fixtures.ts';

describe('a run', () => {
  beforeEach(() => {
    seed(streamed, [
      request,
      response,
      chunk(3, 205, '{"choices":[{"text":"Hello"}]}'),
      chunk(4, 605, '{"choices":[{"text":" there"}]}'),
      chunk(5, 1205, '[DONE]'),
      {
        kind: 'exchange-end',
        seq: 6,
        atMs: 1205,
        exchange: 0,
        status: 'succeeded',
        error: null,
        timings,
      },
    ]);
    main.removed = [];
    main.blind = [];
    main.undone = [];
    main.pagesListed = 0;
    useLinkState.setState('open', true);
    useLiveRuns.setState({ views: {}, problems: {} });
    selectInspectedRun(null);
    setInspectorTab('request');
    useCodeChoice.setState({ language: 'curl', prefersOfficial: false });
  });

  let unmount: (() => Promise<void>) | null = null;
  afterEach(async () => unmount?.());

  async function inspector() {
    const screen = await render(
      <Queries>
        <div style={{ display: 'flex', width: 1100, height: 420 }}>
          <Inspector />
        </div>
      </Queries>,
    );
    unmount = screen.unmount;
    return screen;
  }

  test('lists runs with status, model, tokens and first words, and opens the newest', async () => {
    const usage = { prompt_tokens: 1200, completion_tokens: 34 };
    seed(
      runView('completion', {
        status: 'succeeded',
        model: 'demo-story',
        preview: 'Once upon a time',
        figures: { model: null, usage, finishReasons: ['stop'], noResult: null },
      }),
      [],
    );
    const screen = await inspector();
    const newest = screen.getByRole('option', { name: /demo-story/ });
    await expect
      .element(newest)
      .toMatchTextContent(/^Completion\s*demo-story.*Once upon a time.*Succeeded.*1,234 tokens/s);
    await expect.element(newest).toHaveAttribute('aria-selected', 'true');
    await expect
      .element(screen.getByRole('option', { name: /demo-echo/ }))
      .toMatchTextContent(/Failed/);
  });

  test('opens on the run of the panel until the user selects another', async () => {
    onTestFinished(() => useOnScreen.setState({ runId: null }));
    const runs = ['newer', 'shown'].map((id, at) => {
      const createdAt = 1_800_000_000_000 - at;
      return runView('completion', { id, status: 'succeeded', model: `${id}-model`, createdAt });
    });
    main.runs = runs;
    main.views = Object.fromEntries(runs.map((run) => [run.id, run]));
    useOnScreen.setState({ runId: 'shown' });
    const screen = await inspector();
    const row = (id: string) => screen.getByRole('option', { name: new RegExp(`${id}-model`) });
    await expect.element(row('shown')).toHaveAttribute('aria-selected', 'true');
    await row('newer').click();
    await expect.element(row('newer')).toHaveAttribute('aria-selected', 'true');
    await expect.element(row('shown')).toHaveAttribute('aria-selected', 'false');
  });

  test('hides a run’s model in a blind comparison', async () => {
    main.blind = ['birds'];
    seed({ ...streamed, comparisonId: 'birds', cell: 0 }, [request]);
    const screen = await inspector();
    const row = screen.getByRole('option', { name: /Completion.*Hidden while Blind is on/ });
    await expect.element(row).toBeVisible();
    await expect.element(screen.getByText('Turn off Blind to inspect this request.')).toBeVisible();
    await expect.element(screen.getByRole('option', { name: /demo-echo/ })).toBeVisible();
    expect(document.body.textContent).not.toContain('demo-story');
  });

  test('shows a run’s masked request, response, events and phases', async () => {
    const screen = await inspector();
    const open = (name: string) => screen.getByRole('tab', { name }).click();
    await expect.element(screen.getByText('http://127.0.0.1:1/v1/completions')).toBeVisible();
    await expect.element(screen.getByText('Bearer ••••1234')).toBeVisible();
    await expect.element(screen.getByText('"it\'s"')).toBeVisible();
    await screen.getByRole('button', { name: 'Raw' }).click();
    await expect.element(screen.getByText('{"model":"demo-story","prompt":"it\'s"}')).toBeVisible();

    await open('Response');
    for (const text of ['HTTP 200', 'cmpl-7', 'Hello there', 'The stream repeated the role.']) {
      await expect.element(screen.getByText(text)).toBeVisible();
    }

    await open('Events');
    const second = screen.getByRole('button', { name: /there/ });
    await expect.element(second).toMatchTextContent(/605 ms.*\+400 ms/s);
    await second.click();
    const delta = screen.getByRole('tree', { name: 'Delta' });
    await expect.element(delta.getByText('" there"')).toBeVisible();
    await expect.element(screen.getByText('"choices"')).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Show full event' }).click();
    await expect.element(screen.getByText('"choices"')).toBeVisible();
    await screen.getByRole('searchbox', { name: 'Filter events' }).fill('done');
    await expect.element(screen.getByText('1 of 3 events')).toBeVisible();

    await open('Timing');
    const phases = screen.getByRole('table', { name: 'Phases' });
    const row = (name: RegExp | string) => screen.getByRole('row', { name });
    await expect
      .element(phases.getByRole('row', { name: /Streaming/ }))
      .toMatchTextContent(/1\.00 s/);
    await expect.element(row(/Waiting for headers/)).toMatchTextContent(/100 ms/);
    await expect.element(row('Longest gap 400 ms')).toBeVisible();
    for (const [name, words] of [
      ['Total time 1.21 s', timingTooltips.total],
      ['First output 205 ms', timingTooltips.firstOutput],
    ] as const) {
      await expect.element(row(name)).toHaveAttribute('data-tooltip', words);
    }
  });

  test('deletes a run and offers Undo', async () => {
    const screen = await inspector();
    await screen.getByRole('button', { name: 'Delete run' }).click();
    await expect.element(screen.getByText('Run deleted')).toBeVisible();
    expect(main.removed).toEqual(['run-1']);
    await screen.getByRole('button', { name: 'Undo' }).click();
    await vi.waitFor(() => expect(main.undone).toEqual(['deletion of run-1']));
  });
});

describe('exchanges', () => {
  const film = 'http://cdn.example/film.zip';

  const file = medium({
    id: 'film-id',
    type: 'application/zip',
    declaredType: 'video/mp4',
    name: 'film.zip',
    sizeBytes: 1_200_000,
  });

  const download = [
    makeRequest(5, 'GET', film),
    ...makeAnswer(5),
    { kind: 'media', exchange: 5, media: file } satisfies RunEventBody,
  ];
  const whole = [...submit, ...polls, ...makePoll(4, 'completed'), ...download];

  beforeEach(() => {
    main.exchangesFetched = [];
    useLinkState.setState('open', true);
    useLiveRuns.setState({ views: {}, problems: {} });
    selectInspectedRun(null);
    setInspectorTab('request');
  });

  let unmount: (() => Promise<void>) | null = null;
  afterEach(async () => unmount?.());

  async function inspector() {
    const screen = await render(
      <Queries>
        <div style={{ display: 'flex', width: 1100, height: 420 }}>
          <Inspector />
        </div>
      </Queries>,
    );
    unmount = screen.unmount;
    const list = screen.getByRole('list', { name: 'Exchanges' });
    return { screen, list, line: (name: RegExp) => list.getByRole('button', { name }) };
  }

  const tab = (screen: Awaited<ReturnType<typeof inspector>>['screen'], name: string) =>
    screen.getByRole('tab', { name });

  test('collapses similar polls into one line that expands to their responses', async () => {
    recordTask(whole, { status: 'succeeded' });
    const { screen, list, line } = await inspector();
    await expect.element(screen.getByText('6 exchanges')).toBeVisible();
    await expect.poll(() => list.getByRole('listitem').elements()).toHaveLength(4);
    await expect.element(line(/^POST/)).toMatchTextContent(/200 · queued.*7 ms · 4\.1 kB/);
    await expect
      .element(line(/^POST/).getByText('7 ms', { exact: true }))
      .toHaveAttribute('data-tooltip', `Total. ${timingTooltips.total}`);
    await expect.element(line(/completed/)).toBeVisible();
    await expect.element(line(/cdn\.example\/film\.zip/)).toBeVisible();
    const polled = line(/^3 polls/);
    await expect.element(polled).toMatchTextContent(/^3 polls.*in_progress/);
    await expect.element(polled).toHaveAttribute('aria-expanded', 'false');
    await polled.click();
    await expect.element(polled).toHaveAttribute('aria-expanded', 'true');
    await line(/after 2\.00 s/).click();
    await expect.element(line(/after 2\.00 s/)).toHaveAttribute('aria-current', 'true');
    await tab(screen, 'Response').click();
    await expect.element(screen.getByRole('cell', { name: 'to 2' })).toBeVisible();
    await expect.element(screen.getByText('"poll"')).toBeVisible();
    await screen.getByRole('button', { name: 'Raw' }).click();
    await expect.element(screen.getByText('{"status":"in_progress","poll":2}')).toBeVisible();
  });

  test('shows the selected exchange in every tab', async () => {
    recordTask(whole, { status: 'succeeded' });
    const { screen, line } = await inspector();
    await expect.element(line(/^POST/)).toHaveAttribute('aria-current', 'true');
    await line(/film\.zip/).click();
    await expect.element(screen.getByText(film, { exact: true })).toBeVisible();
    await expect.element(screen.getByText('No body')).toBeVisible();

    await tab(screen, 'Response').click();
    const received = screen.getByRole('region', { name: 'File' });
    await expect.element(received).toMatchTextContent(/film\.zip/);
    await expect.element(received).toMatchTextContent(/1\.2 MB/);
    await expect.element(received.getByRole('button', { name: /Download/ })).toBeVisible();

    await tab(screen, 'Timing').click();
    await expect
      .element(screen.getByRole('row', { name: 'Started 5.00 s into the run' }))
      .toBeVisible();
    await expect.element(screen.getByRole('row', { name: 'Total time 7 ms' })).toBeVisible();

    await tab(screen, 'Events').click();
    await expect.element(screen.getByText('No events')).toBeVisible();

    await tab(screen, 'Code').click();
    await expect.element(screen.getByText(/--output.*film\.zip/)).toBeVisible();
    await line(/^POST/).click();
    await expect.element(screen.getByText(/A boat/)).toBeVisible();
  });
});
