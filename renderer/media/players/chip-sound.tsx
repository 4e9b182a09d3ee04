import { useRef } from 'react';
import type { Media } from '../../../shared/media.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlayIcon } from '../../ui/icons/actions.tsx';
import { PauseIcon } from '../../ui/icons/media.tsx';
import { useAudioSource } from '../peaks/use-audio-source.ts';
import { usePlayback } from './use-playback.ts';

/** Play and nothing else. */
export function ChipSound({ media, title }: { media: Media; title: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const url = useAudioSource(media, null);
  const playback = usePlayback(audio, url, false);
  const verb = playback.playing ? 'Pause' : 'Play';
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: what was recorded or sent has no captions. */}
      <audio ref={audio} aria-label={title} preload="none" />
      <IconButton
        label={playback.failed ? `${title} cannot be played` : `${verb} ${title}`}
        icon={playback.playing ? <PauseIcon /> : <PlayIcon />}
        disabled={playback.failed}
        onClick={playback.toggle}
      />
    </>
  );
}
