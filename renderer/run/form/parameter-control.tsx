import { useId } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { getPlaceholder, LinesControl, NumberControl } from './number-control.tsx';
import styles from './parameter-field.module.css';
import type { SetOptions } from './parameters.ts';
import { MapControl, ObjectControl } from './structured-control.tsx';
import { typedText } from './typed-value.ts';

interface ParameterControlProps {
  field: FieldDescription;
  /** Undefined if the field is unset or its text is invalid. */
  value: JsonValue | undefined;
  typed: string | undefined;
  set: boolean;
  error: string | null;
  onSet: (value: JsonValue, options?: SetOptions) => void;
  onType: (text: string) => void;
}

/** An unset control shows the gateway's default. */
export function ParameterControl(props: ParameterControlProps) {
  const { field, value, typed, set, error, onSet, onType } = props;
  const text = typed ?? (value === undefined ? '' : typedText(field, value));
  const common = {
    label: field.title,
    error,
    help: <span className="visually-hidden">{field.description}</span>,
  };
  switch (field.control) {
    case 'slider':
    case 'number':
      return <NumberControl {...common} field={field} text={text} onType={onType} />;
    case 'switch':
      return (
        <>
          <Switch
            label={field.title}
            checked={(value ?? field.gatewayDefault) === true}
            onCheckedChange={onSet}
          />
          {error !== null && <p className={styles.error}>{error}</p>}
        </>
      );
    case 'choice':
      return (
        <Select
          {...common}
          value={typeof value === 'string' ? value : ''}
          options={[
            { value: '', label: getPlaceholder(field) },
            ...field.options.map((word) => ({ value: word, label: word })),
          ]}
          onValueChange={onType}
        />
      );
    case 'choices':
      return <ChoicesControl field={field} value={value} error={error} onSet={onSet} />;
    case 'text':
      return field.suggestions.length > 0 ? (
        <Combobox
          {...common}
          value={text}
          onValueChange={onType}
          suggestions={field.suggestions.map(({ value: word, name }) => ({
            value: word,
            ...(name !== null && { detail: name }),
          }))}
          placeholder={getPlaceholder(field)}
        />
      ) : (
        <TextField
          {...common}
          value={text}
          onValueChange={onType}
          placeholder={getPlaceholder(field)}
        />
      );
    case 'lines':
      return (
        <LinesControl
          {...common}
          field={field}
          value={value}
          text={text}
          onSet={onSet}
          onType={onType}
        />
      );
    case 'map':
      return <MapControl field={field} text={text} error={error} onType={onType} />;
    case 'object':
      return (
        <ObjectControl
          field={field}
          value={value}
          text={text}
          error={error}
          onSet={onSet}
          onType={onType}
        />
      );
    case 'multiline':
      return (
        <TextArea
          {...common}
          value={text}
          onValueChange={onType}
          placeholder={getPlaceholder(field)}
          autoGrow
          rows={1}
          maxRows={8}
        />
      );
    case 'json':
      return set ? (
        <TextArea
          {...common}
          value={text}
          onValueChange={onType}
          monospace
          autoGrow
          rows={2}
          maxRows={16}
        />
      ) : (
        <div className={styles.unsetJson}>
          <span className={styles.unsetTitle}>{field.title}</span>
          <Button
            size="small"
            variant="quiet"
            icon={<PlusIcon size={14} />}
            aria-label={`Set ${field.title}`}
            onClick={() => onSet(field.startValue)}
          >
            Set
          </Button>
        </div>
      );
    default:
      return assertNever(field.control);
  }
}

interface ChoicesControlProps {
  field: FieldDescription;
  value: JsonValue | undefined;
  error: string | null;
  onSet: (value: JsonValue) => void;
}

function ChoicesControl({ field, value, error, onSet }: ChoicesControlProps) {
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
