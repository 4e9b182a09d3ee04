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
  const stop = (name: string) => screen.getByRole('button', { name, exact: true });
  await expect.element(stop('Stop')).toBeVisible();
  showTask(accepted);
  await expect.element(stop('Run')).toBeVisible();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result).toMatchTextContent(/The API can’t cancel tasks/);
  await result.getByRole('button', { name: 'Stop following' }).click();
  showTask({ ...accepted, following: false });
  await result.getByRole('button', { name: 'Resume' }).click();
  await vi.waitFor(() => expect(called).toEqual(['cancel run-1', 'resume run-1']));

  // A gateway may return the video immediately; without a task, the user can only stop the
  // download.
  const link: Partial<VideoState> = { status: 'completed', urls: ['https://a.example/1.mp4'] };
  showTask(link);
  await expect.element(result).toMatchTextContent(/Downloading.*returned the video immediately/);
  await expect.element(stop('Run')).toBeVisible();
  await result.getByRole('button', { name: 'Stop', exact: true }).click();
  await vi.waitFor(() => expect(called).toHaveLength(3));
  showTask(link, { status: 'cancelled', finishedAt: Date.now() });
  await expect.element(result).toMatchTextContent(/Stopped/);
  await expect
    .element(result.getByRole('button', { name: 'Follow again' }))
    .not.toBeInTheDocument();
});

test('shows an unknown status verbatim, errors and the download progress', async () => {
  const unknown: Partial<VideoState> = {
    ...{ ...accepted, status: 'unknown', word: 'warp_9', progress: '30%' },
    statusProblem: 'Unrecognized status “warp_9”.',
  };
  showTask(unknown);
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  const said = (text: string) => result.getByText(text, { exact: true });
  const tasks = screen.getByRole('region', { name: 'Tasks' });
  await expect.element(tasks.getByText('warp_9')).toBeVisible();
  await expect.element(result).toMatchTextContent(/30%/);
  await expect.element(said('Unrecognized status “warp_9”. Still checking.')).toBeVisible();
  showTask({ ...unknown, following: false });
  await expect.element(said('Unrecognized status “warp_9”.')).toBeVisible();
  showTask({ ...accepted, status: 'in_progress', error: { code: '17', message: 'Low memory' } });
  await expect
    .element(result)
    .toMatchTextContent(/The gateway reported an error: Low memory \(code 17\)/);
  const download = { doneBytes: 1_000_000, totalBytes: 4_000_000 };
  showTask({ ...accepted, status: 'completed', download });
  const bar = screen.getByRole('progressbar', { name: 'Downloading video' });
  await expect.element(bar).toHaveAttribute('aria-valuenow', '1000000');
  await expect.element(screen.getByText('1.0 MB of 4.0 MB')).toBeVisible();
  showTask({ ...accepted, status: 'completed', download: { ...download, totalBytes: null } });
  await expect.element(bar).not.toHaveAttribute('aria-valuenow');
});

/** An error for a video that couldn’t be fetched. */
const error = appError('forbidden', 'The address no longer gives it.', 'Follow the task again.');

test('lists video URLs, and opens and copies a relative one as an absolute URL', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const urls = ['https://a.example/1.mp4?signature=abc', 'files/2.mp4'];
  showTask({ ...accepted, status: 'completed', urls }, { status: 'failed', error, finishedAt: 1 });
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  const link = (at: number) => result.getByRole('link', { name: new RegExp(`^Open URL ${at}`) });
  await expect.element(link(1)).toHaveAttribute('href', urls[0]);
  await expect.element(link(1)).toMatchTextContent('https://a.example/1.mp4?signature=abc');
  // The panel learns the path's URL only when it requests the file.
  await expect.element(result.getByText('files/2.mp4', { exact: true })).toBeVisible();
  await expect.element(link(2)).not.toBeInTheDocument();
  const copy = result.getByRole('button', { name: 'Copy URL 2' });
  await copy.click();
  expect(writeText).toHaveBeenLastCalledWith('files/2.mp4');
  const address = 'https://gateway.example/files/2.mp4';
  const links = { urls, resolved: { 'files/2.mp4': address } };
  showTask({ ...accepted, status: 'completed', ...links }, { status: 'succeeded', finishedAt: 1 });
  await expect.element(link(2)).toHaveAttribute('href', address);
  await copy.click();
  expect(writeText).toHaveBeenLastCalledWith(address);
});

test('follows or retries a task with the request and connection it was sent with', async () => {
  const failed = { status: 'failed', finishedAt: Date.now(), connectionId: 'other' } as const;
  showTask({ ...accepted, status: 'completed' }, { ...failed, error });
  panelForms.video.change({ input: { prompt: 'Something else' } });
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  await result.getByRole('button', { name: 'Follow again' }).click();
  await expect.poll(() => main.started.length).toBe(1);
  showTask(
    { ...accepted, status: 'failed', word: 'failed' },
    { ...failed, error: appError('task-failed', 'The video task failed.', 'Retry.') },
  );
  await result.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => main.started.length).toBe(2);
  const sent = {
    ...{ connectionId: 'other', operation: 'video', request: { prompt: 'A boat', width: 640 } },
    ...{ extraBody: {}, wireNames: { seed: 'random_seed' } },
  };
  expect(main.started).toEqual([{ ...sent, follow: 't-1' }, sent]);
  const unknown = appError('outcome-unknown', 'It may have been billed.', 'Look at the gateway.');
  showTask({}, { ...failed, status: 'unknown', error: unknown });
  await expect.element(result.getByRole('alert')).toMatchTextContent(/may have been billed/);
  expect(result.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
});

