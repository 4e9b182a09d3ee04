import { NumberField } from '../../ui/number-field.tsx';
import styles from './speech.module.css';

interface PcmFieldsProps {
  sampleRate: number;
  channels: number;
  onChange: (pcm: { sampleRate: number; channels: number }) => void;
}

/** Raw samples do not say how they are to be played. */
export function PcmFields({ sampleRate, channels, onChange }: PcmFieldsProps) {
  return (
    <div className={styles.pcm}>
      <NumberField
        label="Sample rate (Hz)"
        value={sampleRate}
        min={8000}
        max={192_000}
        step={1000}
        onValueChange={(value) =>
          value !== null && value >= 1000 && onChange({ sampleRate: value, channels })
        }
      />
      <NumberField
        label="Channels"
        value={channels}
        min={1}
        max={2}
        step={1}
        onValueChange={(value) =>
          (value === 1 || value === 2) && onChange({ sampleRate, channels: value })
        }
      />
      <p className={styles.note}>
        Raw samples carry no header: these say how they are played and saved as WAV.
      </p>
    </div>
  );
}
