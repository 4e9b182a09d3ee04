import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { Inspector } from '../../renderer/features/inspector/inspector.tsx';
import { inspectRun, selectInspectedRun, setInspectorTab } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { useCodeChoice } from '../../renderer/run/code/code-pane.tsx';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { useOnScreen } from '../../renderer/run/live/on-screen.ts';
import { appError } from '../../shared/errors.ts';
import { runView } from '../fixtures/run-view.ts';
import { main, timings } from './inspector-fake-main.ts';
import { storedTone } from './media-fixtures.ts';
import { recordNotes } from './notes.ts';
import { Queries } from './params-fixtures.tsx';
import { chunk, request, response, seed, streamed } from './run-events-fixtures.ts';

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

test('highlights code, and remembers the official client if it has a method', async () => {
  const screen = await inspector();
  await screen.getByRole('tab', { name: 'Code' }).click();
  const code = screen.getByRole('region', { name: 'Code text' });
  await expect.element(code).toMatchTextContent(/curl .*--data-raw '\{.*"model"/s);
  const pieces = (scope: string) =>
    [...code.element().querySelectorAll(`[data-scope="${scope}"]`)].map((of) => of.textContent);
  await expect.poll(() => pieces('attr')).toEqual(['"model"', '"prompt"']);
  expect(pieces('string')).toContain('"demo-story"');
  expect(pieces('string').join()).toContain('127.0.0.1');

  const language = (name: string) => screen.getByRole('radio', { name, exact: true });
  expect(screen.getByRole('radiogroup', { name: 'Client' }).query()).toBeNull();
  await language('TypeScript').click();
  await language('openai').click();
  await expect.element(code).toMatchTextContent(/await client\.completions\.create\(/);
  await unmount?.();

  seed({ ...streamed, id: 'run-2' }, [{ ...request, url: 'http://127.0.0.1:1/v1/rerank' }]);
  await inspector();
  await expect.element(code).toMatchTextContent(/await fetch\(/);
  expect(JSON.parse(localStorage.getItem('gatehouse:code') ?? '').state).toEqual({
    language: 'typescript',
    prefersOfficial: true,
  });
});

test('saves the files that the code reads and names missing ones', async () => {
  const { id } = await storedTone(0.1);
  const notes = recordNotes();
  const gone = 'A'.repeat(22);
  const body = JSON.stringify({
    audio: `<base64 of tone.wav, 1 kB, media:${id}>`,
    others: [`<base64 of tone.wav, 1 kB, media:${gone}>`],
  });
  seed(streamed, [{ ...request, body }]);
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.getAttribute('href') ?? '');
  });
  const screen = await inspector();
  await screen.getByRole('tab', { name: 'Code' }).click();
  await expect.element(screen.getByText(/Reads tone.wav, tone-2.wav from/)).toBeVisible();
  await screen.getByRole('button', { name: 'Download files' }).click();
  await expect.poll(() => saved).toEqual([`/media/${id}?download=tone.wav`]);
  await expect
    .poll(() => notes.map(({ text }) => text))
    .toEqual(['No longer in the library: tone-2.wav']);
});

test('shows an old run without loading all newer runs', async () => {
  const runs = Array.from({ length: 250 }, (_, index) =>
    runView('completion', {
      id: `run-${index}`,
      status: 'succeeded',
      model: `model-${index}`,
      createdAt: 1_800_000_000_000 - index * 1000,
    }),
  );
  main.runs = runs;
  main.views = Object.fromEntries(runs.map((run) => [run.id, run]));
  const screen = await inspector();
  await expect.element(screen.getByRole('option', { name: /model-0/ })).toBeInViewport();
  inspectRun('run-240');
  const old = screen.getByRole('option', { name: /model-240/ });
  await expect.element(old).toBeInViewport();
  await expect.element(old).toHaveAttribute('aria-selected', 'true');
  expect(main.pagesListed).toBe(1);

  // The old run stays at the top while the user looks at other runs.
  old.element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect
    .element(screen.getByRole('option', { name: /model-0/ }))
    .toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(old).toHaveAttribute('aria-selected', 'true');
  expect(main.pagesListed).toBe(1);
});

