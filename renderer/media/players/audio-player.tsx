import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { getRawShape, isRawAudio, type Media } from '../../../shared/media.ts';
import type { WavShape } from '../../../shared/wav.ts';
import { formatLength, formatPosition, formatTime } from '../../lib/format-quantity.ts';
import type { PanelName } from '../../lib/panels.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlayIcon, PlusIcon } from '../../ui/icons/actions.tsx';
import { LoopIcon, MinusIcon, PauseIcon } from '../../ui/icons/media.tsx';
import { Select } from '../../ui/select.tsx';
import { SendToMenu } from '../hand-over/send-to.tsx';
import {
  createWavBlob,
  type RawSamples,
  useAudioSource,
  useRawSamples,
} from '../peaks/use-audio-source.ts';
import { usePeaks } from '../peaks/use-peaks.ts';
import styles from './audio-player.module.css';
import { AudioTrack } from './audio-track.tsx';
import { pickDuration } from './describe-media.ts';
import { DownloadButton, saveBlob } from './download-button.tsx';
import { MediaFailed } from './media-details.tsx';
import { usePlayback } from './playback.ts';
import { useIsDeleted } from './use-media.ts';
import type { AudioRegion } from './waveform.tsx';

export interface AudioPlayerHandle {
  playFrom(seconds: number): void;
  /** The time at which playback stops, in seconds. */
  playStretch(from: number, to: number): void;
}

interface AudioPlayerProps {
  media: Media;
  title: string;
  autoPlay?: boolean;
  /** The format of raw 16-bit samples; by default, what is known of a file without a header. */
  pcm?: WavShape | undefined;
  regions?: readonly AudioRegion[];
  activeRegion?: number | null;
  /** Called on each animation frame during playback, and after seeking. */
  onTimeUpdate?: (seconds: number) => void;
  /** Keeps playing if the user leaves the panel. */
  playsOnFrom?: PanelName;
  /** From 0 to 1; defaults to 1. */
  volume?: number;
  /** The duration that the full width represents, so that stacked players share a scale. */
  scaleSeconds?: number | null;
  /** Fits the player into a single list row. */
  compact?: boolean;
  /** Set to -1 in a list with a single Tab stop. */
  tabIndex?: 0 | -1;
  /** Replaces the Send to buttons next to Download. */
  actions?: ReactNode;
  ref?: Ref<AudioPlayerHandle>;
}

export function AudioPlayer(props: AudioPlayerProps) {
  return <MediaItemPlayer key={props.media.id} {...props} />;
}

const speeds = ['0.5', '0.75', '1', '1.25', '1.5', '1.75', '2'] as const;
type Speed = (typeof speeds)[number];
const speedOptions = speeds.map((value) => ({ value, label: `${value}×` }));
const noRegions: readonly AudioRegion[] = [];

/** The shortest duration that a zoomed waveform shows, in seconds. */
const CLOSEST_SECONDS = 10;

