import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.ts';
import { emptyVideoState } from '../../shared/operations/video/state.ts';
import { readVideoTask } from '../../shared/operations/video/task-reply.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';

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
