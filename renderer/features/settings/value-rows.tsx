import { type ReactNode, useRef } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connection-dialog.module.css';

interface ValueRowsProps<Row extends { id: string; name: string }> {
  /** The name of one row, such as `header`. */
  noun: string;
  title: string;
  help: string;
  rows: readonly Row[];
  /** Errors at `<index>, <field>`. */
  errors: readonly FieldError[];
  createRow: () => Row;
  onName: (row: Row, name: string) => Row;
  onChange: (rows: readonly Row[]) => void;
  /** Renders the controls after the name. */
  children: (row: Row, field: RowField<Row>) => ReactNode;
}

interface RowField<Row> {
  /** The row's name, such as `header 1`. */
  noun: string;
  error: string | null;
  onChange: (row: Row) => void;
}

/** Edits named values, one per row. */
export function ValueRows<Row extends { id: string; name: string }>({
  noun,
  title,
  help,
  rows,
  errors,
  createRow,
  onName,
  onChange,
  children,
}: ValueRowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const replace = (changed: Row) =>
    onChange(rows.map((row) => (row.id === changed.id ? changed : row)));
  const add = () => {
    onChange([...rows, createRow()]);
    // The row is added before the next frame.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('li:last-child input')?.focus(),
    );
  };
  return (
    <fieldset className={classNames(styles.group, 'stack-8')}>
      <legend className={classNames(styles.legend, 'label')}>{title}</legend>
      {rows.length > 0 && (
        <ul ref={list} aria-label={title} className="stack-8">
          {rows.map((row, index) => (
            <li key={row.id} className={styles.value}>
              <TextField
                label={`Name of ${noun} ${index + 1}`}
                hideLabel
                placeholder="Name"
                monospace
                value={row.name}
                onValueChange={(name) => replace(onName(row, name))}
                error={findFieldMessage(errors, String(index), 'name')}
              />
              {children(row, {
                noun: `${noun} ${index + 1}`,
                error: findFieldMessage(errors, String(index), 'value'),
                onChange: replace,
              })}
              <IconButton
                label={`Delete ${noun} ${index + 1}`}
                icon={<TrashIcon size={14} />}
                onClick={() => {
                  onChange(rows.filter(({ id }) => id !== row.id));
                  adder.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="row-8">
        <Button ref={adder} size="small" icon={<PlusIcon size={14} />} onClick={add}>
          Add {noun}
        </Button>
        {rows.length > 0 && <span className="hint">{help}</span>}
      </div>
    </fieldset>
  );
}