function MediaItemPlayer(props: AudioPlayerProps) {
  const {
    media,
    title,
    pcm = isRawAudio(media.type) ? getRawShape(media) : undefined,
    autoPlay = false,
    compact = false,
    tabIndex = 0,
    volume = 1,
    scaleSeconds = null,
    onTimeUpdate,
    ref,
  } = props;
  const slot = useRef<HTMLDivElement>(null);
  const raw = useRawSamples(media, pcm);
  const url = useAudioSource(media, raw);
  const playsOn =
    props.playsOnFrom === undefined ? null : { panel: props.playsOnFrom, key: media.id };
  const playback = usePlayback(slot, { title, url, autoPlay, playsOn });
  const [zoom, setZoom] = useState(1);
  const { peaks, failed: peaksFailed } = usePeaks(media, raw, zoom > 1);
  const { subscribe, seek, play, playStretch, setVolume } = playback;
  const failed = playback.failed || raw?.failed === true;
  const isDeleted = useIsDeleted(media, failed);

  useImperativeHandle(
    ref,
    () => ({
      playFrom(seconds) {
        seek(seconds);
        play();
      },
      playStretch,
    }),
    [seek, play, playStretch],
  );
  useEffect(() => setVolume(volume), [setVolume, volume]);
  useEffect(
    () => (onTimeUpdate === undefined ? undefined : subscribe(onTimeUpdate)),
    [subscribe, onTimeUpdate],
  );

  const durationSeconds = pickDuration(
    media,
    peaks?.durationSeconds ?? playback.durationSeconds ?? null,
  );
  const closest = Math.max(1, (durationSeconds ?? 0) / CLOSEST_SECONDS);
  const changeZoom = (next: number) => setZoom(Math.max(1, Math.min(next, closest)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={title} className={styles.player}>
      <div ref={slot} hidden />
      <div className={styles.row}>
        <IconButton
          label={playback.playing ? 'Pause' : 'Play'}
          icon={playback.playing ? <PauseIcon /> : <PlayIcon />}
          className={classNames(styles.play, compact && styles.smallPlay)}
          tabIndex={tabIndex}
          disabled={url === null}
          onClick={playback.toggle}
        />
        <AudioScale seconds={durationSeconds} scaleSeconds={scaleSeconds}>
          <AudioTrack
            title={title}
            playback={playback}
            durationSeconds={durationSeconds}
            peaks={peaks}
            regions={props.regions ?? noRegions}
            activeRegion={props.activeRegion ?? null}
            zoom={Math.min(zoom, closest)}
            onZoom={changeZoom}
            compact={compact}
            tabIndex={tabIndex}
          />
        </AudioScale>
        {compact && (
          <>
            <PlayerTime seconds={playback.seconds} length={durationSeconds} />
            {props.actions}
          </>
        )}
      </div>
      {!compact && (
        <div className={styles.controls}>
          <PlayerTime
            seconds={playback.seconds}
            length={durationSeconds}
            growing={!media.complete}
          />
          <Select
            label="Speed"
            hideLabel
            className={styles.speed}
            value={getSpeed(playback.speed)}
            options={speedOptions}
            onValueChange={(value) => playback.setSpeed(Number(value))}
          />
          <IconButton
            label="Loop"
            icon={<LoopIcon size={14} />}
            pressed={playback.loop}
            onClick={() => playback.setLoop(!playback.loop)}
          />
          {closest > 2 && <ZoomButtons zoom={zoom} closest={closest} onZoom={changeZoom} />}
          {peaksFailed && !isDeleted && <span className={styles.note}>No waveform available.</span>}
          {!isDeleted && (
            <ActionBar atEnd>
              {props.actions === undefined ? <SendToMenu media={media} /> : props.actions}
              <AudioDownload media={media} raw={raw} />
            </ActionBar>
          )}
        </div>
      )}
      {failed && <MediaFailed media={media} what="audio" />}
    </div>
  );
}

interface AudioScaleProps {
  seconds: number | null;
  scaleSeconds: number | null;
  children: ReactNode;
}

function AudioScale({ seconds, scaleSeconds, children }: AudioScaleProps) {
  if (scaleSeconds === null || seconds === null || scaleSeconds <= 0) return children;
  const share = Math.max(0.02, Math.min(1, seconds / scaleSeconds));
  return (
    <div className={styles.scale}>
      <div className={styles.scaled} style={{ width: `${share * 100}%` }}>
        {children}
      </div>
    </div>
  );
}

function getSpeed(speed: number): Speed {
  return speeds.find((value) => Number(value) === speed) ?? '1';
}

interface PlayerTimeProps {
  seconds: number;
  length: number | null;
  growing?: boolean;
}

function PlayerTime({ seconds, length, growing = false }: PlayerTimeProps) {
  return (
    <time className={styles.time}>
      {formatPosition(seconds, growing ? null : length)} / {describeLength(length, growing)}
    </time>
  );
}

/** The duration isn't final while audio is streaming. */
function describeLength(length: number | null, growing: boolean): string {
  if (length === null) return '–';
  return growing ? `${formatTime(length)}…` : formatLength(length);
}

interface ZoomButtonsProps {
  zoom: number;
  closest: number;
  onZoom: (zoom: number) => void;
}

function ZoomButtons({ zoom, closest, onZoom }: ZoomButtonsProps) {
  return (
    <>
      <IconButton
        label="Zoom out"
        icon={<MinusIcon size={14} />}
        disabled={zoom <= 1}
        onClick={() => onZoom(zoom / 2)}
      />
      <IconButton
        label="Zoom in"
        icon={<PlusIcon size={14} />}
        disabled={zoom >= closest}
        onClick={() => onZoom(zoom * 2)}
      />
    </>
  );
}

interface AudioDownloadProps {
  media: Media;
  raw: RawSamples | null;
}

/** Also offers raw samples with a header, so that other programs can open the file. */
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
          onClick={() => saveBlob(createWavBlob(bytes, raw.shape), `${name}.wav`)}
        >
          Download as WAV
        </Button>
      )}
    </>
  );
}
