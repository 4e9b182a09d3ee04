import { useId } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/description.ts';
import { Button } from '../../ui/button.tsx';
import styles from './parameter-field.module.css';

interface ChoicesControlProps {
  field: FieldDescription;
  value: JsonValue | undefined;
  error: string | null;
  onSet: (value: JsonValue) => void;
}

/** Any of a few words, each a toggle. */
export function ChoicesControl({ field, value, error, onSet }: ChoicesControlProps) {
  const id = useId();
  const chosen = Array.isArray(value) ? value : [];
  return (
    <fieldset className={styles.choices} aria-labelledby={id}>
      <span id={id} className={styles.unsetTitle}>
        {field.title}
      </span>
      <span className={styles.words}>
        {field.options.map((word) => (
          <Button
            key={word}
            size="small"
            className={styles.word}
            aria-pressed={chosen.includes(word)}
            onClick={() =>
              onSet(field.options.filter((option) => chosen.includes(option) !== (option === word)))
            }
          >
            {word}
          </Button>
        ))}
      </span>
      {error !== null && <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}
