import { expect, it, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import {
  type SteppedVideo,
  useSyncedPlayback,
} from '../../renderer/features/video/use-videos-in-step.ts';

/** Creates a player at ten frames per second that moves only on a seek. */
function player(
  durationSeconds: number,
  { at, isEnded = false }: { at: number; isEnded?: boolean },
) {
  const element = document.createElement('video');
  const state = { at, isPaused: isEnded, seeks: 0 };
  Object.defineProperties(element, {
    currentTime: {
      get: () => state.at,
      set: (seconds: number) => {
        state.at = seconds;
        state.seeks += 1;
      },
    },
    ended: { get: () => state.at >= durationSeconds },
    paused: { get: () => state.isPaused },
  });
  const play = vi.spyOn(element, 'play').mockImplementation(async () => {
    state.isPaused = false;
  });
  vi.spyOn(element, 'pause').mockImplementation(() => {
    state.isPaused = true;
  });
  const frameRate = { framesPerSecond: 10, source: 'measured' } as const;
  const video: SteppedVideo = { element, durationSeconds, frameRate };
  return { video, state, play };
}

async function playBeside(clock: SteppedVideo, other: SteppedVideo): Promise<void> {
  const { result, act } = await renderHook(() =>
    useSyncedPlayback([clock, other], { rate: 1, loops: false }),
  );
  await act(() => result.current.toggle());
  for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
}

it('holds a video that ends slightly early at its end', async () => {
  const { video: clock } = player(4, { at: 3.9 });
  const { video, state, play } = player(4, { at: 4, isEnded: true });
  await playBeside(clock, video);
  expect(play).not.toHaveBeenCalled();
  expect(state).toMatchObject({ at: 4, seeks: 0 });
});

it('moves a late video to its last frame once its time is over', async () => {
  const { video: clock } = player(4, { at: 2.1 });
  const { video, state } = player(2, { at: 1.8 });
  await playBeside(clock, video);
  expect(state).toEqual({ at: 1.95, isPaused: true, seeks: 1 });
});
