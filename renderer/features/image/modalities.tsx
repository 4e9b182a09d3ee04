import { useId, useState } from 'react';
import { isSameJson } from '../../../shared/json.ts';
import field from '../../run/form/parameter-field.module.css';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ResetIcon } from '../../ui/icons/actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './image.module.css';

interface ModalitiesProps {
  /** Null omits the field from the request. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
}

const defaultModalities = ['TEXT', 'IMAGE'];

export function Modalities({ value, onChange }: ModalitiesProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const chosen = value ?? [];
  const words = [
    ...defaultModalities,
    ...chosen.filter((word) => !defaultModalities.includes(word)),
  ];

  function add() {
    const word = typed.trim();
    setTyped('');
    if (word !== '' && !chosen.includes(word)) onChange([...chosen, word]);
  }

  return (
    <fieldset
      className={classNames(field.field, 'stack-4')}
      aria-labelledby={id}
      data-set={value !== null || undefined}
      data-preset={isSameJson(chosen, defaultModalities) || undefined}
      data-control="object"
    >
      <span className={styles.modalitiesHead}>
        <span id={id} className={field.unsetTitle}>
          Response modalities
        </span>
        {value === null ? (
          <span className={classNames(styles.quiet, 'hint grow')}>Not set</span>
        ) : (
          <IconButton
            size="small"
            label="Reset Response modalities"
            icon={<ResetIcon size={14} />}
            onClick={() => onChange(null)}
          />
        )}
      </span>
      <span className={styles.words}>
        {words.map((word) => (
          <Button
            key={word}
            size="small"
            className={styles.word}
            aria-pressed={chosen.includes(word)}
            onClick={() =>
              onChange(words.filter((other) => chosen.includes(other) !== (other === word)))
            }
          >
            {word}
          </Button>
        ))}
        <TextField
          label="Other modality"
          hideLabel
          className={styles.otherWord}
          placeholder="Other…"
          value={typed}
          onValueChange={setTyped}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            add();
          }}
        />
      </span>
    </fieldset>
  );
}
