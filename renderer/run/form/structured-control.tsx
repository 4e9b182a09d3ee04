import { type ReactNode, useId, useState } from 'react';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import type { FieldPart } from '../../../shared/operations/form/field-meta.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, PlusIcon } from '../../ui/icons/actions.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './structured-control.module.css';
import { type MapRow, mapText, readMapRows } from './typed-value.ts';

interface StructuredControlProps {
  field: FieldDescription;
  text: string;
  error: string | null;
  onType: (text: string) => void;
  /** Null if the controls can't represent the text. */
  children: ReactNode;
}

/** Edits a JSON object with controls or as raw JSON. */
export function StructuredControl(props: StructuredControlProps) {
  const { field, text, error, onType, children } = props;
  const [asJson, setAsJson] = useState(false);
  const titleId = useId();
  const showsJson = asJson || children === null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and its own legend.
    <div role="group" aria-labelledby={titleId} className={styles.control}>
      <div className={styles.head}>
        <span id={titleId} className={styles.title}>
          {field.title}
        </span>
        <Button
          size="small"
          variant="quiet"
          aria-label={`Edit ${field.title} as JSON`}
          aria-pressed={showsJson}
          disabledReason={
            asJson || children !== null ? null : 'This JSON has fields the form doesn’t support.'
          }
          onClick={() => setAsJson(!showsJson)}
        >
          JSON
        </Button>
      </div>
      {showsJson ? (
        <TextArea
          label={`${field.title} JSON`}
          hideLabel
          error={error}
          help={<span className="visually-hidden">{field.description}</span>}
          value={text}
          onValueChange={onType}
          placeholder="Not set"
          monospace
          autoGrow
          rows={2}
          maxRows={16}
        />
      ) : (
        <>
          {children}
          {error !== null && <p className={styles.error}>{error}</p>}
        </>
      )}
    </div>
  );
}

interface MapControlProps {
  field: FieldDescription;
  text: string;
  error: string | null;
  onType: (text: string) => void;
}

/** Edits `logit_bias` as rows of keys and numbers. */
export function MapControl({ field, text, error, onType }: MapControlProps) {
  const rows = readMapRows(text);
  const [keyTitle = 'Key', valueTitle = 'Value'] = field.parts.map(({ title }) => title);
  // Empty rows aren't part of the text.
  const [hasEmptyRow, setHasEmptyRow] = useState(false);
  const shown = rows === null ? [] : [...rows, ...(hasEmptyRow ? [emptyRow] : [])];
  const change = (next: readonly MapRow[]) => {
    const last = next.at(-1);
    const isLastEmpty = last !== undefined && last.key === '' && last.value === '';
    setHasEmptyRow(isLastEmpty);
    onType(mapText(isLastEmpty ? next.slice(0, -1) : next));
  };
  return (
    <StructuredControl field={field} text={text} error={error} onType={onType}>
      {rows === null ? null : (
        <>
          {shown.length > 0 && (
            <div className={styles.rows}>
              <span className={styles.columnTitle}>{keyTitle}</span>
              <span className={styles.columnTitle}>{valueTitle}</span>
              <span />
              {shown.map((row, at) => (
                <Row
                  // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat while they are typed.
                  key={at}
                  row={row}
                  number={at + 1}
                  titles={[keyTitle, valueTitle]}
                  isNew={hasEmptyRow && at === shown.length - 1}
                  onType={(typed) => change(shown.with(at, typed))}
                  onRemove={() => change(shown.toSpliced(at, 1))}
                />
              ))}
            </div>
          )}
          <Button
            size="small"
            variant="quiet"
            icon={<PlusIcon size={14} />}
            className={styles.add}
            disabledReason={hasEmptyRow ? 'Fill in the empty row first.' : null}
            onClick={() => setHasEmptyRow(true)}
          >
            Add row
          </Button>
        </>
      )}
    </StructuredControl>
  );
}

const emptyRow: MapRow = { key: '', value: '' };

interface RowProps {
  row: MapRow;
  number: number;
  titles: [key: string, value: string];
  isNew: boolean;
  onType: (row: MapRow) => void;
  onRemove: () => void;
}

function Row({ row, number, titles: [keyTitle, valueTitle], isNew, onType, onRemove }: RowProps) {
  return (
    <>
      <TextField
        label={`${keyTitle} ${number}`}
        hideLabel
        monospace
        autoFocus={isNew}
        value={row.key}
        onValueChange={(key) => onType({ ...row, key })}
      />
      <TextField
        label={`${valueTitle} ${number}`}
        hideLabel
        inputMode="decimal"
        value={row.value}
        onValueChange={(value) => onType({ ...row, value })}
      />
      <IconButton
        size="small"
        label={`Remove ${keyTitle} ${number}`}
        icon={<CloseIcon size={12} />}
        onClick={onRemove}
      />
    </>
  );
}

interface ObjectControlProps {
  field: FieldDescription;
  /** Undefined if the field is unset or its text is invalid JSON. */
  value: JsonValue | undefined;
  text: string;
  error: string | null;
  onSet: (value: JsonValue, options?: { typing: boolean }) => void;
  onType: (text: string) => void;
}

/** Edits an object's known fields without changing the others. */
export function ObjectControl({ field, value, text, error, onSet, onType }: ObjectControlProps) {
  const object = value === undefined && text.trim() === '' ? {} : value;
  const isShown = isJsonObject(object) && field.parts.every((part) => fits(part, object));
  return (
    <StructuredControl field={field} text={text} error={error} onType={onType}>
      {isShown
        ? field.parts.map((part) => (
            <PartControl
              key={part.name}
              part={part}
              value={object[part.name]}
              onSet={(next) => onSet({ ...object, [part.name]: next }, { typing: next !== true })}
              onClear={() => {
                const { [part.name]: _, ...rest } = object;
                if (Object.keys(rest).length === 0) onType('');
                else onSet(rest, { typing: true });
              }}
            />
          ))
        : null}
    </StructuredControl>
  );
}

function fits({ name, control }: FieldPart, object: JsonObject): boolean {
  const value = object[name];
  return value === undefined || typeof value === (control === 'switch' ? 'boolean' : 'string');
}

interface PartControlProps {
  part: FieldPart;
  value: JsonValue | undefined;
  onSet: (value: JsonValue) => void;
  onClear: () => void;
}

function PartControl({ part, value, onSet, onClear }: PartControlProps) {
  if (part.control === 'switch') {
    return <Switch label={part.title} checked={value === true} onCheckedChange={onSet} />;
  }
  return (
    <Combobox
      label={part.title}
      className={styles.part}
      value={typeof value === 'string' ? value : ''}
      suggestions={part.suggestions.map((word) => ({ value: word }))}
      placeholder="Not set"
      onValueChange={(word) => (word === '' ? onClear() : onSet(word))}
    />
  );
}
