import { useRef } from 'react';
import type { FormatEndpoint } from '../../../shared/connection-options.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { listFormats } from '../../../shared/operations/formats.ts';
import { operations } from '../../../shared/operations/operations.ts';
import { getTaskPath } from '../../../shared/operations/write-request.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { getPanelLabel, operationNames } from '../../lib/panels.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connection-dialog.module.css';

type Format = Pick<FormatEndpoint, 'operation' | 'format'>;

interface Choice extends Format {
  value: string;
  label: string;
  path: string;
  /** Null if the operation has no tasks. */
  taskPath: string | null;
}

interface ConnectionEndpointsProps {
  endpoints: readonly FormatEndpoint[];
  /** Errors at `<index>, <field>`. */
  errors: readonly FieldError[];
  onChange: (endpoints: readonly FormatEndpoint[]) => void;
}

/** Edits the paths and key headers of formats, one format per row. */
export function ConnectionEndpoints({ endpoints, errors, onChange }: ConnectionEndpointsProps) {
  const adder = useRef<HTMLButtonElement>(null);
  const choices = listChoices();
  const isListed = ({ value }: Choice) => endpoints.some((one) => toValue(one) === value);
  const free = choices.find((choice) => !isListed(choice));
  const replace = (at: number, changed: Partial<FormatEndpoint>) =>
    onChange(endpoints.map((one, index) => (index === at ? { ...one, ...changed } : one)));
  return (
    <fieldset className={classNames(styles.group, 'stack-8')}>
      <legend className={classNames(styles.legend, 'label')}>Formats</legend>
      {endpoints.length > 0 && (
        <ul aria-label="Formats" className="stack-12">
          {endpoints.map((endpoint, index) => {
            const number = index + 1;
            return (
              // The format may change, so only the position identifies a row.
              <li key={number} className={styles.endpoint}>
                <EndpointFields
                  endpoint={endpoint}
                  number={number}
                  choices={choices.filter(
                    (choice) => choice.value === toValue(endpoint) || !isListed(choice),
                  )}
                  getError={(...path) => findFieldMessage(errors, String(index), ...path)}
                  onChange={(changed) => replace(index, changed)}
                />
                <IconButton
                  label={`Delete format ${number}`}
                  icon={<TrashIcon size={14} />}
                  onClick={() => {
                    onChange(endpoints.filter((one) => one !== endpoint));
                    adder.current?.focus();
                  }}
                />
              </li>
            );
          })}
        </ul>
      )}
      <div className="row-8">
        <Button
          ref={adder}
          size="small"
          icon={<PlusIcon size={14} />}
          disabledReason={free === undefined ? 'Every format is listed.' : null}
          onClick={() => {
            if (free === undefined) return;
            const { operation, format } = free;
            const nothing = { path: null, taskPath: null, keyHeader: null };
            onChange([...endpoints, { operation, format, ...nothing }]);
          }}
        >
          Add format
        </Button>
        <span className="hint">For another path or key header than usual.</span>
      </div>
    </fieldset>
  );
}

interface EndpointFieldsProps {
  endpoint: FormatEndpoint;
  number: number;
  choices: readonly Choice[];
  getError: (...path: string[]) => string | null;
  onChange: (changed: Partial<FormatEndpoint>) => void;
}

function EndpointFields({ endpoint, number, choices, getError, onChange }: EndpointFieldsProps) {
  const { path, taskPath, keyHeader } = endpoint;
  const usual = choices.find(({ value }) => value === toValue(endpoint));
  return (
    <div className={styles.pair}>
      <Select
        label={`Format ${number}`}
        value={toValue(endpoint)}
        options={choices.map(({ value, label }) => ({ value, label }))}
        onValueChange={(value) => {
          const choice = choices.find((one) => one.value === value);
          if (choice === undefined) return;
          const { operation, format } = choice;
          onChange({ operation, format, taskPath: null });
        }}
      />
      <TextField
        label={`Path of format ${number}`}
        monospace
        placeholder={usual?.path ?? ''}
        value={path ?? ''}
        error={getError('path') ?? getError('format')}
        onValueChange={(text) => onChange({ path: text === '' ? null : text })}
      />
      {usual?.taskPath != null && (
        <TextField
          label={`Task path of format ${number}`}
          monospace
          placeholder={usual.taskPath}
          value={taskPath ?? ''}
          error={getError('taskPath')}
          help="{id} stands for the ID of the task."
          onValueChange={(text) => onChange({ taskPath: text === '' ? null : text })}
        />
      )}
      <TextField
        label={`Key header of format ${number}`}
        monospace
        placeholder="As for the connection"
        value={keyHeader?.name ?? ''}
        error={getError('keyHeader', 'name')}
        onValueChange={(name) => {
          const scheme = keyHeader?.scheme ?? '';
          onChange({ keyHeader: name === '' ? null : { name, scheme } });
        }}
      />
      {keyHeader !== null && (
        <TextField
          label={`Key scheme of format ${number}`}
          monospace
          placeholder="None"
          value={keyHeader.scheme}
          error={getError('keyHeader', 'scheme')}
          onValueChange={(scheme) => onChange({ keyHeader: { ...keyHeader, scheme } })}
        />
      )}
    </div>
  );
}

function toValue({ operation, format }: Format): string {
  return `${operation} ${format}`;
}

function listChoices(): Choice[] {
  return operationNames.flatMap((operation): Choice[] => {
    if (operation === 'console') return [];
    const writer = operations[operation];
    const formats = listFormats(operation);
    const names = formats.length === 0 ? [{ name: '', title: '' }] : formats;
    return names.map(({ name: format, title }) => {
      const request = { format };
      const { path } = writer.formats?.find(({ name }) => name === format) ?? writer;
      const label = [getPanelLabel(operation), title].filter((word) => word !== '').join(': ');
      const taskPath =
        operation === 'video'
          ? getTaskPath(writer, null, { request, extraBody: {}, wireNames: {} })
          : null;
      return { operation, format, value: toValue({ operation, format }), label, path, taskPath };
    });
  });
}