test('follows a task from the list after fetching its request, and a task by its ID', async () => {
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
  await expect.poll(() => main.started.length).toBe(1);
  expect(viewed.mock.calls.map(([{ id }]) => id)).toContain('run-1');
  expect(main.started[0]).toMatchObject({ wireNames: { seed: 'random_seed' }, follow: 't-1' });
  const follow = tasks.getByRole('button', { name: 'Follow', exact: true });
  await follow.click();
  await expect.element(tasks.getByText('Enter a task ID.')).toBeVisible();
  await tasks.getByRole('textbox', { name: 'Follow a task by ID' }).fill(' t-9 ');
  await follow.click();
  await expect.poll(() => main.started.length).toBe(2);
  expect(main.started[1]).toMatchObject({ connectionId: 'demo', request: {}, follow: 't-9' });
});

test('deletes a followed task after a warning, and restores it on Undo', async () => {
  const remove = vi.spyOn(api.runs, 'remove').mockResolvedValue({ deletionId: 'deletion-1' });
  const undo = vi.spyOn(api.deletions, 'undo');
  showTask(accepted);
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  await result.getByRole('button', { name: 'Delete' }).click();
  await vi.waitFor(() => expect(remove).toHaveBeenCalledWith({ id: 'run-1' }));
  await expect.element(screen.getByText(/may still finish and bill it/)).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await vi.waitFor(() => expect(undo.mock.lastCall?.[0]).toEqual({ ids: ['deletion-1'] }));
  await expect.element(result).toMatchTextContent(/t-1/);
});

test('shows a large video next to its facts and actions in a wide window', async () => {
  await page.viewport(1920, 1080);
  const film = medium({ kind: 'video', type: 'video/mp4', width: 1280, height: 720 });
  showTask(
    { ...accepted, status: 'completed', media: [film] },
    { status: 'succeeded', finishedAt: Date.now() },
  );
  // The panel gets the space that remains next to the navigation and the title.
  const screen = await openVideoPanel({ width: 1868, height: 1056 });
  const result = screen.getByRole('region', { name: 'Result' });
  const video = result.getByLabelText('A boat', { exact: true });
  await expect.element(video).toBeInViewport({ ratio: 1 });
  const box = video.element().getBoundingClientRect();
  expect(box.width / box.height).toBeCloseTo(16 / 9, 1);
  expect(box.height).toBeGreaterThan(0.5 * 1080);
  expect(box.height).toBeLessThan(0.75 * 1080);
  const actions = ['Use this frame', 'Send to', 'Download'].map((name) =>
    result.getByRole('button', { name, exact: true }),
  );
  for (const part of [...actions, result.getByRole('table')]) {
    await expect.element(part).toBeInViewport({ ratio: 1 });
    expect(part.element().getBoundingClientRect().left).toBeGreaterThan(box.right);
  }
  await expect.element(screen.getByRole('region', { name: 'Tasks' })).toBeInViewport({ ratio: 1 });
});

test('shows all videos of a task first, and collapses the task details below them', async () => {
  const media = ['A', 'B'].map((letter) =>
    medium({ id: letter.repeat(22), kind: 'video', type: 'video/mp4', width: 1280, height: 720 }),
  );
  showTask(
    { ...accepted, status: 'completed', word: 'completed', pollCount: 3, media },
    { status: 'succeeded', finishedAt: Date.now() },
  );
  const screen = await openVideoPanel();
  const result = screen.getByRole('region', { name: 'Result' });
  await expect.element(result.getByLabelText('A boat (1 of 2)')).toBeVisible();
  const last = result.getByLabelText('A boat (2 of 2)').element().getBoundingClientRect();
  const details = result.getByText('Task details');
  expect(last.bottom).toBeLessThan(details.element().getBoundingClientRect().top);
  await expect.element(result.getByText('3 times')).not.toBeVisible();
  await details.click();
  await expect.element(result.getByText('3 times')).toBeVisible();
});

test('remixes a finished video in the Videos format, or deletes it at the gateway', async () => {
  const finished: Partial<VideoState> = {
    ...{ taskId: 'video_1', status: 'completed', word: 'completed', pollCount: 2 },
    media: [medium({ kind: 'video', type: 'video/mp4' })],
    fetchedUrls: ['v1/videos/video_1/content?variant=thumbnail'],
  };
  showTask(finished, { status: 'succeeded', format: 'videos' });
  main.inputs.set('run-1', {
    ...{ extraBody: {}, wireNames: {}, follow: null },
    request: { prompt: 'A boat', format: 'videos', variants: ['thumbnail', 'spritesheet'] },
  });
  const screen = await openVideoPanel();
  await expect.element(screen.getByText(/Couldn’t download the spritesheet/)).toBeVisible();
  expect(screen.getByText(/Couldn’t download the thumbnail/).query()).toBeNull();
  await screen.getByRole('button', { name: 'Delete from gateway…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => main.started.length).toBe(1);
  expect(main.started[0]).toMatchObject({
    operation: 'console',
    request: { method: 'DELETE', path: '/v1/videos/video_1', body: null },
  });

  await screen.getByRole('button', { name: 'Remix' }).click();
  const box = screen.getByRole('textbox', { name: 'Prompt' });
  await expect.element(box).toHaveFocus();
  await expect.element(screen.getByRole('group', { name: 'Remix of video_1' })).toBeVisible();
  await box.fill('At night');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => main.started.length).toBe(2);
  expect(main.started[1]?.request).toMatchObject({
    ...{ prompt: 'At night', format: 'videos', remix_video_id: 'video_1' },
  });
  await screen.getByRole('button', { name: 'Remove Remix of video_1' }).click();
  expect(panelForms.video.state.getState().values.parameters).toEqual({ format: 'videos' });

  showTask({ ...finished, taskId: 'other' }, { status: 'succeeded' });
  await expect.element(screen.getByText('Task details')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Remix' })).not.toBeInTheDocument();
});
