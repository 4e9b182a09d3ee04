import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlayIcon } from '../../ui/icons/actions.tsx';
import { LoopIcon, PauseIcon } from '../../ui/icons/media.tsx';
import { Select } from '../../ui/select.tsx';
import { SendToMenu } from '../hand-over/send-to.tsx';
import {
  type RawSamples,
  useAudioSource,
  useRawSamples,
  wavBlob,
} from '../peaks/use-audio-source.ts';
import { usePeaks } from '../peaks/use-peaks.ts';
import styles from './audio-player.module.css';
import { AudioTrack } from './audio-track.tsx';
import { DownloadButton, saveBlob } from './download-button.tsx';
import { MediaFailed } from './media-failed.tsx';
import { usePlayback } from './use-playback.ts';

/** A stretch of the sound, such as a segment of its transcription. Seconds. */
export interface AudioRegion {
  start: number;
  end: number;
  label?: string;
}

export interface AudioPlayerHandle {
  seek(seconds: number): void;
  /** Pauses again at `untilSeconds`. */
  playFrom(seconds: number, untilSeconds?: number): void;
  pause(): void;
}

interface AudioPlayerProps {
  media: Media;
  title: string;
  autoPlay?: boolean;
  /** What raw 16-bit samples without a header are to be played as. */
  pcm?: WavShape | undefined;
  regions?: readonly AudioRegion[];
  activeRegion?: number | null;
  /** Each animation frame while it plays, and after each jump. */
  onTimeUpdate?: (seconds: number) => void;
  onRegionClick?: (index: number) => void;
  /** Buttons beside Download, in place of the panels that it can be sent to. */
  actions?: ReactNode;
  ref?: Ref<AudioPlayerHandle>;
}

/** Plays a sound on its waveform, from its first bytes on. */
export function AudioPlayer(props: AudioPlayerProps) {
  return <MediumPlayer key={props.media.id} {...props} />;
}

const speeds = ['0.5', '0.75', '1', '1.25', '1.5', '1.75', '2'] as const;
type Speed = (typeof speeds)[number];
const speedOptions = speeds.map((value) => ({ value, label: `${value}×` }));

function MediumPlayer(props: AudioPlayerProps) {
  const { media, title, pcm, autoPlay = false, onTimeUpdate, onRegionClick, ref } = props;
  const audio = useRef<HTMLAudioElement>(null);
  const raw = useRawSamples(media, pcm);
  const url = useAudioSource(media, raw);
  const playback = usePlayback(audio, url, autoPlay);
  const { peaks, failed: peaksFailed } = usePeaks(media, raw);
  const [speed, setSpeed] = useState<Speed>('1');
  const [loop, setLoop] = useState(false);
  const { subscribe, seek, playFrom, pause } = playback;

  useImperativeHandle(ref, () => ({ seek, playFrom, pause }), [seek, playFrom, pause]);
  useEffect(
    () => (onTimeUpdate === undefined ? undefined : subscribe(onTimeUpdate)),
    [subscribe, onTimeUpdate],
  );

  const durationSeconds =
    peaks?.durationSeconds ?? playback.durationSeconds ?? media.durationSeconds;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={title} className={styles.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: what a gateway sends has no captions. */}
      <audio ref={audio} aria-label={title} preload="metadata" />
      <div className={styles.row}>
        <IconButton
          label={playback.playing ? 'Pause' : 'Play'}
          icon={playback.playing ? <PauseIcon /> : <PlayIcon />}
          className={styles.play}
          disabled={url === null}
          onClick={playback.toggle}
        />
        <AudioTrack
          title={title}
          playback={playback}
          durationSeconds={durationSeconds}
          growing={!media.complete}
          peaks={peaks}
          regions={props.regions ?? []}
          activeRegion={props.activeRegion ?? null}
          onRegionClick={onRegionClick}
        />
      </div>
      <div className={styles.controls}>
        <time className={styles.time}>
          {formatTime(playback.seconds)} /{' '}
          {durationSeconds === null ? '–' : formatTime(durationSeconds)}
        </time>
        <Select
          label="Speed"
          hideLabel
          className={styles.speed}
          value={speed}
          options={speedOptions}
          onValueChange={(value) => {
            setSpeed(value);
            playback.setSpeed(Number(value));
          }}
        />
        <IconButton
          label="Loop"
          icon={<LoopIcon size={14} />}
          pressed={loop}
          onClick={() => {
            setLoop(!loop);
            playback.setLoop(!loop);
          }}
        />
        {peaksFailed && <span className={styles.note}>No waveform for this file.</span>}
        <span className={styles.actions}>
          {props.actions ?? <SendToMenu media={media} />}
          <AudioDownload media={media} raw={raw} />
        </span>
      </div>
      {(playback.failed || raw?.failed) && <MediaFailed media={media} what="sound" />}
    </div>
  );
}

interface AudioDownloadProps {
  media: Media;
  raw: RawSamples | null;
}

/** Raw samples can also be saved with a header, so that other programs take them. */
function AudioDownload({ media, raw }: AudioDownloadProps) {
  const name = (media.name ?? 'speech').replace(/\.(pcm|raw|bin)$/i, '');
  const bytes = raw?.bytes ?? null;
  return (
    <>
      <DownloadButton media={media} />
      {raw !== null && bytes !== null && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => saveBlob(wavBlob(bytes, raw.shape), `${name}.wav`)}
        >
          Download as WAV
        </Button>
      )}
    </>
  );
}
