import { useEffect, useState } from 'react';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import {
  changeProcessing,
  chooseMicrophone,
  listMicrophones,
  type Microphone,
  type SoundProcessing,
  systemMicrophone,
  useRecorderSettings,
} from './microphone.ts';
import styles from './microphone-settings.module.css';

const switches: { key: keyof SoundProcessing; label: string }[] = [
  { key: 'echoCancellation', label: 'Echo cancellation' },
  { key: 'noiseSuppression', label: 'Noise suppression' },
  { key: 'autoGainControl', label: 'Automatic gain control' },
];

export interface MicrophoneSettingsProps {
  /** While recording they are what they are. */
  disabled: boolean;
}

/** Which microphone, and what the browser may do to its sound. */
export function MicrophoneSettings({ disabled }: MicrophoneSettingsProps) {
  const { microphoneId, processing } = useRecorderSettings();
  // The names are there once the permission is: `disabled` changes when a recording began.
  const microphones = useMicrophones(disabled);
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
        disabled={disabled}
      />
      <details className={styles.processing}>
        <summary>Audio processing</summary>
        {switches.map(({ key, label }) => (
          <Switch
            key={key}
            label={label}
            checked={processing[key]}
            disabled={disabled}
            onCheckedChange={(checked) => changeProcessing({ [key]: checked })}
          />
        ))}
      </details>
    </>
  );
}

function useMicrophones(renewed: boolean): Microphone[] {
  const [microphones, setMicrophones] = useState([systemMicrophone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `renewed` only says when to look again.
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
  }, [renewed]);
  return microphones;
}
