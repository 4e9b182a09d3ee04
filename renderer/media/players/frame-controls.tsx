import { type RefObject, useEffect, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/status.tsx';
import { Select } from '../../ui/select.tsx';
import { getFrame, getHighestRate, getSeekTime, snapToFrame } from './step-clock.ts';
import styles from './video-player.module.css';

const speeds = ['0.25', '0.5', '1', '1.5', '2'] as const;

interface FrameControlsProps {
  player: RefObject<HTMLVideoElement | null>;
  media: Media;
}

/** Steps through the frames of a video and sets its speed; `,` and `.` step too. */
export function FrameControls({ player, media }: FrameControlsProps) {
  const [speed, setSpeed] = useState<(typeof speeds)[number]>('1');
  const [seconds, setSeconds] = useState(0);
  const known = media.frameRate;
  const measured =
    known === null ? null : ({ framesPerSecond: known, source: 'measured' } as const);
  const { framesPerSecond, source } = getHighestRate([measured]);

  useEffect(() => {
    const element = player.current;
    if (element === null) return;
    const show = () => setSeconds(element.currentTime);
    const onKeyDown = (event: KeyboardEvent) => {
      const frames = { ',': -1, '.': 1 }[event.key];
      if (frames === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      step(element, frames, framesPerSecond);
    };
    element.addEventListener('keydown', onKeyDown);
    for (const event of ['timeupdate', 'seeked', 'loadedmetadata']) {
      element.addEventListener(event, show);
    }
    return () => {
      element.removeEventListener('keydown', onKeyDown);
      for (const event of ['timeupdate', 'seeked', 'loadedmetadata']) {
        element.removeEventListener(event, show);
      }
    };
  }, [player, framesPerSecond]);

  const move = (frames: number) =>
    player.current !== null && step(player.current, frames, framesPerSecond);
  return (
    <span className={styles.frames}>
      <IconButton
        size="small"
        label="Previous frame"
        shortcut=","
        icon={<ChevronLeftIcon size={14} />}
        onClick={() => move(-1)}
      />
      <output aria-label="Frame" className={styles.frame}>
        Frame {source === 'assumed' ? '≈ ' : ''}
        {getFrame(seconds, framesPerSecond) + 1}
      </output>
      <IconButton
        size="small"
        label="Next frame"
        shortcut="."
        icon={<ChevronRightIcon size={14} />}
        onClick={() => move(1)}
      />
      <Select
        label="Speed"
        hideLabel
        value={speed}
        options={speeds.map((value) => ({ value, label: `${value}×` }))}
        onValueChange={(value) => {
          setSpeed(value);
          if (player.current !== null) player.current.playbackRate = Number(value);
        }}
      />
    </span>
  );
}

function step(player: HTMLVideoElement, frames: number, framesPerSecond: number): void {
  const { currentTime, duration } = player;
  if (!Number.isFinite(duration)) return;
  player.pause();
  const next = snapToFrame(currentTime, frames, framesPerSecond, duration);
  player.currentTime = getSeekTime(next, framesPerSecond, duration);
}
