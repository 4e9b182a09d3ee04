import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { Switch } from '../../ui/switch.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './metric-table.module.css';
import type { TranscriptNormalization } from './metrics/transcript-units.ts';

const switches: { name: keyof TranscriptNormalization; label: string; help: string }[] = [
  { name: 'ignoreCase', label: 'Ignore case', help: 'Treats “Hello” and “hello” as equal.' },
  {
    name: 'ignorePunctuation',
    label: 'Ignore punctuation',
    help: 'Treats “well-known, don’t” and “well known dont” as equal.',
  },
  {
    name: 'numbersAsDigits',
    label: 'Numbers as digits',
    help: 'Treats “twenty-one” and “21” as equal, and “5%” and “5 percent”. English only.',
  },
];

export function NormalizationSwitches() {
  const normalization = useNormalization();
  return (
    <fieldset className={styles.switches}>
      <legend className="visually-hidden">Normalization</legend>
      {switches.map(({ name, label, help }) => (
        <Tooltip key={name} text={help}>
          <span>
            <Switch
              label={label}
              checked={normalization[name]}
              onCheckedChange={(checked) => useNormalization.setState({ [name]: checked })}
            />
          </span>
        </Tooltip>
      ))}
    </fieldset>
  );
}

/** Defaults to the usual normalization for word error rates. */
export const useNormalization = create<TranscriptNormalization>()(
  persist(
    (): TranscriptNormalization => ({
      ignoreCase: true,
      ignorePunctuation: true,
      numbersAsDigits: true,
    }),
    { name: 'gatehouse:transcript-normalization' },
  ),
);
