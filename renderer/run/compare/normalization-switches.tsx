import { Switch } from '../../ui/switch.tsx';
import { tooltip } from '../../ui/tooltip.ts';
import type { TranscriptNormalization } from './metrics/transcript-units.ts';
import styles from './normalization-switches.module.css';
import { useNormalization } from './use-normalization.ts';

const switches: { name: keyof TranscriptNormalization; label: string; help: string }[] = [
  { name: 'ignoreCase', label: 'Ignore case', help: '“Hello” equals “hello”.' },
  {
    name: 'ignorePunctuation',
    label: 'Ignore punctuation',
    help: '“well-known, don’t” equals “well known dont”.',
  },
  {
    name: 'numbersAsDigits',
    label: 'Numbers as digits',
    help: '“twenty-one” equals “21”, “5%” equals “5 percent”. English only.',
  },
];

/** What counts as a difference wherever transcripts are scored. */
export function NormalizationSwitches() {
  const normalization = useNormalization();
  return (
    <fieldset className={styles.switches}>
      <legend className="visually-hidden">Normalization</legend>
      {switches.map(({ name, label, help }) => (
        <span key={name} {...tooltip(help)}>
          <Switch
            label={label}
            checked={normalization[name]}
            onCheckedChange={(checked) => useNormalization.setState({ [name]: checked })}
          />
        </span>
      ))}
    </fieldset>
  );
}
