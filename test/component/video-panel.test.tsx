import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Locator, userEvent } from 'vitest/browser';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import type { VideoState } from '../../shared/operations/video/state.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { api, main } from './panel-fake-main.ts';
import { layDown } from './panel-fixtures.tsx';
import { accepted, openVideoPanel, resetVideoPanel, showTask } from './video-fixtures.tsx';

describe('the form', () => {
  beforeEach(resetVideoPanel);

  async function addUrl(slot: Locator, url: string): Promise<void> {
    await slot.getByRole('button', { name: 'URL' }).click();
    await slot.getByRole('textbox', { name: 'Image URL or base64' }).fill(url);
    await userEvent.keyboard('{Enter}');
  }

  const url = (name: string | number) => `https://example.com/${name}.png`;
  const [first, last] = [url('first'), url('last')];
  const references = [1, 2, 3].map(url);

  test('sends frames, references and extra parameters under the form’s field names', async () => {
    panelForms.video.change({ input: { prompt: 'A boat', image: first, lastFrame: last } });
    const screen = await openVideoPanel();
    const images = screen.getByRole('group', { name: 'Images', exact: true });
    for (const reference of references) await addUrl(images, reference);
    await images.getByRole('button', { name: `Remove ${references[1]}` }).click();
    await screen.getByRole('button', { name: 'More', exact: true }).click();
    await screen.getByRole('textbox', { name: 'Value of parameter 1' }).fill('fog');
    await screen.getByRole('textbox', { name: 'Seed field name' }).fill('random_seed');
    await screen.getByRole('combobox', { name: 'First frame field name' }).fill('frame_images');
    await screen.getByRole('combobox', { name: 'Last frame field name' }).fill('frame_images');
    await screen.getByRole('button', { name: 'Run' }).click();
    await vi.waitFor(() => expect(main.started).toHaveLength(1));
    expect(main.started[0]).toMatchObject({
      request: {
        model: 'demo-model',
        prompt: 'A boat',
        image: first,
        last_frame: last,
        images: [references[0], references[2]],
        metadata: { negative_prompt: 'fog' },
      },
      wireNames: { seed: 'random_seed', image: 'frame_images', last_frame: 'frame_images' },
      follow: null,
    });
  });

  test('gives an image another role, and swaps it with the frame that had it', async () => {
    panelForms.video.change({ input: { image: first } });
    const screen = await openVideoPanel();
    await addUrl(screen.getByRole('group', { name: 'Images', exact: true }), last);
    const role = (name: string) => screen.getByRole('combobox', { name: `Role of ${name}` });
    const images = () => panelForms.video.state.getState().values.input;
    expect(images()).toMatchObject({ image: first, references: [last] });
    await role('reference 1').selectOptions('Last frame');
    expect(images()).toMatchObject({ image: first, lastFrame: last, references: [] });
    await role('last frame').selectOptions('First frame');
    expect(images()).toMatchObject({ image: last, lastFrame: first, references: [] });
    await role('first frame').selectOptions('Reference');
    expect(images()).toMatchObject({ image: '', lastFrame: first, references: [last] });
  });

  test('sets width and height to a common size', async () => {
    const screen = await openVideoPanel();
    const size = screen.getByRole('combobox', { name: 'Size' });
    await size.selectOptions('9:16 · 720p · 720 × 1280');
    await expect.element(screen.getByRole('spinbutton', { name: 'Width' })).toHaveValue('720');
    await expect.element(screen.getByRole('spinbutton', { name: 'Height' })).toHaveValue('1280');
    await screen.getByRole('spinbutton', { name: 'Width' }).fill('700');
    await expect.element(size).toHaveValue('custom');
    await size.selectOptions('Not set');
    await expect.element(screen.getByRole('spinbutton', { name: 'Height' })).toHaveValue('');
  });

  test('restores a replaced or removed first frame and a removed parameter', async () => {
    const { rows } = panelForms.video.state.getState().values.input;
    const parameters = [...rows, { name: 'steps', value: '30' }];
    panelForms.video.change({ input: { image: first, rows: parameters } });
    const screen = await openVideoPanel();
    const undo = screen.getByRole('button', { name: 'Undo' });
    sendToPanel('video', { kind: 'media', media: medium({ kind: 'image', type: 'image/png' }) });
    await expect.element(screen.getByText('First frame replaced')).toBeVisible();
    await expect.element(screen.getByRole('textbox', { name: 'Prompt' })).toHaveFocus();
    await undo.click();
    await screen.getByRole('button', { name: `Remove ${first}` }).click();
    await expect.element(screen.getByText('Image removed')).toBeVisible();
    await undo.click();
    await expect.element(screen.getByText(first)).toBeVisible();
    await screen.getByRole('button', { name: `Remove parameter ${parameters.length}` }).click();
    await undo.click();
    expect(panelForms.video.state.getState().values.input.rows).toEqual(parameters);
  });
});

describe('a task', () => {
  test('shows progress, estimated from earlier tasks of the model', async () => {
    const earlier = {
      status: 'succeeded',
      createdAt: 0,
      startedAt: 0,
      finishedAt: 40_000,
    } as const;
    layDown(runView('video', { id: 'earlier', model: 'demo-video', ...earlier }), {});
    const startedAt = Date.now() - 10_000;
    showTask(
      { ...accepted, progress: '42%' },
      { model: 'demo-video', createdAt: startedAt, startedAt },
    );
    const screen = await openVideoPanel();
    const bar = screen.getByRole('progressbar', { name: 'Generating video' });
    await expect.element(bar).toHaveAttribute('aria-valuenow', '0.42');
    await expect
      .element(screen.getByText(/^42% · about \d+ s left, from 1 earlier task$/))
      .toBeVisible();
  });

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
      ...accepted,
      status: 'unknown',
      word: 'warp_9',
      progress: '30%',
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
      connectionId: 'other',
      operation: 'video',
      request: { prompt: 'A boat', width: 640 },
      extraBody: {},
      wireNames: { seed: 'random_seed' },
    };
    expect(main.started).toEqual([{ ...sent, follow: 't-1' }, sent]);
    const unknown = appError('outcome-unknown', 'It may have been billed.', 'Look at the gateway.');
    showTask({}, { ...failed, status: 'unknown', error: unknown });
    await expect.element(result.getByRole('alert')).toMatchTextContent(/may have been billed/);
    expect(result.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
  });
});
