import { afterEach, beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { Inspector } from '../../renderer/features/inspector/inspector.tsx';
import { selectInspectedRun, setInspectorTab } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { appError } from '../../shared/errors.ts';
import {
  makePoll,
  makeRequest,
  polled,
  polls,
  recordTask,
  submit,
  submitted,
} from './exchange-fixtures.ts';
import { main } from './inspector-fake-main.ts';
import { Queries } from './params-fixtures.tsx';

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

test('adds new polls and keeps the submission selected', async () => {
  recordTask([...submit, ...makePoll(1, 'queued')]);
  const { screen, line } = await inspector();
  await expect.element(line(/^GET/)).toMatchTextContent(/200 · queued/);
  const going = [...submit, ...makePoll(1, 'queued'), ...makePoll(2, 'in_progress')];
  useLiveRuns.setState({ views: { 'run-1': recordTask(going) } });
  await expect.element(line(/in_progress/)).toBeVisible();
  useLiveRuns.setState({
    views: { 'run-1': recordTask([...going, makeRequest(3, 'GET', polled)]) },
  });
  await expect.element(line(/^2 polls/)).toBeVisible();
  await expect.element(line(/^POST/)).toHaveAttribute('aria-current', 'true');
  await expect.element(screen.getByText(submitted, { exact: true })).toBeVisible();
  // The page doesn't fetch finished exchanges again.
  expect(main.exchangesFetched[0]).toBe(2);
  expect(Math.max(...main.exchangesFetched.slice(1))).toBeLessThan(4);
});

test('shows the failed exchange with the error of the run', async () => {
  const error = appError(
    'malformed-response',
    'The gateway reported a finished video but returned no link.',
    'Open the inspector to see the response.',
  );
  recordTask([...submit, ...polls, ...makePoll(4, 'completed')], { status: 'failed', error });
  setInspectorTab('response');
  const { screen, line } = await inspector();
  await expect.element(line(/completed/)).toHaveAttribute('aria-current', 'true');
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/returned no link/);
  await expect.element(screen.getByRole('cell', { name: 'to 4' })).toBeVisible();
  await line(/^POST/).click();
  await expect.element(screen.getByRole('cell', { name: 'to 0' })).toBeVisible();
  expect(screen.getByRole('alert').elements()).toHaveLength(0);
});

test('keeps the DOM small for thousands of polls', async () => {
  const many = Array.from({ length: 2000 }, (_, index) =>
    makePoll(index + 1, 'in_progress'),
  ).flat();
  recordTask([...submit, ...many]);
  const { screen, list, line } = await inspector();
  await line(/^2,000 polls/).click();
  await userEvent.keyboard('{End}');
  await expect.element(line(/33 min 20 s/)).toHaveFocus();
  expect(list.getByRole('listitem').elements().length).toBeLessThan(250);
  expect(screen.container.querySelectorAll('*').length).toBeLessThan(2500);
});
