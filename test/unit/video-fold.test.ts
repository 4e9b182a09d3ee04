import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import {
  emptyVideoState,
  getShownUrls,
  type VideoState,
} from '../../shared/operations/video/state.ts';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';

const base = 'https://gateway.example/api';

/** Returns the state after each reply. */
function states(...replies: JsonValue[]) {
  let state = emptyVideoState;
  return replies.map((reply, seq) => {
    const { status, word } = readVideoTask(reply) ?? { status: 'unknown', word: '' };
    const task = { kind: 'task', exchange: seq, taskId: 'T', status, word, reply } as const;
    state = videoOperation.fold(state, { ...task, seq, atMs: seq });
    return state;
  });
}

function request(state: VideoState, url: string, link?: string) {
  const at = { exchange: 1, seq: 9, atMs: 9 };
  const sent = { method: 'GET', url, headers: [], body: null, ...(link !== undefined && { link }) };
  return videoOperation.fold(state, { kind: 'request', ...sent, ...at });
}

describe('a video task’s own URL', () => {
  const submitted = request(emptyVideoState, `${base}/v1/video/generations`);
  const polled = request(emptyVideoState, `${base}/v1/video/generations/T?x=1`);
  const fold = (state: VideoState, reply: JsonValue) =>
    videoOperation.fold(state, {
      kind: 'task',
      exchange: 0,
      taskId: 'T',
      status: 'completed',
      word: 'completed',
      reply,
      seq: 9,
      atMs: 9,
    });

  it.each<[string, VideoState, JsonValue]>([
    ['as the polled URL', polled, { url: `${base}/v1/video/generations/T` }],
    ['as another query', polled, { url: `${base}/v1/video/generations/T/?y=2` }],
    ['as a path', polled, { url: '/api/v1/video/generations/T' }],
    ['as a path without a slash', polled, { uri: 'v1/video/generations/T' }],
    ['in the first response', submitted, { url: `${base}/v1/video/generations/T` }],
    ['in a list', polled, { data: [{ url: `${base}/v1/video/generations/T` }] }],
  ])('is not taken for a video %s', (_name, state, more) => {
    const reply = { id: 'T', status: 'completed', ...(more as object) };
    expect(fold(state, reply).urls).toEqual([]);
    const video = `${base}/v1/video/generations/T/content`;
    expect(fold(state, { ...reply, output: { video_url: video } }).urls).toEqual([video]);
  });

  it.each([`${base}/v1/video/generations/T/content`, `${base}/files/T`, '/files/T'])(
    'keeps %s as a video',
    (url) => {
      expect(fold(polled, { id: 'T', status: 'completed', url }).urls).toEqual([url]);
    },
  );
});

describe('the usage of a finished video task', () => {
  it.each<[JsonValue, object, object]>([
    [{ completion_tokens: 900, total_tokens: 900 }, { outputTokens: 900 }, {}],
    [{ cost: 0.25, seconds: '5' }, { videoSeconds: 5 }, { cost: 0.25 }],
    [{ video_duration: 8, video_count: 1 }, { videoSeconds: 8 }, {}],
  ])('reads %j as figures', (usage, quantities, figures) => {
    for (const reply of [
      { id: 'T', status: 'completed', usage },
      { code: 'success', data: { task_id: 'T', status: 'SUCCESS', usage } },
    ]) {
      const [state = emptyVideoState] = states(reply);
      expect(videoOperation.quantities(state, [])).toMatchObject(quantities);
      const counted = Object.assign({}, usage, figures);
      expect(videoOperation.figures(state).usage).toMatchObject(counted);
    }
  });
});

describe('a problem with a video task’s status', () => {
  it.each(['completed', 'failed', 'expired', 'queued'])(
    'disappears with the first status: %s',
    (status) => {
      const [submitted, polled] = states({ id: 'T' }, { id: 'T', status });
      expect(submitted).toMatchObject({ word: null, statusProblem: 'No status received.' });
      expect(polled).toMatchObject({ word: status, statusProblem: null });
    },
  );

  it('is read from the last response, with a warning', () => {
    const [, warp, none] = states({ id: 'T' }, { id: 'T', status: 'warp_9' }, { busy: true });
    expect(warp).toMatchObject({ statusProblem: 'Unrecognized status “warp_9”.' });
    expect(none).toMatchObject({ word: 'warp_9', statusProblem: 'No status received.' });
    const state = { ...emptyVideoState, ...none, warnings: ['Other.'] };
    const { warnings } = videoOperation.response(state);
    expect(warnings).toEqual(['Other.', 'No status received.']);
  });
});

describe('a video link', () => {
  const withLinks = (...urls: string[]) =>
    states({ id: 'T', status: 'completed', urls }).at(-1) ?? emptyVideoState;

  it('is shown as a resolved URL', () => {
    const link = '/files/视频.mp4';
    const address = 'https://gateway.example/files/%E8%A7%86%E9%A2%91.mp4';
    const asked = request(withLinks(link), address, link);
    expect(getShownUrls(asked)).toEqual([address]);
    // The gateway's own URL wins, and a repeated request changes nothing.
    const polled = request(asked, `${base}/v1/video/generations/T`);
    expect(polled.resolved).toBe(asked.resolved);
    expect(request(polled, `${base}/v1/video/generations/T`)).toBe(polled);
    expect(request(asked, address, link)).toBe(asked);
    expect(asked.urls).toEqual([link]);
    expect(videoOperation.response(asked).facts).toContainEqual(['url', address]);
  });

  it('stays as sent if it is absolute or was not requested', () => {
    const urls = ['https://cdn.example/files/1.mp4', '/files/1.mp4'];
    expect(getShownUrls(request(withLinks(...urls), 'https://cdn.example/files/1.mp4'))).toEqual(
      urls,
    );
  });
});
