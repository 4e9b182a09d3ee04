import { useState } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import type { FieldProps } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { getPlaceholder } from './number-control.tsx';
import styles from './parameter-field.module.css';
import type { SetOptions } from './parameters.ts';

interface LinesControlProps extends Pick<FieldProps, 'label' | 'error' | 'help'> {
  field: FieldDescription;
  value: JsonValue | undefined;
  /** As a list, one per line. */
  text: string;
  onSet: (value: JsonValue, options?: SetOptions) => void;
  onType: (text: string) => void;
}

const shapes = [
  { value: 'text', label: 'One string' },
  { value: 'list', label: 'List' },
] as const;

/** Texts, one per line; where the field may also be one string, that is chosen here, and sent as chosen. */
export function LinesControl({ field, value, text, onSet, onType, ...labels }: LinesControlProps) {
  const { orText, startValue } = field;
  const [chosen, setChosen] = useState<'text' | 'list' | null>(null);
  const usual = orText && typeof startValue === 'string' ? 'text' : 'list';
  const shape =
    value === undefined ? (chosen ?? usual) : typeof value === 'string' ? 'text' : 'list';
  const choose = (next: 'text' | 'list') => {
    setChosen(next);
    if (typeof value === 'string' && next === 'list') onType(text);
    // The text of the list stays with the form, for the way back.
    if (Array.isArray(value) && next === 'text') onSet(value.map(String).join('\n'), { text });
  };
  return (
    <>
      <TextArea
        {...labels}
        value={shape === 'text' && typeof value === 'string' ? value : text}
        onValueChange={(typed) => {
          if (shape === 'list' || typed === '') onType(typed);
          else onSet(typed, { typing: true });
        }}
        placeholder={
          shape === 'text'
            ? getPlaceholder(field)
            : `${getPlaceholder(field)}; use \\n for a line break`
        }
        autoGrow
        rows={1}
        maxRows={8}
        spellCheck={false}
      />
      {orText && (
        <div className={styles.shape}>
          <span>Send as</span>
          <Segmented
            label={`Send ${field.title} as`}
            value={shape}
            options={shapes}
            onValueChange={choose}
          />
        </div>
      )}
    </>
  );
}
