import type { ComponentType } from 'react';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { RunRecord } from '../../renderer/features/history/run-record.tsx';
import { useConnectDialog } from '../../renderer/lib/connections.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { RunLiveness } from '../../renderer/run/frame/run-liveness.tsx';
import { RunRow } from '../../renderer/run/list/run-list.tsx';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { lazyComponent } from '../../renderer/ui/lazy-component.tsx';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { appError } from '../../shared/errors.ts';
import { createInitialView, type RunView } from '../../shared/run-view.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { openPanel, type Panel } from './every-panel.tsx';
import { api, main, refusal } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels, show } from './panel-fixtures.tsx';
import { mine } from './params-fixtures.tsx';

describe('a refused run', () => {
  beforeEach(() => {
    resetPanels();
    useLayout.setState({ sidebarOpen: false });
  });

  it('opens the model picker if a run has no model', async () => {
    main.models = { ...main.models, preselected: null };
    panelForms.completion.change({ input: { prompt: 'Once' } });
    const { screen } = await openPanel('completion');
    const model = screen.getByRole('combobox', { name: 'Model' });
    await expect.element(model).toBeEnabled();
    await screen.getByRole('textbox', { name: 'Prompt' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    const alert = screen.getByRole('alert').filter({ hasText: 'Choose a model first.' });
    await expect.element(alert).toBeVisible();
    await expect.element(model).toHaveFocus();
  });
});

describe('a run without a result', () => {
  beforeEach(resetPanels);

  const id = 'run-1';
  const nothing = vi.fn();
  const ended = { status: 'succeeded', finishedAt: Date.now() } as const;

  function withoutResult(view: RunView, noResult: string): RunView {
    const figures = { model: null, usage: null, finishReasons: [], noResult };
    return { ...view, figures };
  }

  const amber = () => colorOf('--warning');

  /** Resolves a color role to its computed color. */
  function colorOf(role: string): string {
    const probe = document.createElement('span');
    probe.style.color = `var(${role})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  const reasons = {
    completion: 'The token limit was reached before any text.',
    image: 'The gateway blocked the prompt: safety.',
    video: 'The task completed without a video.',
    rerank: 'The response ranks no documents.',
    speech: 'The audio is empty.',
    transcription: 'No speech was found in the audio.',
  } as const;

  it('marks only runs without a result in amber in lists and History', async () => {
    const view = withoutResult(runView('speech', ended), reasons.speech);
    layDown(view);
    const screen = await render(
      <PanelPage>
        <RunRow run={view} detail="" />
        <RunRow run={createInitialView(runSummary({ ...ended, operation: 'speech' }))} detail="" />
        <RunRecord
          runId={id}
          repeating={false}
          stopping={false}
          onOpen={nothing}
          onRunAgain={nothing}
          onFollow={nothing}
          onStop={nothing}
          onDelete={nothing}
        />
      </PanelPage>,
    );
    const marks = screen.getByText('No result', { exact: true });
    await expect.poll(() => marks.elements().length).toBe(2);
    for (const mark of marks.elements()) {
      expect(getComputedStyle(mark).color).toBe(amber());
      expect(mark.closest('[data-tooltip]')?.getAttribute('data-tooltip')).toBe(reasons.speech);
    }
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(`No result. ${reasons.speech}`);
    const other = screen.getByText('Succeeded', { exact: true });
    expect(getComputedStyle(other.element()).color).not.toBe(amber());
  });
});

describe('a running run', () => {
  const startedAt = Date.now();
  /** The current state of the run. */
  const run = { seq: 1, lastEventAt: 0, text: 'Once', update: (_update: RunUpdate) => {} };
  let now = startedAt;

  function createSnapshot(): RunUpdate {
    const { seq, lastEventAt, text } = run;
    const state = { choices: [{ index: 0, text, other: {}, finishReason: null }] };
    const view = runView('completion', { seq, createdAt: startedAt, startedAt, state });
    return { type: 'snapshot', seq, view, quietMs: now - lastEventAt };
  }

  /** Yields the current state to a watcher, then its updates. */
  async function* watch(): AsyncGenerator<RunUpdate, void> {
    yield createSnapshot();
    while (true) {
      yield await new Promise<RunUpdate>((resolve) => {
        run.update = resolve;
      });
    }
  }

  beforeEach(() => {
    now = startedAt;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    vi.spyOn(api.runs, 'watch').mockImplementation(async () => watch());
    useLinkState.setState('open', true);
    Object.assign(run, { seq: 1, lastEventAt: now, text: 'Once' });
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('shows how long a run has been silent, including while it was hidden', async () => {
    const screen = await render(<RunLiveness runId="run-1" />);
    await expect.element(screen.getByText(/^Streaming · [\d.]+ s · about 1 token$/)).toBeVisible();
    now += 120_000;
    await expect.element(screen.getByText(/no data for 120 s$/)).toBeVisible();
    await screen.rerender(<p>Another panel</p>);
    await screen.rerender(<RunLiveness runId="run-1" />);
    await expect.element(screen.getByText(/no data for 120 s$/)).toBeVisible();
    await expect.poll(() => vi.mocked(api.runs.watch).mock.calls).toHaveLength(2);
    run.update({ type: 'update', from: 1, to: 2, patch: [] });
    await expect.element(screen.getByText(/^Streaming · 2 min 0 s · about 1 token$/)).toBeVisible();
    await screen.rerender(<p>Another panel</p>);
    Object.assign(run, { seq: 9, lastEventAt: now - 90_000 });
    await screen.rerender(<RunLiveness runId="run-1" />);
    await expect.element(screen.getByText(/no data for 90 s$/)).toBeVisible();
  });

  it('shows the first output before the next tick', async () => {
    vi.spyOn(window, 'setInterval').mockReturnValue(0 as never);
    run.text = '';
    // Views of earlier tests are kept.
    const screen = await render(<RunLiveness runId="run-2" />);
    await expect.element(screen.getByText(/^Waiting/)).toBeVisible();
    Object.assign(run, { seq: 2, text: 'Once' });
    run.update(createSnapshot());
    await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
  });

  it('doesn’t claim to be streaming while the connection is lost', async () => {
    const screen = await render(<RunLiveness runId="run-1" />);
    await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
    useLinkState.setState('lost', true);
    await expect.element(screen.getByText('Connection lost')).toBeVisible();
    await expect.element(screen.getByText(/^Streaming/)).not.toBeInTheDocument();
    useLinkState.setState('open', true);
    await expect.element(screen.getByText(/^Streaming/)).toBeVisible();
  });
});

describe('a deleted run', () => {
  beforeEach(() => {
    useLinkState.setState('open', true);
    resetPanels();
  });

  /** Stores a run and shows it in its panel. */
  function showRun(operation: Panel) {
    const view = runView(operation, { id: `${operation}-run`, status: 'succeeded', finishedAt: 1 });
    show(view, { method: 'GET', path: '/v1/models', headers: [], body: null });
    return view;
  }

  /** Forgets all runs, as a reload does. */
  function forgetRuns(): void {
    useLiveRuns.setState({ views: {}, problems: {}, dataAt: {} });
  }

  it('shows no result after a reload if its run was deleted', async () => {
    showRun('rerank');
    main.runs = [];
    forgetRuns();
    const { screen, button } = await openPanel('rerank');
    await expect.element(screen.getByText('Find the best match')).toBeVisible();
    await expect.element(button('Inspect')).not.toBeInTheDocument();
    expect(screen.getByRole('alert').query()).toBeNull();
  });

  it('reloads a run that couldn’t be read, without sending it again', async () => {
    const error = appError('file', 'It cannot be read.', '');
    const watch = vi.spyOn(api.runs, 'watch').mockRejectedValue(refusal(error));
    showRun('console');
    forgetRuns();
    const { screen, button } = await openPanel('console');
    const alert = screen.getByText('It cannot be read.');
    await expect.element(alert).toBeVisible();
    watch.mockRestore();
    await button('Retry').click();
    await expect.element(button('Inspect')).toBeVisible();
    await expect.element(alert).not.toBeInTheDocument();
    expect(main.started).toEqual([]);
  });
});

describe('a first screen', () => {
  beforeEach(() => resetPanels());

  it('opens the dialog for a gateway, and hides the offer once one is connected', async () => {
    const first = await openPanel('completion');
    await first.button('Connect your gateway').click();
    expect(useConnectDialog.getState().open).toBe(true);
    useConnectDialog.setState({ open: false });
    await first.screen.unmount();
    resetPanels();
    main.connections = [...main.connections, mine];
    const { screen, button } = await openPanel('completion');
    await expect.element(screen.getByRole('list', { name: 'Examples' })).toBeVisible();
    await expect.element(button('Connect your gateway')).not.toBeInTheDocument();
  });
});

describe('a component that fails to load', () => {
  beforeEach(() => useLinkState.setState('open', true));

  /** Fakes a file that loads only while `isServed` is true. */
  function served<Props>(part: ComponentType<Props>) {
    const file = { isServed: false, attempts: 0 };
    const load = async () => {
      file.attempts += 1;
      if (!file.isServed) throw new TypeError('Failed to fetch dynamically imported module');
      return part;
    };
    return { file, load };
  }

  const message = 'Couldn’t load this section.';

  test('replaces a component that failed to load with a message, and keeps the rest', async () => {
    const { file, load } = served(({ name }: { name: string }) => <p>Hello, {name}</p>);
    const Part = lazyComponent(load);
    const screen = await render(
      <>
        <textarea aria-label="Draft" />
        <Part name="you" />
      </>,
    );
    await screen.getByRole('textbox').fill('kept');
    const alert = screen.getByRole('alert');
    await expect.element(alert).toMatchTextContent(message);
    await expect.element(alert).not.toMatchTextContent('reachable');

    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => file.attempts).toBe(2);
    await expect.element(alert).toMatchTextContent(message);
    file.isServed = true;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('Hello, you')).toBeVisible();
    await expect.element(screen.getByRole('textbox')).toHaveValue('kept');
    expect(file.attempts).toBe(3);
  });
});
