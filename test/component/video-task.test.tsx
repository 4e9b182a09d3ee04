import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';

import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import { medium } from '../fixtures/medium.ts';
import { api, main } from './panel-fake-main.ts';
import { accepted, openVideoPanel, resetVideoPanel, showTask } from './video-fixtures.tsx';

beforeEach(resetVideoPanel);
afterEach(() => void vi.restoreAllMocks());

test('shows Stop until the gateway accepts the task, then Run and Stop following', async () => {
  showTask({});
  const called: string[] = [];
  vi.spyOn(api.runs, 'cancel').mockImplementation(
    async ({ id }) => void called.push(`cancel ${id}`),
  );
  vi.spyOn(api.runs, 'resume').mockImplementation(
    async ({ id }) => void called.push(`resume ${id}`),
  );
  const screen = await openVideoPanel();
  await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  showTask(accepted);
  await expect.element(screen.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/The API can’t cancel tasks/);
  await result.getByRole('button', { name: 'Stop following' }).click();
  await vi.waitFor(() => expect(called).toEqual(['cancel run-1']));
  showTask({ ...accepted, following: false });
  await result.getByRole('button', { name: 'Resume' }).click();
  await vi.waitFor(() => expect(called).toEqual(['cancel run-1', 'resume run-1']));
});

test('shows an unknown status verbatim, with its progress', async () => {
  showTask({ ...accepted, status: 'unknown', word: 'warp_9', progress: '30%' });
  const screen = await openVideoPanel();
  const tasks = screen.getByRole('region', { name: 'Tasks' });
  await expect.element(tasks.getByText('warp_9')).toBeVisible();
  await expect.element(screen.getByRole('region', { name: 'Result' })).toMatchTextContent(/30%/);
});

test('says “Still checking” of an unknown status only while it is checked', async () => {
  const unknown: Partial<VideoState> = {
    ...accepted,
    ...{ status: 'unknown', word: 'warp_9', statusProblem: 'Unrecognized status “warp_9”.' },
  };
  showTask(unknown);
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  const said = (text: string) => result.getByText(text, { exact: true });
  await expect.element(said('Unrecognized status “warp_9”. Still checking.')).toBeVisible();
  showTask({ ...unknown, following: false });
  await expect.element(said('Unrecognized status “warp_9”.')).toBeVisible();
});

test('shows the download progress', async () => {
  const download = { doneBytes: 1_000_000, totalBytes: 4_000_000 };
  showTask({ ...accepted, status: 'completed', download });
  const screen = await openVideoPanel();
  const bar = screen.getByRole('progressbar', { name: 'Downloading video' });
  await expect.element(bar).toHaveAttribute('value', '1000000');
  await expect.element(screen.getByText('1.0 MB of 4.0 MB')).toBeVisible();
});

test('shows Run during the download of a video without a task, which can only be stopped', async () => {
  const link: Partial<VideoState> = { status: 'completed', urls: ['https://a.example/1.mp4'] };
  const cancel = vi.spyOn(api.runs, 'cancel').mockResolvedValue();
  showTask(link);
  const screen = await openVideoPanel();
  await expect.element(screen.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/Downloading.*returned the video immediately/);
  await result.getByRole('button', { name: 'Stop', exact: true }).click();
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledWith({ id: 'run-1' }));
  showTask(link, { status: 'cancelled', finishedAt: Date.now() });
  await expect.element(result).toMatchTextContent(/Stopped/);
  await expect
    .element(result.getByRole('button', { name: 'Follow again' }))
    .not.toBeInTheDocument();
});

/** The error of a task whose video couldn’t be fetched. */
const error = appError('forbidden', 'The address no longer gives it.', 'Follow the task again.');

test('lists the video URLs, also after a failed download', async () => {
  const urls = ['https://a.example/1.mp4?signature=abc', '/files/2.mp4'];
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  showTask({ ...accepted, status: 'completed', urls }, { status: 'failed', error, finishedAt: 1 });
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  const link = result.getByRole('link', { name: /^Open URL 1/ });
  await expect.element(link).toHaveAttribute('href', urls[0]);
  await expect.element(link).toMatchTextContent('https://a.example/1.mp4?signature=abc');
  // A path that was not asked for yet leads nowhere from here.
  await expect.element(result.getByText('/files/2.mp4', { exact: true })).toBeVisible();
  await expect.element(result.getByRole('link', { name: /^Open URL 2/ })).not.toBeInTheDocument();
  await result.getByRole('button', { name: 'Copy URL 2' }).click();
  expect(writeText).toHaveBeenLastCalledWith('/files/2.mp4');
});

