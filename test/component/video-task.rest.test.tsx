import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { videoForm } from '../../renderer/features/video/video-store.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import { getParamValues } from '../../shared/param.ts';
import { medium } from '../fixtures/medium.ts';
import { api, main } from './panel-fake-main.ts';
import { accepted, openVideoPanel, resetVideoPanel, showTask } from './video-fixtures.tsx';

beforeEach(resetVideoPanel);
afterEach(() => void vi.restoreAllMocks());

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
  const actions = ['Use this frame', 'Send to chat', 'Download'].map((name) =>
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
    taskId: 'video_1',
    status: 'completed',
    word: 'completed',
    pollCount: 2,
    media: [medium({ kind: 'video', type: 'video/mp4' })],
    fetchedUrls: ['v1/videos/video_1/content?variant=thumbnail'],
  };
  showTask(finished, { status: 'succeeded', format: 'videos' });
  main.inputs.set('run-1', {
    extraBody: {},
    wireNames: {},
    follow: null,
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
    prompt: 'At night',
    format: 'videos',
    remix_video_id: 'video_1',
  });
  await screen.getByRole('button', { name: 'Remove Remix of video_1' }).click();
  expect(getParamValues(panelForms.video.state.getState().values.params)).toEqual({
    format: 'videos',
  });

  showTask({ ...finished, taskId: 'other' }, { status: 'succeeded' });
  await expect.element(screen.getByText('Task details')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Remix' })).not.toBeInTheDocument();
});

describe('a focused task', () => {
  const video = medium({
    id: 'v'.repeat(22),
    kind: 'video',
    type: 'video/mp4',
    name: 'a-boat.mp4',
  });

  test('is deleted by Delete, and its video renamed by F2', async () => {
    const remove = vi.spyOn(api.runs, 'remove');
    const rename = vi.spyOn(api.media, 'rename');
    showTask(
      { taskId: 't-1', status: 'completed', word: 'completed', media: [video] },
      { status: 'succeeded' },
    );
    const screen = await openVideoPanel();
    const tasks = screen.getByRole('region', { name: 'Tasks' });
    tasks
      .getByRole('button', { name: /^A boat/ })
      .element()
      .focus();
    await userEvent.keyboard('{F2}');
    const name = page.getByRole('dialog', { name: 'Rename video' }).getByRole('textbox');
    await expect.element(name).toHaveFocus();
    await expect.element(name).toHaveValue('a-boat.mp4');
    await userEvent.fill(name, 'the boat.mp4');
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => rename.mock.lastCall?.[0])
      .toEqual({
        id: video.id,
        name: 'the boat.mp4',
      });
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(tasks.getByRole('button', { name: /^A boat/ })).toHaveFocus();
    await userEvent.keyboard('{Delete}');
    await expect.poll(() => remove.mock.calls).toEqual([[{ id: 'run-1' }]]);
  });

  test('isn’t deleted while its request is being sent', async () => {
    const remove = vi.spyOn(api.runs, 'remove');
    showTask({});
    const screen = await openVideoPanel();
    const tasks = screen.getByRole('region', { name: 'Tasks' });
    tasks
      .getByRole('button', { name: /^A boat/ })
      .element()
      .focus();
    await userEvent.keyboard('{Delete}{F2}');
    expect(page.getByRole('dialog').elements()).toEqual([]);
    expect(remove).not.toHaveBeenCalled();
  });
});

test('marks what a remix doesn’t send, and leaves it out', async () => {
  videoForm.change({
    input: {
      prompt: 'At night',
      image: 'https://example.com/first.png',
      rows: [{ name: 'style', value: 'ink' }],
    },
    params: {
      format: { value: 'videos' },
      remix_video_id: { value: 'video_1' },
      duration: { value: 4 },
    },
  });
  const screen = await openVideoPanel();
  const slot = screen.getByRole('group', { name: 'Images' });
  await expect.element(slot).toMatchTextContent(/Not sent in a remix/);
  expect(slot.getByRole('button', { name: 'Attach' }).elements()).toEqual([]);
  const duration = screen.getByRole('spinbutton', { name: 'Duration' });
  await expect.element(duration).toBeVisible();
  expect(duration.element().closest('[data-field]')?.textContent).toContain('Not sent');
  expect(screen.getByRole('combobox', { name: 'Size' }).elements()).toEqual([]);
  expect(screen.getByRole('spinbutton', { name: 'Width' }).elements()).toEqual([]);
  await expect
    .element(screen.getByRole('region', { name: 'Metadata' }))
    .toMatchTextContent(/Not sent in a remix/);
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => main.started.length).toBe(1);
  expect(main.started[0]?.request).toEqual({
    model: 'demo-model',
    format: 'videos',
    prompt: 'At night',
    remix_video_id: 'video_1',
  });
});
