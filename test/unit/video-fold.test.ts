import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import {
  emptyVideoState,
  shownUrls,
  type VideoState,
} from '../../shared/operations/video/state.ts';
import { readVideoTask } from '../../shared/operations/video/task-response.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';

const base = 'https://gateway.example/api';

/** The states after each of the replies. */
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

describe('the problem with the status of a video task', () => {
  it.each(['completed', 'failed', 'expired', 'queued'])(
    'is removed by the first status: %s',
    (status) => {
      const [submitted, polled] = states({ id: 'T' }, { id: 'T', status });
      expect(submitted).toMatchObject({ word: null, statusProblem: 'No status received.' });
      expect(polled).toMatchObject({ word: status, statusProblem: null });
    },
  );

  it('is that of the last response, with a warning', () => {
    const [, warp, none] = states({ id: 'T' }, { id: 'T', status: 'warp_9' }, { busy: true });
    expect(warp).toMatchObject({ statusProblem: 'Unrecognized status “warp_9”.' });
    expect(none).toMatchObject({ word: 'warp_9', statusProblem: 'No status received.' });
    const { warnings } = videoOperation.response({
      ...emptyVideoState,
      ...none,
      warnings: ['Other.'],
    });
    expect(warnings).toEqual(['Other.', 'No status received.']);
  });
});

describe('the link of a video', () => {
  const withLinks = (...urls: string[]) =>
    states({ id: 'T', status: 'completed', urls }).at(-1) ?? emptyVideoState;

  it('is shown as the resolved address', () => {
    const link = '/files/视频.mp4';
    const address = 'https://gateway.example/files/%E8%A7%86%E9%A2%91.mp4';
    const asked = request(withLinks(link), address, link);
    expect(shownUrls(asked)).toEqual([address]);
    // The gateway's URL stays, and another request adds nothing.
    expect(request(asked, `${base}/v1/video/generations/T`)).toBe(asked);
    expect(request(asked, address, link)).toBe(asked);
    expect(asked.urls).toEqual([link]);
    expect(videoOperation.response(asked).facts).toContainEqual(['url', address]);
  });

  it('stays unchanged if it is absolute or was not requested', () => {
    const urls = ['https://cdn.example/files/1.mp4', '/files/1.mp4'];
    expect(shownUrls(request(withLinks(...urls), 'https://cdn.example/files/1.mp4'))).toEqual(urls);
  });
});
