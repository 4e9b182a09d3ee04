import { useState } from 'react';
import { defaultTimeouts } from '../../../shared/default-settings.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Timeouts } from '../../../shared/settings.ts';
import { toAppError } from '../../lib/app-error.ts';
import { operationNames, panelLabel } from '../../lib/panels.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ResetIcon } from '../../ui/icons/actions.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import styles from './settings.module.css';
import tableStyles from './timeouts.module.css';

export function TimeoutsSection() {
  const { timeouts } = useSettings();
  const update = useUpdateSettings();
  const keep = (name: OperationName, changed: Timeouts | null) => {
    const { [name]: _, ...others } = timeouts;
    update.mutate({ timeouts: changed === null ? others : { ...others, [name]: changed } });
  };
  return (
    <>
      <p className={styles.intro}>
        Seconds to wait before a run fails. 0 means no limit. The defaults are generous because slow
        models can take minutes, and an abandoned request may still be billed.
      </p>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Connect</th>
            <th scope="col">First byte</th>
            <th scope="col">Idle during response</th>
            <th scope="col">
              <span className="visually-hidden">Reset</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {operationNames.map((name) => (
            <TimeoutRow
              key={name}
              operation={name}
              timeouts={timeouts[name] ?? defaultTimeouts[name]}
              changed={timeouts[name] !== undefined}
              onChange={(changed) => keep(name, changed)}
            />
          ))}
        </tbody>
      </table>
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} />}
    </>
  );
}

interface TimeoutRowProps {
  operation: OperationName;
  timeouts: Timeouts;
  /** Something differs from the defaults. */
  changed: boolean;
  /** Null: back to the defaults. */
  onChange: (timeouts: Timeouts | null) => void;
}

const columns = [
  { field: 'connectSeconds', label: 'connect' },
  { field: 'firstByteSeconds', label: 'first byte' },
  { field: 'stallSeconds', label: 'idle' },
] as const;

const dayInSeconds = 86_400;

function TimeoutRow({ operation, timeouts, changed, onChange }: TimeoutRowProps) {
  const label = panelLabel(operation);
  const defaults = defaultTimeouts[operation];
  const [typed, setTyped] = useState<Partial<Record<keyof Timeouts, number | null>>>({});
  const type = (field: keyof Timeouts, seconds: number | null) => {
    setTyped((before) => ({ ...before, [field]: seconds }));
    if (problemWith(seconds) !== null) return;
    const next = { ...timeouts, [field]: seconds ?? defaults[field] };
    const isDefault = columns.every((column) => next[column.field] === defaults[column.field]);
    onChange(isDefault ? null : next);
  };
  return (
    <tr>
      <th scope="row">{label}</th>
      {columns.map(({ field, label: column }) => {
        const shown = field in typed ? (typed[field] ?? null) : timeouts[field];
        return (
          <td key={field}>
            <NumberField
              label={`${label}: ${column}, seconds`}
              hideLabel
              value={shown}
              placeholder={String(defaults[field])}
              min={0}
              max={dayInSeconds}
              step={5}
              error={problemWith(shown)}
              onValueChange={(seconds) => type(field, seconds)}
            />
          </td>
        );
      })}
      <td>
        <IconButton
          label={`Reset ${label}`}
          icon={<ResetIcon />}
          disabled={!changed}
          onClick={() => {
            setTyped({});
            onChange(null);
          }}
        />
      </td>
    </tr>
  );
}

function problemWith(seconds: number | null): string | null {
  if (seconds === null || (seconds >= 0 && seconds <= dayInSeconds)) return null;
  return seconds < 0 ? 'Enter 0 or more seconds.' : 'Enter at most 86,400 seconds (one day).';
}
