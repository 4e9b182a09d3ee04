import { type KeyboardEvent, useId, useState } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import type { FieldProps } from '../../ui/field.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { roundTo } from '../../ui/number-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './parameter-field.module.css';
import type { SetOptions } from './parameters.ts';
import { MapControl, ObjectControl } from './structured-control.tsx';
import { toInputText } from './typed-value.ts';

interface ParameterControlProps {
  field: FieldDescription;
  /** Undefined if the field is unset or its text is invalid. */
  value: JsonValue | undefined;
  /** Undefined if the control shows the formatted value. */
  typedText: string | undefined;
  set: boolean;
  error: string | null;
  /** A note below the suggestions, such as where they come from. */
  note?: string | undefined;
  onSet: (value: JsonValue, options?: SetOptions) => void;
  onType: (text: string) => void;
}

/** When unset, the control shows the gateway's default. */
export function ParameterControl(props: ParameterControlProps) {
  const { field, value, typedText, set, error, onSet, onType } = props;
  const text = typedText ?? (value === undefined ? '' : toInputText(field, value));
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
            ...field.options.map((word) => ({ value: word, label: getOptionTitle(field, word) })),
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
          note={props.note}
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

/** Returns the option itself if nothing names it. */
function getOptionTitle({ suggestions }: FieldDescription, option: string): string {
  return suggestions.find(({ value }) => value === option)?.name ?? option;
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
            {getOptionTitle(field, word)}
          </Button>
        ))}
      </span>
      {error !== null && <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}

interface NumberControlProps extends Pick<FieldProps, 'label' | 'error' | 'help'> {
  field: FieldDescription;
  /** Keeps invalid text, so that the user can correct it. */
  text: string;
  onType: (text: string) => void;
}

/** Renders a text box with arrow key steps, and a slider if the range is known. */
export function NumberControl({ field, text, onType, ...labels }: NumberControlProps) {
  const { minimum, maximum } = field;
  const step = field.step ?? 1;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const preset = typeof field.gatewayDefault === 'number' ? field.gatewayDefault : null;
  const start = typeof field.startValue === 'number' ? field.startValue : (preset ?? minimum ?? 0);
  const resting = preset ?? start;

  function stepBy(event: KeyboardEvent, by: number) {
    event.preventDefault();
    if (WHOLE.test(text.trim()) && Number.isInteger(by) && !Number.isSafeInteger(number)) {
      onType(String(BigInt(text) + BigInt(by)));
      return;
    }
    const next = Number.isNaN(number) ? start : roundTo(number + by, step);
    onType(String(clamp(next, minimum, maximum)));
  }

  const sliding = field.control === 'slider' && minimum !== null && maximum !== null;
  return (
    <div
      className={sliding ? styles.sliderRow : styles.numberRow}
      data-long={(!sliding && text.length > DEFAULT_LENGTH) || undefined}
    >
      {sliding && (
        <Slider
          label={`${field.title} slider`}
          isBesideText
          className={styles.slider}
          value={Number.isNaN(number) ? resting : number}
          isUnset={text.trim() === ''}
          onValueChange={(value) => onType(String(roundTo(value, step)))}
          min={minimum}
          max={maximum}
          step={step}
        />
      )}
      <TextField
        {...labels}
        className={styles.number}
        role="spinbutton"
        inputMode="decimal"
        aria-valuenow={Number.isFinite(number) ? number : undefined}
        aria-valuetext={Number.isNaN(number) ? undefined : text}
        aria-valuemin={minimum ?? undefined}
        aria-valuemax={maximum ?? undefined}
        value={text}
        placeholder={getPlaceholder(field)}
        onValueChange={onType}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp') stepBy(event, step);
          if (event.key === 'ArrowDown') stepBy(event, -step);
        }}
      />
    </div>
  );
}

const DEFAULT_LENGTH = 9;

/** Steps seeds as strings of digits, because they can exceed the safe integer range. */
const WHOLE = /^-?\d+$/;

function clamp(value: number, minimum: number | null, maximum: number | null): number {
  return Math.min(maximum ?? value, Math.max(minimum ?? value, value));
}

/** Returns the gateway's default as a placeholder, if the API documents one. */
export function getPlaceholder({ gatewayDefault }: FieldDescription): string {
  return gatewayDefault === null ? 'Not set' : `Default ${JSON.stringify(gatewayDefault)}`;
}

interface LinesControlProps extends Pick<FieldProps, 'label' | 'error' | 'help'> {
  field: FieldDescription;
  value: JsonValue | undefined;
  text: string;
  onSet: (value: JsonValue, options?: SetOptions) => void;
  onType: (text: string) => void;
}

const shapes = [
  { value: 'text', label: 'One string' },
  { value: 'list', label: 'List' },
] as const;

/** Edits one text per line, or a single string if the field accepts one. */
export function LinesControl({ field, value, text, onSet, onType, ...labels }: LinesControlProps) {
  const { orText, startValue } = field;
  const [chosen, setChosen] = useState<'text' | 'list' | null>(null);
  const defaultMode = orText && typeof startValue === 'string' ? 'text' : 'list';
  const shape =
    value === undefined ? (chosen ?? defaultMode) : typeof value === 'string' ? 'text' : 'list';
  const choose = (next: 'text' | 'list') => {
    setChosen(next);
    if (typeof value === 'string' && next === 'list') onType(text);
    // Keep the text of the list, so that the user can switch back.
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
