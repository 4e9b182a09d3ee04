import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { VideoPanel } from '../../renderer/features/video/video-panel.tsx';
import { handOver } from '../../renderer/media/hand-over/hand-over.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import type { OperationDescription } from '../../shared/operations/form/description.ts';
import { emptyVideoState, type VideoState } from '../../shared/operations/video/state.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import type { RunSummary } from '../../shared/run.ts';
import { timeWords } from '../../shared/run-times.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { resetForms } from './forms-fixtures.ts';
import { demo, Queries } from './params-fixtures.tsx';

const main = vi.hoisted(() => ({
  started: [] as unknown[],
  called: [] as string[],
  viewed: [] as string[],
  runs: [] as unknown[],
}));

const description: OperationDescription = {
  name: 'video',
  draft: {},
  fields: [],
  renamable: [
    { name: 'image', title: 'Image', otherNames: [] },
    { name: 'seed', title: 'Seed', otherNames: [] },
  ],
};

vi.mock('../../renderer/run/form/describe.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../../renderer/run/form/describe.ts')>()),
  useOperation: () => description,
}));
vi.mock('../../renderer/lib/connections.ts', () => ({
  useConnections: () => ({ connections: [demo], selected: demo, isPending: false, error: null }),
  selectConnection: async () => undefined,
}));
vi.mock('../../renderer/lib/link-state.ts', () => ({
  // The tests hand the views to the page themselves.
  linkOpen: () => new Promise(() => undefined),
}));
vi.mock('../../renderer/lib/app-error.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  toAppError: (error: unknown) => error,
}));
vi.mock('../../renderer/lib/api.ts', async () => {
  const { createTanstackQueryUtils } = await import('@orpc/tanstack-query');
  const { demoModels } = await import('./params-fixtures.tsx');
  const noted =
    (name: string) =>
    async ({ id }: { id: string }) => {
      main.called.push(`${name} ${id}`);
    };
  const { fakeForms } = await import('./fake-forms.ts');
  const api = {
    forms: fakeForms,
    models: { suggest: async () => demoModels },
    media: { get: async () => null, list: async () => ({ media: [], more: false }) },
    deletions: {
      undo: async ({ ids }: { ids: string[] }) => {
        main.called.push(`undo ${ids.join()}`);
        return { renamed: [], notes: [] };
      },
    },
    runs: {
      start: async (input: StartInput) => {
        main.started.push(input);
        return { runId: 'run-1' };
      },
      get: async ({ id }: { id: string }) => {
        main.viewed.push(id);
        return {
          request: { prompt: 'A boat', width: 640 },
          extraBody: {},
          wireNames: { seed: 'random_seed' },
          follow: null,
        };
      },
      list: async () => ({ runs: main.runs, more: false }),
      cancel: noted('cancel'),
      resume: noted('resume'),
      remove: async ({ id }: { id: string }) => {
        main.called.push(`remove ${id}`);
        return { deletionId: 'deletion-1' };
      },
    },
  };
  return { api, orpc: createTanstackQueryUtils(api) };
});

beforeEach(() => {
  main.started = [];
  main.called = [];
  main.viewed = [];
  main.runs = [];
  resetForms();
  useLiveRuns.setState({ views: {}, problems: {} });
});

