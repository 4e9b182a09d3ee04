import { useState } from 'react';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { CloseIcon } from '../../ui/icons/close.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type MapRow, mapText, readMapRows } from './map-rows.ts';
import styles from './structured-control.module.css';
import { StructuredControl } from './structured-control.tsx';

interface MapControlProps {
  field: FieldDescription;
  /** Its JSON, as typed. */
  text: string;
  error: string | null;
  onType: (text: string) => void;
}

/** Keys and numbers in rows: `logit_bias`. */
export function MapControl({ field, text, error, onType }: MapControlProps) {
  const rows = readMapRows(text);
  const [keyTitle = 'Key', valueTitle = 'Value'] = field.parts.map(({ title }) => title);
  // A row that is still empty is not part of the text.
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
  /** From 1. */
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
