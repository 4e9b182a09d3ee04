import { useEffect, useEffectEvent, useState } from 'react';
import {
  correctDrift,
  type FrameRate,
  getHighestRate,
  getSeekTime,
  snapToFrame,
} from '../../media/players/step-clock.ts';

export interface SteppedVideo {
  element: HTMLVideoElement;
  durationSeconds: number;
  /** Null if unknown. */
  frameRate: FrameRate | null;
}

export type VideosInStep = ReturnType<typeof useSyncedPlayback>;

const sayMs = 100;

/** The longest video is the clock. A `rate` of 1 is normal speed. */
export function useSyncedPlayback(
  videos: readonly SteppedVideo[],
  { rate, loops }: { rate: number; loops: boolean },
) {
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const frameRate = getHighestRate(videos.map((video) => video.frameRate));
  const lengthSeconds = Math.max(0, ...videos.map(({ durationSeconds }) => durationSeconds));

  function seek(at: number): void {
    setSeconds(at);
    for (const video of videos) show(video, at, frameRate);
  }

  function pause(): void {
    setPlaying(false);
    for (const { element } of videos) element.pause();
  }

  /** Pauses, then moves the clock by `frames` frames. */
  function step(frames: number): void {
    const from = isPlaying ? (getClock(videos)?.element.currentTime ?? seconds) : seconds;
    pause();
    seek(snapToFrame(from, frames, frameRate.framesPerSecond, lengthSeconds));
  }

  function toggle(): void {
    if (isPlaying) {
      step(0);
      return;
    }
    const last = snapToFrame(lengthSeconds, 0, frameRate.framesPerSecond, lengthSeconds);
    if (seconds >= last) seek(0);
    setPlaying(true);
  }

  /** Returns the clock's time, or null if the clock has ended. */
  const keepInStep = useEffectEvent((): number | null => {
    const clock = getClock(videos);
    if (clock === null) return null;
    if (clock.element.ended) {
      if (!loops) return null;
      for (const { element } of videos) element.currentTime = 0;
    }
    const at = clock.element.currentTime;
    for (const video of videos) follow(video, video === clock ? null : at, rate, frameRate);
    return at;
  });

  const end = useEffectEvent(() => {
    pause();
    seek(snapToFrame(lengthSeconds, 0, frameRate.framesPerSecond, lengthSeconds));
  });

  useEffect(() => {
    if (!isPlaying) return undefined;
    let saidAt = 0;
    let frame = requestAnimationFrame(tick);
    function tick(now: number): void {
      const at = keepInStep();
      if (at === null) {
        end();
        return;
      }
      if (now - saidAt >= sayMs) {
        saidAt = now;
        setSeconds(at);
      }
      frame = requestAnimationFrame(tick);
    }
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);

  return {
    isPlaying,
    seconds,
    lengthSeconds,
    frameRate,
    toggle,
    seek,
    step,
    /** Seeks a newly loaded video to the clock's time. */
    join: (video: SteppedVideo) => show(video, seconds, frameRate),
  };
}

function getClock(videos: readonly SteppedVideo[]): SteppedVideo | null {
  return videos.reduce<SteppedVideo | null>(
    (longest, video) =>
      longest === null || video.durationSeconds > longest.durationSeconds ? video : longest,
    null,
  );
}

/** `fallbackRate` is used if the video's frame rate is unknown. */
function show(video: SteppedVideo, at: number, fallbackRate: FrameRate): void {
  const { element, durationSeconds } = video;
  const { framesPerSecond } = video.frameRate ?? fallbackRate;
  const target = getSeekTime(at, framesPerSecond, durationSeconds);
  // Skip the seek, because Chromium may jump to the end if the position doesn't change.
  if (Math.abs(element.currentTime - target) > 0.001) element.currentTime = target;
}

/** `clockSeconds` is null if this video is the clock. */
function follow(
  video: SteppedVideo,
  clockSeconds: number | null,
  rate: number,
  fallbackRate: FrameRate,
): void {
  const { element, durationSeconds } = video;
  const correction =
    clockSeconds === null
      ? ({ kind: 'rate', rate } as const)
      : correctDrift(clockSeconds, element.currentTime, durationSeconds, rate);
  if (correction.kind === 'hold') {
    element.pause();
    // A video that has ended already shows its last frame.
    if (!element.ended && !element.seeking) show(video, durationSeconds, fallbackRate);
    return;
  }
  if (correction.kind === 'rate') element.playbackRate = correction.rate;
  // Wait for a pending seek to finish.
  else if (!element.seeking) element.currentTime = correction.seconds;
  // If the user pauses before playback starts, the promise rejects.
  if (element.paused) element.play().catch(() => undefined);
}