async function panel({ width = 1300, height = 800 } = {}) {
  const screen = await render(
    <Queries>
      <div style={{ display: 'flex', width, height }}>
        <VideoPanel />
      </div>
    </Queries>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  return screen;
}

/** A task as it stands, shown and in the list. */
function showTask(state: Partial<VideoState>, more: Partial<RunSummary> = {}) {
  const view = runView('video', {
    preview: 'A boat',
    phase: videoOperation.phase({ ...emptyVideoState, ...state }),
    media: state.media ?? [],
    state,
    ...more,
  });
  main.runs = [view];
  useLiveRuns.setState({ views: { 'run-1': view } });
  panelForms.video.change({ runId: 'run-1' });
}

const accepted = { taskId: 't-1', status: 'queued', word: 'queued' } as const;

test('sends the form with its own field names and its extra parameters', async () => {
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('A boat');
  await screen.getByRole('textbox', { name: 'Seed field name' }).fill('random_seed');
  await screen.getByRole('textbox', { name: 'Value of parameter 1' }).fill('fog');
  await screen.getByRole('textbox', { name: 'Image URL' }).fill('https://example.com/a.png');
  await screen.getByRole('button', { name: 'Add Image URL' }).click();
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toMatchObject({
    request: {
      model: 'demo-story',
      prompt: 'A boat',
      image: 'https://example.com/a.png',
      metadata: { negative_prompt: 'fog' },
    },
    wireNames: { seed: 'random_seed' },
    follow: null,
  });
});

test('runs no example with an extra parameter that is listed twice', async () => {
  panelForms.video.change({
    input: {
      rows: [
        { name: 'seed', value: '1' },
        { name: 'seed', value: '2' },
      ],
    },
  });
  const screen = await panel();
  const [example] = screen.getByRole('list', { name: 'Examples' }).getByRole('button').elements();
  expect(example?.getAttribute('aria-disabled')).toBe('true');
});

test('keeps Stop until the gateway has the task; then Run is free and following can be stopped', async () => {
  showTask({});
  const screen = await panel();
  await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  showTask(accepted);
  await expect.element(screen.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/The API has no cancel/);
  await result.getByRole('button', { name: 'Stop following' }).click();
  await vi.waitFor(() => expect(main.called).toEqual(['cancel run-1']));
  showTask({ ...accepted, following: false });
  await result.getByRole('button', { name: 'Resume' }).click();
  await vi.waitFor(() => expect(main.called).toEqual(['cancel run-1', 'resume run-1']));
});

test('shows an unknown status word for word, with how far it is', async () => {
  showTask({ ...accepted, status: 'unknown', word: 'warp_9', progress: '30%' });
  const screen = await panel();
  const tasks = screen.getByRole('region', { name: 'Tasks' });
  await expect.element(tasks.getByText('warp_9')).toBeVisible();
  await expect.element(screen.getByRole('region', { name: 'Result' })).toMatchTextContent(/30%/);
});

test('shows how much of the video has come', async () => {
  const download = { doneBytes: 1_000_000, totalBytes: 4_000_000 };
  showTask({ ...accepted, status: 'completed', download });
  const screen = await panel();
  const bar = screen.getByRole('progressbar', { name: 'Downloading video' });
  await expect.element(bar).toHaveAttribute('value', '1000000');
  await expect.element(screen.getByText('1.0 MB of 4.0 MB')).toBeVisible();
});

test('follows a task again whose video could not be fetched, at its own connection', async () => {
  const error = {
    kind: 'forbidden',
    message: 'The address no longer gives it.',
    nextStep: 'Follow the task again.',
    gateway: null,
    detail: null,
  } as const;
  showTask(
    { ...accepted, status: 'completed' },
    { status: 'failed', error, finishedAt: Date.now(), connectionId: 'other' },
  );
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await result.getByRole('button', { name: 'Follow again' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toEqual({
    connectionId: 'other',
    operation: 'video',
    request: { prompt: 'A boat', width: 640 },
    extraBody: {},
    wireNames: { seed: 'random_seed' },
    follow: 't-1',
  });
});

test('fetches the request of a listed task when it is followed again, not before', async () => {
  const error = {
    kind: 'forbidden',
    message: 'The address no longer gives it.',
    nextStep: 'Follow the task again.',
    gateway: null,
    detail: null,
  } as const;
  showTask(
    { ...accepted, status: 'completed' },
    { status: 'failed', error, finishedAt: Date.now() },
  );
  panelForms.video.change({ runId: null });
  const screen = await panel();
  const tasks = screen.getByRole('region', { name: 'Tasks' });
  await tasks.getByRole('button', { name: 'Actions for A boat' }).click();
  const again = screen.getByRole('menuitem', { name: 'Follow again' });
  await expect.element(again).toBeVisible();
  expect(main.viewed).toEqual([]);
  await again.click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.viewed).toEqual(['run-1']);
  expect(main.started[0]).toMatchObject({ wireNames: { seed: 'random_seed' }, follow: 't-1' });
});

test('never sends a submit again whose outcome is unknown', async () => {
  const error = {
    kind: 'outcome-unknown',
    message: 'It may have been billed.',
    nextStep: 'Look at the gateway.',
    gateway: null,
    detail: null,
  } as const;
  showTask({}, { status: 'unknown', error, finishedAt: Date.now() });
  const screen = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result.getByRole('alert')).toMatchTextContent(/may have been billed/);
  expect(result.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
  expect(main.started).toEqual([]);
});

test('follows a known task by its id', async () => {
  const screen = await panel();
  const tasks = screen.getByRole('region', { name: 'Tasks' });
  await tasks.getByRole('button', { name: 'Follow' }).click();
  await expect.element(tasks.getByText('Enter a task ID.')).toBeVisible();
  await tasks.getByRole('textbox', { name: 'Follow a task by ID' }).fill(' t-9 ');
  await tasks.getByRole('button', { name: 'Follow' }).click();
  await vi.waitFor(() =>
    expect(main.started).toMatchObject([{ connectionId: 'demo', request: {}, follow: 't-9' }]),
  );
});

test('deletes a task that is followed, says what that means, and brings it back', async () => {
  showTask(accepted);
  const screen = await panel();
  await screen
    .getByRole('region', { name: 'Result' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await vi.waitFor(() => expect(main.called).toEqual(['remove run-1']));
  await expect.element(screen.getByText(/may still finish and bill it/)).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await vi.waitFor(() => expect(main.called.at(-1)).toBe('undo deletion-1'));
  await expect.element(screen.getByRole('region', { name: 'Result' })).toMatchTextContent(/t-1/);
});

test('an image from elsewhere replaces the one that is there, says so, and can be undone', async () => {
  const screen = await panel();
  panelForms.video.change({ input: { image: 'https://example.com/a.png' } });
  handOver('video', { kind: 'media', media: medium({ kind: 'image', type: 'image/png' }) });
  await expect.element(screen.getByText('Starting image replaced')).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('https://example.com/a.png')).toBeVisible();
});

test('a wide window shows the film large, facts and actions at its right, all in view', async () => {
  await page.viewport(1920, 1080);
  const film = medium({ kind: 'video', type: 'video/mp4', width: 1280, height: 720 });
  showTask(
    { ...accepted, status: 'completed', media: [film] },
    { status: 'succeeded', finishedAt: Date.now() },
  );
  // Beside the navigation, below the title.
  const screen = await panel({ width: 1868, height: 1056 });
  const result = screen.getByRole('region', { name: 'Result' });
  const video = result.getByLabelText('A boat', { exact: true });
  await expect.element(video).toBeInViewport({ ratio: 1 });
  const box = video.element().getBoundingClientRect();
  expect(box.width / box.height).toBeCloseTo(16 / 9, 1);
  expect(box.height).toBeGreaterThan(0.5 * 1080);
  expect(box.height).toBeLessThan(0.75 * 1080);
  for (const name of ['Use this frame', 'Send to', 'Download']) {
    const action = result.getByRole('button', { name, exact: true });
    await expect.element(action).toBeInViewport({ ratio: 1 });
    expect(action.element().getBoundingClientRect().left).toBeGreaterThan(box.right);
  }
  const facts = result.getByRole('table');
  await expect.element(facts).toBeInViewport({ ratio: 1 });
  expect(facts.element().getBoundingClientRect().left).toBeGreaterThan(box.right);
  await expect.element(screen.getByRole('region', { name: 'Tasks' })).toBeInViewport({ ratio: 1 });
});

test('an example gives back the prompt that it replaced, and keeps what was set since', async () => {
  const screen = await panel();
  const prompt = screen.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Mine');
  await screen.getByRole('button', { name: 'A time-lapse' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  await screen.getByRole('textbox', { name: 'Value of parameter 1' }).fill('fog');
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(prompt).toHaveValue('Mine');
  await expect
    .element(screen.getByRole('textbox', { name: 'Value of parameter 1' }))
    .toHaveValue('fog');
});

test('a removed starting image and a removed parameter come back', async () => {
  panelForms.video.change({
    input: {
      image: 'https://example.com/a.png',
      rows: [
        ...panelForms.video.state.getState().values.input.rows,
        { name: 'steps', value: '30' },
      ],
    },
  });
  const screen = await panel();
  await screen.getByRole('button', { name: 'Remove image' }).click();
  await expect.element(screen.getByText('Image removed')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByText('https://example.com/a.png')).toBeVisible();
  const { rows } = panelForms.video.state.getState().values.input;
  await screen.getByRole('button', { name: `Remove parameter ${rows.length}` }).click();
  await screen.getByRole('button', { name: 'Undo' }).click();
  expect(panelForms.video.state.getState().values.input.rows).toEqual(rows);
});

test('gives the total of a task as every other panel does, in its result and its row', async () => {
  const createdAt = Date.now() - 90_000;
  showTask(
    { ...accepted, status: 'completed' },
    { status: 'succeeded', createdAt, startedAt: createdAt + 100, finishedAt: createdAt + 4300 },
  );
  const screen = await panel();
  for (const name of ['Result', 'Tasks']) {
    const total = screen.getByRole('region', { name }).getByText('Total 4.20 s');
    await expect.element(total).toBeVisible();
    await expect.element(total).toHaveAttribute('data-tooltip', timeWords.total);
  }
});