test('keeps the DOM small for a long body', async () => {
  const body = JSON.stringify({ image: 'x'.repeat(3_000_000), list: Array(20_000).fill(1) });
  seed(streamed, [{ ...request, body }]);
  const screen = await inspector();
  const raw = screen.getByRole('button', { name: 'Raw' });
  await expect.element(raw).toHaveAttribute('aria-pressed', 'true');
  await raw.click();
  await expect.element(screen.getByText('"image"', { exact: false })).toBeInTheDocument();
  const texts = [...screen.container.querySelectorAll('code')].map(
    (code) => code.textContent.length,
  );
  expect(Math.max(...texts)).toBeLessThanOrEqual(2000);
  expect(screen.container.querySelectorAll('*').length).toBeLessThan(1500);
});

test('lists runs by search, status and the conversation on screen', async () => {
  seed({ ...streamed, conversationId: 'talk' }, [request, response]);
  useOnScreen.setState({ runId: streamed.id });
  onTestFinished(() => useOnScreen.setState({ runId: null }));
  const screen = await inspector();
  const lastFilter = () => main.filters.at(-1);
  await screen.getByRole('button', { name: 'Only this conversation' }).click();
  await expect.poll(lastFilter).toMatchObject({ conversationId: 'talk', search: '' });
  await screen.getByRole('button', { name: 'Status: Any status' }).click();
  await screen.getByRole('menuitem', { name: 'Failed' }).click();
  await screen.getByRole('searchbox', { name: 'Search runs' }).fill('gate');
  await expect
    .poll(lastFilter)
    .toMatchObject({ conversationId: 'talk', status: 'failed', search: 'gate' });
});

test('asks before deleting an active run', async () => {
  seed(runView('completion', { seq: 1 }), [request]);
  const screen = await inspector();
  await screen.getByRole('button', { name: 'Delete run' }).click();
  await expect.element(screen.getByRole('alertdialog')).toBeVisible();
  expect(main.removed).toEqual([]);
  await screen.getByRole('button', { name: 'Delete', exact: true }).click();
  await vi.waitFor(() => expect(main.removed).toEqual(['run-1']));
});

test('opens a failed run on its response, and names the status in its row', async () => {
  const gateway = {
    status: 429,
    message: null,
    type: null,
    code: null,
    param: null,
    requestId: null,
    bodyExcerpt: null,
  };
  const error = appError('rate-limited', 'Rate limit reached.', 'Wait.', {
    gateway,
    retryAfterSeconds: null,
  });
  seed({ ...streamed, id: 'run-9', status: 'failed', error }, [
    request,
    { ...response, status: 429 },
  ]);
  const screen = await inspector();
  const tab = (name: string) => screen.getByRole('tab', { name, exact: true });
  await expect.element(tab('Response')).toHaveAttribute('aria-selected', 'true');
  await expect.element(screen.getByRole('option').first()).toMatchTextContent(/HTTP 429/);
  await tab('Request').click();
  await expect.element(tab('Request')).toHaveAttribute('aria-selected', 'true');
});

test('leaves the gateway’s reason to the body, and shows the next step beside it', async () => {
  const reason = 'The model "nope" does not exist.';
  const gateway = {
    status: 404,
    type: null,
    param: null,
    code: null,
    message: reason,
    requestId: null,
    bodyExcerpt: null,
  };
  const error = appError('not-found', `Not found: ${reason}`, 'Check the model ID.', { gateway });
  const text = JSON.stringify({ error: { message: reason } });
  seed({ ...streamed, status: 'failed', error, seq: 4 }, [
    request,
    { ...response, status: 404 },
    { kind: 'body', seq: 3, atMs: 110, exchange: 0, text, truncated: false },
    { kind: 'exchange-end', seq: 4, atMs: 110, exchange: 0, status: 'failed', error, timings },
  ]);
  const screen = await inspector();
  await screen.getByRole('tab', { name: 'Response' }).click();
  const alert = screen.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/^Not found\. HTTP 404Check the model ID\./);
  await expect.element(screen.getByRole('heading', { name: 'Body' })).toBeVisible();
});
