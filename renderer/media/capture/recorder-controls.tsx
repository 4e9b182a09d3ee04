import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StopIcon } from '../../ui/icons/actions.tsx';
import { MicrophoneIcon } from '../../ui/icons/media.tsx';
import { ChevronDownIcon, WarningIcon } from '../../ui/icons/status.tsx';
import { Popover } from '../../ui/popover.tsx';
import { LevelMeter } from './level-meter.tsx';
import { LiveWaveform } from './live-waveform.tsx';
import { MicrophoneSettings } from './microphone-settings.tsx';
import { createRecorder, type Recorder, type RecorderState } from './recorder.ts';
import styles from './recorder-controls.module.css';
import { RecoveredRecordings } from './recovered-recordings.tsx';

export interface RecorderControlsProps {
  /** Also after it was unmounted while recording. */
  onRecorded: (media: Media) => void;
  /** Something is being recorded or saved. */
  onBusyChange?: (busy: boolean) => void;
  /** Icons among a composer's tools, the microphone's choice behind one of them. */
  compact?: boolean;
}

/** Everything about recording; what is recorded is with main before Stop recording is pressed. */
export function RecorderControls({
  onRecorded,
  onBusyChange,
  compact = false,
}: RecorderControlsProps) {
  const { recorder, status, seconds, error, held } = useRecorder({ onRecorded });
  const isOpen = status === 'recording' || status === 'paused';
  const busy = status !== 'idle';

  useEffect(() => onBusyChange?.(busy), [onBusyChange, busy]);

  return (
    <div className={classNames(styles.recorder, compact && styles.compact)}>
      <div className={styles.row}>
        {isOpen ? (
          <>
            <Button
              variant="danger"
              icon={<StopIcon size={14} />}
              onClick={() => void recorder.stop()}
            >
              Stop recording
            </Button>
            {status === 'paused' ? (
              <Button onClick={recorder.resume}>Resume</Button>
            ) : (
              <Button onClick={recorder.pause}>Pause</Button>
            )}
          </>
        ) : compact && !busy ? (
          <IconButton
            label="Record"
            icon={<MicrophoneIcon />}
            onClick={() => void recorder.record()}
          />
        ) : (
          <Button
            icon={<MicrophoneIcon size={14} />}
            busy={busy}
            onClick={() => void recorder.record()}
          >
            {status === 'saving' ? 'Saving' : 'Record'}
          </Button>
        )}
        {(isOpen || status === 'saving') && (
          <time className={styles.time}>
            <span
              aria-hidden="true"
              className={classNames(styles.dot, status === 'recording' && styles.live)}
            />
            {formatTime(seconds)}
            {status === 'paused' && ' paused'}
          </time>
        )}
        {isOpen && <LevelMeter recorder={recorder} />}
        {compact ? (
          !busy && (
            <Popover
              label="Microphone settings"
              icon={<ChevronDownIcon size={12} />}
              className={styles.settings}
            >
              <MicrophoneSettings disabled={false} />
            </Popover>
          )
        ) : (
          <MicrophoneSettings disabled={busy} />
        )}
      </div>
      {isOpen && <LiveWaveform recorder={recorder} paused={status === 'paused'} />}
      {isOpen && held && (
        <p role="status" className={styles.held}>
          <WarningIcon size={14} />
          The system has muted the microphone or gives it to another program. The recording goes on
          once it is back.
        </p>
      )}
      {error !== null && (
        <ErrorAlert
          error={error}
          actions={
            <Button size="small" onClick={recorder.dismissError}>
              Dismiss
            </Button>
          }
        />
      )}
      <RecoveredRecordings onUse={onRecorded} />
    </div>
  );
}

interface RecorderOptions {
  /** Also after it was unmounted while recording: what was recorded is never dropped. */
  onRecorded: (media: Media) => void;
}

interface UsedRecorder extends RecorderState {
  recorder: Recorder;
}

function useRecorder({ onRecorded }: RecorderOptions): UsedRecorder {
  const latest = useRef(onRecorded);
  const [recorder] = useState(() => createRecorder((media) => latest.current(media)));
  const state = useStore(recorder.store);
  const isOpen = state.status === 'recording' || state.status === 'paused';

  useEffect(() => {
    latest.current = onRecorded;
  });
  useEffect(() => () => void recorder.stop(), [recorder]);
  useEffect(() => (isOpen ? guardPage(recorder) : undefined), [recorder, isOpen]);

  return { ...state, recorder };
}

/** Whoever leaves is asked; whoever leaves all the same loses nothing that was captured. */
function guardPage(recorder: Recorder): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('pagehide', recorder.flush, { signal });
  document.addEventListener('visibilitychange', recorder.flush, { signal });
  // Electron would keep its window open without a word.
  if (location.protocol !== 'app:') {
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  }
  return () => controller.abort();
}