test('opens and copies a path at the gateway as the address it was fetched from', async () => {
  const url = 'files/2.mp4';
  const address = 'https://gateway.example/files/2.mp4';
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const links = { urls: [url], resolved: { [url]: address } };
  showTask({ ...accepted, status: 'completed', ...links }, { status: 'succeeded', finishedAt: 1 });
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect
    .element(result.getByRole('link', { name: /^Open URL/ }))
    .toHaveAttribute('href', address);
  await result.getByRole('button', { name: 'Copy URL' }).click();
  expect(writeText).toHaveBeenLastCalledWith(address);
});

test('shows an error beside a status that is not failed', async () => {
  showTask({
    ...accepted,
    status: 'in_progress',
    word: 'in_progress',
    error: { code: '17', message: 'Low memory' },
  });
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect
    .element(result)
    .toMatchTextContent(/The gateway reported an error: Low memory \(code 17\)/);
});

test('plays all videos of a task', async () => {
  const media = ['A', 'B'].map((letter) =>
    medium({ id: letter.repeat(22), kind: 'video', type: 'video/mp4' }),
  );
  showTask(
    { ...accepted, status: 'completed', word: 'completed', media },
    { status: 'succeeded', finishedAt: 1 },
  );
  const screen = await openVideoPanel();
  await expect.element(screen.getByLabelText('A boat (1 of 2)')).toBeVisible();
  await expect.element(screen.getByLabelText('A boat (2 of 2)')).toBeInTheDocument();
});

test('follows a task again whose video couldn’t be fetched, at its own connection', async () => {
  showTask(
    { ...accepted, status: 'completed' },
    { status: 'failed', error, finishedAt: Date.now(), connectionId: 'other' },
  );
  const screen = await openVideoPanel();
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
  showTask(
    { ...accepted, status: 'completed' },
    { status: 'failed', error, finishedAt: Date.now() },
  );
  panelForms.video.change({ runId: null });
  const screen = await openVideoPanel();
  const tasks = screen.getByRole('region', { name: 'Tasks' });
  await tasks.getByRole('button', { name: 'Actions for A boat' }).click();
  const viewed = vi.spyOn(api.runs, 'get');
  const again = screen.getByRole('menuitem', { name: 'Follow again' });
  await expect.element(again).toBeVisible();
  expect(viewed).not.toHaveBeenCalled();
  await again.click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(viewed.mock.calls.map(([{ id }]) => id)).toContain('run-1');
  expect(main.started[0]).toMatchObject({ wireNames: { seed: 'random_seed' }, follow: 't-1' });
});

test('never sends a submit again whose outcome is unknown', async () => {
  const error = appError('outcome-unknown', 'It may have been billed.', 'Look at the gateway.');
  showTask({}, { status: 'unknown', error, finishedAt: Date.now() });
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result.getByRole('alert')).toMatchTextContent(/may have been billed/);
  expect(result.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
  expect(main.started).toEqual([]);
});

test('follows a task by its ID', async () => {
  const screen = await openVideoPanel();
  const tasks = screen.getByRole('region', { name: 'Tasks' });
  await tasks.getByRole('button', { name: 'Follow' }).click();
  await expect.element(tasks.getByText('Enter a task ID.')).toBeVisible();
  await tasks.getByRole('textbox', { name: 'Follow a task by ID' }).fill(' t-9 ');
  await tasks.getByRole('button', { name: 'Follow' }).click();
  await vi.waitFor(() =>
    expect(main.started).toMatchObject([{ connectionId: 'demo', request: {}, follow: 't-9' }]),
  );
});

