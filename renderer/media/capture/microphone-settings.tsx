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

/** Which microphone, and what the browser may do to its sound. */
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
