import { type ReactNode, useEffect, useState } from 'react';
import { create, useStore } from 'zustand';
import type { Media } from '../../../shared/media.ts';
import { formatTime } from '../../lib/format-quantity.ts';
import type { PanelName } from '../../lib/panels.ts';
import { offerUndo } from '../../lib/undo.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StopIcon } from '../../ui/icons/actions.tsx';
import { MicrophoneIcon } from '../../ui/icons/media.tsx';
import { ChevronDownIcon, WarningIcon } from '../../ui/icons/status.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { MediaChip } from '../players/media-chip.tsx';
import { recoverRecordings } from '../uploads/upload-recording.ts';
import {
  type AudioProcessing,
  changeProcessing,
  chooseMicrophone,
  listMicrophones,
  type Microphone,
  systemMicrophone,
  useRecorderSettings,
} from './microphone.ts';
import { getRecorder, useRecordingTargets } from './recorder.ts';
import styles from './recorder-controls.module.css';
import { LevelMeter, LiveWaveform } from './recording-level.tsx';

export interface RecorderControlsProps {
  /** The panel's recorder, which continues while another panel is visible. */
  panel: PanelName;
  /** The form that gets the recordings; defaults to the panel. */
  target?: string;
  /** Renders a notice if a recording belongs to another target. */
  elsewhere?: (target: string) => ReactNode;
  /** Called with the recording and its target, which may have moved since the recording started. */
  onRecorded: (media: Media, target: string) => void;
  /** Called when a recording for the target starts, or has been saved. */
  onBusyChange?: (busy: boolean) => void;
  /** Shows an icon, as for the other tools of a composer, which offers the settings elsewhere. */
  compact?: boolean;
}

