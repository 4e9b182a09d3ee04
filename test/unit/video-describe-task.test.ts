import { describe, expect, it } from 'vitest';
import {
  compareFacts,
  describeTask,
  isSubmitting,
  listOtherMetadata,
} from '../../renderer/features/video/describe-task.ts';
import { getStopLabel } from '../../renderer/run/frame/run-status.tsx';
import type { Media } from '../../shared/media.ts';
import { emptyVideoState, type VideoState } from '../../shared/operations/video/state.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import type { RunStatus } from '../../shared/run.ts';

const view = (status: RunStatus, state: Partial<VideoState> = {}) => ({
  status,
  phase: videoOperation.phase({ ...emptyVideoState, ...state }),
});
const taskId = 't-1';
/** The state of a video that the gateway returned without a task. */
const link: Partial<VideoState> = { status: 'completed', urls: ['https://a/1.mp4'] };

describe('describeTask', () => {
  it.each([
    [view('running'), 'Submitting', null],
    [view('running', { taskId, status: 'queued' }), 'Queued', 'stop'],
    [view('running', { taskId, status: 'in_progress' }), 'In progress', 'stop'],
    [view('running', { taskId, status: 'unknown', word: 'warp_9' }), 'warp_9', 'stop'],
    [view('running', { taskId, status: 'completed' }), 'Downloading', 'stop'],
    [
      view('running', { taskId, status: 'queued', following: false }),
      'Following stopped',
      'resume',
    ],
    [view('succeeded', { taskId, status: 'completed' }), 'Succeeded', null],
    [view('failed', { taskId, status: 'completed' }), 'Download failed', 'follow'],
    [view('failed', { taskId, status: 'failed' }), 'Failed', null],
    [view('failed', { taskId, status: 'in_progress' }), 'Check failed', 'follow'],
    [view('running', link), 'Downloading', 'stop'],
    [view('failed', link), 'Download failed', null],
    [view('failed'), 'Failed', null],
    [view('unknown'), 'Outcome unknown', null],
  ])('describes a task: %#, %s', (of, label, next) => {
    expect(describeTask(of)).toMatchObject({ label, next });
  });

  it.each([
    ['without a task', {}, true, null],
    ['with a task', { taskId }, false, 'Stop following'],
    ['with a video and no task', link, false, 'Stop'],
  ])('shows Stop only until the task is accepted: %s', (_name, state, submits, label) => {
    expect(isSubmitting(view('running', state))).toBe(submits);
    if (label !== null) expect(getStopLabel(view('running', state))).toBe(label);
    expect(isSubmitting(view('failed', state))).toBe(false);
  });
});

describe('compareFacts', () => {
  const media = { type: 'video/mp4', width: 640, height: 360, durationSeconds: 4.9 } as Media;
  const reported = { format: 'mp4', metadata: { duration: 5, width: 1280, steps: 30 } };

  it('compares requested, reported and measured values', () => {
    const facts = compareFacts({ duration: 5, width: 1280, seed: 7 }, reported, media);
    expect(facts).toEqual([
      { name: 'Format', requested: null, reported: 'mp4', measured: 'MP4', differs: false },
      { name: 'Duration', requested: '5 s', reported: '5 s', measured: '4.9 s', differs: false },
      { name: 'Width', requested: '1280', reported: '1280', measured: '640', differs: true },
      { name: 'Height', requested: null, reported: null, measured: '360', differs: false },
      { name: 'Seed', requested: '7', reported: null, measured: null, differs: false },
    ]);
    expect(listOtherMetadata(reported.metadata)).toEqual([['steps', '30']]);
  });
});