test('deletes a followed task with a warning, and restores it with Undo', async () => {
  const remove = vi.spyOn(api.runs, 'remove').mockResolvedValue({ deletionId: 'deletion-1' });
  const undo = vi.spyOn(api.deletions, 'undo');
  showTask(accepted);
  const screen = await openVideoPanel();
  await screen
    .getByRole('region', { name: 'Result' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await vi.waitFor(() => expect(remove).toHaveBeenCalledWith({ id: 'run-1' }));
  await expect.element(screen.getByText(/may still finish and bill it/)).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await vi.waitFor(() => expect(undo.mock.lastCall?.[0]).toEqual({ ids: ['deletion-1'] }));
  await expect.element(screen.getByRole('region', { name: 'Result' })).toMatchTextContent(/t-1/);
});

test('shows a large video beside its facts and actions in a wide window', async () => {
  await page.viewport(1920, 1080);
  const film = medium({ kind: 'video', type: 'video/mp4', width: 1280, height: 720 });
  showTask(
    { ...accepted, status: 'completed', media: [film] },
    { status: 'succeeded', finishedAt: Date.now() },
  );
  // To the right of the navigation, below the title.
  const screen = await openVideoPanel({ width: 1868, height: 1056 });
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

test('retries a failed task with its own request, whatever the form holds', async () => {
  const failure = appError('task-failed', 'The video task failed.', 'Retry.');
  showTask(
    { ...accepted, status: 'failed', word: 'failed' },
    { status: 'failed', error: failure, finishedAt: Date.now(), connectionId: 'other' },
  );
  const screen = await openVideoPanel();
  await screen.getByRole('textbox', { name: 'Prompt' }).fill('Something else');
  const result = screen.getByRole('region', { name: 'Result' });
  await result.getByRole('button', { name: 'Retry' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toEqual({
    connectionId: 'other',
    operation: 'video',
    request: { prompt: 'A boat', width: 640 },
    extraBody: {},
    wireNames: { seed: 'random_seed' },
  });
});

test('shows the video first, and the task folded below it', async () => {
  const film = medium({ kind: 'video', type: 'video/mp4', width: 1280, height: 720 });
  showTask(
    { ...accepted, status: 'completed', word: 'completed', pollCount: 3, media: [film] },
    { status: 'succeeded', finishedAt: Date.now() },
  );
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  const video = result.getByLabelText('A boat', { exact: true });
  await expect.element(video).toBeVisible();
  const details = result.getByText('Task details');
  expect(video.element().getBoundingClientRect().bottom).toBeLessThan(
    details.element().getBoundingClientRect().top,
  );
  await expect.element(result.getByText('3 times')).not.toBeVisible();
  await details.click();
  await expect.element(result.getByText('3 times')).toBeVisible();
});

const finished: Partial<VideoState> = {
  ...{ taskId: 'video_1', status: 'completed', word: 'completed', pollCount: 2 },
  media: [medium({ kind: 'video', type: 'video/mp4' })],
};

test('turns the form into a remix of a finished video, with Undo', async () => {
  showTask(finished, { status: 'succeeded', format: 'videos' });
  const screen = await openVideoPanel();
  await screen.getByRole('button', { name: 'Remix' }).click();
  const box = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(box).toHaveFocus();
  await expect.element(screen.getByRole('group', { name: 'Remix of video_1' })).toBeVisible();
  await box.fill('At night');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toMatchObject({
    ...{ prompt: 'At night', format: 'videos', remix_video_id: 'video_1' },
  });
  await screen.getByRole('button', { name: 'Remove Remix of video_1' }).click();
  expect(panelForms.video.state.getState().values.parameters).toEqual({ format: 'videos' });
});

test('asks before it deletes a video from the gateway', async () => {
  showTask(finished, { status: 'succeeded', format: 'videos' });
  const screen = await openVideoPanel();
  await screen.getByRole('button', { name: 'Delete from gateway…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]).toMatchObject({
    operation: 'console',
    request: { method: 'DELETE', path: '/v1/videos/video_1', body: null },
  });
});

test('offers neither for a task of the other format', async () => {
  showTask(finished, { status: 'succeeded' });
  const screen = await openVideoPanel();
  await expect.element(screen.getByText('Task details')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Remix' }).query()).toBeNull();
});

test('says which image of the video is missing', async () => {
  const fetchedUrls = ['v1/videos/video_1/content?variant=thumbnail'];
  showTask({ ...finished, fetchedUrls }, { status: 'succeeded', format: 'videos' });
  main.inputs.set('run-1', {
    ...{ extraBody: {}, wireNames: {}, follow: null },
    request: { prompt: 'A boat', format: 'videos', variants: ['thumbnail', 'spritesheet'] },
  });
  const screen = await openVideoPanel();
  await expect.element(screen.getByText(/Couldn’t download the spritesheet/)).toBeVisible();
  expect(screen.getByText(/Couldn’t download the thumbnail/).query()).toBeNull();
});