/** Uploads audio during the recording. */
export function RecorderControls({
  panel,
  target = panel,
  elsewhere,
  onRecorded,
  onBusyChange,
  compact = false,
}: RecorderControlsProps) {
  const recorder = getRecorder(panel);
  const { status, prompting, seconds, error, held } = useStore(recorder.store);
  const isOpen = status === 'recording' || status === 'paused';
  const busy = status !== 'idle';
  const recordsFor = useRecordingTargets((targets) => targets[panel]) ?? target;
  const isElsewhere = busy && recordsFor !== target;
  const showsInput = isOpen && !isElsewhere;
  const isBusyHere = busy && !isElsewhere;

  useEffect(() => onBusyChange?.(isBusyHere), [onBusyChange, isBusyHere]);
  useEffect(() => () => recorder.leave(), [recorder]);

  return (
    <div className={styles.recorder}>
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
            {isElsewhere ? null : status === 'paused' ? (
              <Button onClick={recorder.resume}>Resume</Button>
            ) : (
              <Button onClick={recorder.pause}>Pause</Button>
            )}
          </>
        ) : compact && !busy ? (
          <IconButton
            label="Record"
            icon={<MicrophoneIcon />}
            onClick={() => void recorder.record(onRecorded, target)}
          />
        ) : (
          <Button
            icon={<MicrophoneIcon size={14} />}
            busy={busy}
            onClick={() => void recorder.record(onRecorded, target)}
          >
            {status === 'saving' ? 'Saving…' : 'Record'}
          </Button>
        )}
        {status === 'starting' && prompting && (
          <>
            <span role="status" className={styles.prompting}>
              {location.protocol === 'app:'
                ? 'Allow the microphone for Gatehouse'
                : 'Allow the microphone in your browser'}
            </span>
            <Button variant="quiet" onClick={recorder.cancel}>
              Cancel
            </Button>
          </>
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
        {showsInput && <LevelMeter recorder={recorder} />}
        {!busy && !compact && (
          <Popover
            label="Microphone settings"
            icon={<ChevronDownIcon size={12} />}
            className={styles.settings}
          >
            <MicrophoneSettings />
          </Popover>
        )}
      </div>
      {isElsewhere && <div>{elsewhere?.(recordsFor)}</div>}
      {showsInput && <LiveWaveform recorder={recorder} paused={status === 'paused'} />}
      {showsInput && held && (
        <p role="status" className={styles.held}>
          <WarningIcon size={14} />
          The microphone is muted or in use by another app. Recording resumes when it is available.
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
      <RecoveredRecordings onUse={(media) => onRecorded(media, target)} />
    </div>
  );
}

const switches: { key: keyof AudioProcessing; label: string }[] = [
  { key: 'echoCancellation', label: 'Echo cancellation' },
  { key: 'noiseSuppression', label: 'Noise suppression' },
  { key: 'autoGainControl', label: 'Automatic gain control' },
];

export function MicrophoneSettings() {
  const { microphoneId, processing } = useRecorderSettings();
  const microphones = useMicrophones();
  const isThere = microphones.some(({ id }) => id === microphoneId);
  return (
    <>
      <Select
        label="Microphone"
        hideLabel
        className={styles.microphone}
        value={isThere ? microphoneId : ''}
        options={microphones.map(({ id, name }) => ({ value: id, label: name }))}
        onValueChange={chooseMicrophone}
      />
      <details className={styles.processing}>
        <summary>Audio processing</summary>
        {switches.map(({ key, label }) => (
          <Switch
            key={key}
            label={label}
            checked={processing[key]}
            onCheckedChange={(checked) => changeProcessing({ [key]: checked })}
          />
        ))}
      </details>
    </>
  );
}

function useMicrophones(): Microphone[] {
  const [microphones, setMicrophones] = useState([systemMicrophone]);
  useEffect(() => {
    let ended = false;
    const look = () => {
      listMicrophones().then(
        (found) => {
          if (!ended) setMicrophones(found);
        },
        () => undefined,
      );
    };
    look();
    navigator.mediaDevices?.addEventListener('devicechange', look);
    return () => {
      ended = true;
      navigator.mediaDevices?.removeEventListener('devicechange', look);
    };
  }, []);
  return microphones;
}

const useRecovered = create<{ recordings: Media[] }>(() => ({ recordings: [] }));
let looking: Promise<void> | null = null;

/** Runs once per page, because a recording in progress must not be recovered. */
function recoverOnce(): Promise<void> {
  looking ??= recoverRecordings().then(
    (recordings) => {
      if (recordings.length > 0) useRecovered.setState({ recordings });
    },
    () => {
      looking = null;
    },
  );
  return looking;
}

function remove(id: string): void {
  useRecovered.setState(({ recordings }) => ({
    recordings: recordings.filter((media) => media.id !== id),
  }));
}

const PLACE = 'recovered-recordings';

function dismiss(media: Media): void {
  remove(media.id);
  offerUndo({
    message: 'Recording dismissed. It stays in the library.',
    several: { words: '# recordings dismissed. They stay in the library.' },
    place: PLACE,
    undo: () => useRecovered.setState(({ recordings }) => ({ recordings: [...recordings, media] })),
  });
}

/** Offers recordings of a page that was reloaded, closed or crashed. */
export function RecoveredRecordings({ onUse }: { onUse: (media: Media) => void }) {
  const recordings = useRecovered((state) => state.recordings);
  useEffect(() => void recoverOnce(), []);
  return (
    <>
      {recordings.length > 0 && (
        <section aria-label="Recovered recordings" className={styles.recovered}>
          <p className={styles.words}>Recovered recording (page was closed)</p>
          {recordings.map((media) => (
            <MediaChip key={media.id} media={media} onRemove={() => dismiss(media)}>
              <Button
                size="small"
                onClick={() => {
                  remove(media.id);
                  onUse(media);
                }}
              >
                Use recording
              </Button>
            </MediaChip>
          ))}
        </section>
      )}
      <UndoBars place={PLACE} />
    </>
  );
}
