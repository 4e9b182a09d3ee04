import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import {
  emptyVideoState,
  shownUrls,
  type VideoState,
} from '../../shared/operations/video/state.ts';
import { readVideoTask } from '../../shared/operations/video/task-reply.ts';
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

function request(state: VideoState = emptyVideoState, url: string) {
  const at = { exchange: 1, seq: 9, atMs: 9 };
  const sent = { method: 'GET', url, headers: [], body: null };
  return videoOperation.fold(state, { kind: 'request', ...sent, ...at });
}

describe('what is said about the status of a video task', () => {
  it.each(['completed', 'failed', 'expired', 'queued'])(
    'goes with the first status that comes: %s',
    (status) => {
      const [submitted, polled] = states({ id: 'T' }, { id: 'T', status });
      expect(submitted).toMatchObject({ word: null, warnings: ['No status received.'] });
      expect(polled).toMatchObject({ word: status, warnings: [] });
    },
  );

  it('is of the last reply', () => {
    const [, warp, none] = states({ id: 'T' }, { id: 'T', status: 'warp_9' }, { busy: true });
    expect(warp?.warnings).toEqual(['Unrecognized status “warp_9”.']);
    expect(none).toMatchObject({ word: 'warp_9', warnings: ['No status received.'] });
  });
});

describe('the link of a video', () => {
  it.each([
    ['files/v.mp4', 'https://gateway.example/files/v.mp4'],
    ['/files/v.mp4?x=1', 'https://gateway.example/files/v.mp4?x=1'],
    ['v.mp4', 'https://gateway.example/api/v.mp4'],
  ])('is shown as the address it was fetched from: %s', (url, address) => {
    const [done] = states({ id: 'T', status: 'completed', url });
    expect(done).toMatchObject({ urls: [url] });
    const asked = request(done, address);
    expect(shownUrls(asked)).toEqual([address]);
    // What the gateway wrote stays what is fetched, and another poll says nothing new.
    expect(request(asked, `${base}/v1/video/generations/T`)).toBe(asked);
    expect(asked.urls).toEqual([url]);
    expect(videoOperation.reply(asked).facts).toContainEqual(['url', address]);
  });

  it('stays as it is where it is whole, or was not asked for', () => {
    const urls = ['https://cdn.example/1.mp4', '/files/2.mp4'];
    const [done] = states({ id: 'T', status: 'completed', urls });
    expect(shownUrls(request(done, 'https://cdn.example/1.mp4'))).toEqual(urls);
    expect(shownUrls(request(done, `${base}/files/2.mp4`))).toEqual(urls);
  });
});
