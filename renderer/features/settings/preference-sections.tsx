import { useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import {
  DEFAULT_REQUESTS_AT_ONCE,
  defaultTimeouts,
  type Settings,
  type Timeouts,
} from '../../../shared/settings.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { getPanelLabel, operationNames } from '../../lib/panels.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ResetIcon } from '../../ui/icons/actions.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import { SettingRow } from './setting-row.tsx';
import styles from './settings.module.css';

const themes: { value: Settings['theme']; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
];

const densities: { value: Settings['density']; label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
];

export function GeneralSection() {
  const { theme, density, enterSends } = useSettings();
  const update = useUpdateSettings();
  return (
    <>
      <div className={styles.card}>
        <SettingRow label="Theme" help={theme === 'system' ? 'Follows your system setting.' : null}>
          <Segmented
            label="Theme"
            value={theme}
            options={themes}
            onValueChange={(value) => update.mutate({ theme: value })}
          />
        </SettingRow>
        <SettingRow label="Density" help="Comfortable uses larger controls.">
          <Segmented
            label="Density"
            value={density}
            options={densities}
            onValueChange={(value) => update.mutate({ density: value })}
          />
        </SettingRow>
        <SettingRow
          label="Send with Enter"
          help={
            <>
              Press Enter to send and Shift+Enter for a new line. <Kbd shortcut="Mod+Enter" />{' '}
              always sends.
            </>
          }
        >
          <Switch
            label="Send with Enter"
            hideLabel
            checked={enterSends}
            onCheckedChange={(checked) => update.mutate({ enterSends: checked })}
          />
        </SettingRow>
      </div>
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} />}
      <RequestsAtOnce />
    </>
  );
}

const MAX_REQUESTS_AT_ONCE = 50;

function RequestsAtOnce() {
  const { requestsAtOnce } = useSettings();
  const { connections } = useConnections();
  const update = useUpdateSettings();
  return (
    <>
      <h3 className={styles.subheading}>Comparisons</h3>
      <p className={styles.intro}>
        Maximum concurrent comparison requests per connection. New requests start at least 50 ms
        apart.
      </p>
      <div className={styles.card}>
        {connections.map(({ id, name }) => (
          <AtOnceRow
            key={id}
            name={name}
            value={requestsAtOnce[id] ?? null}
            onChange={(value) => {
              const { [id]: _, ...others } = requestsAtOnce;
              update.mutate({
                requestsAtOnce: value === null ? others : { ...others, [id]: value },
              });
            }}
          />
        ))}
      </div>
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} />}
    </>
  );
}

interface AtOnceRowProps {
  name: string;
  /** Null resets to the default. */
  value: number | null;
  onChange: (value: number | null) => void;
}

function AtOnceRow({ name, value, onChange }: AtOnceRowProps) {
  const [typed, setTyped] = useState<number | null | undefined>(undefined);
  const shown = typed === undefined ? value : typed;
  const isValid = (count: number | null) =>
    count === null || (Number.isInteger(count) && count >= 1 && count <= MAX_REQUESTS_AT_ONCE);
  return (
    <div className={styles.row}>
      <span>{name}</span>
      <NumberField
        label={`Concurrent requests: ${name}`}
        hideLabel
        className={styles.atOnce}
        value={shown}
        placeholder={String(DEFAULT_REQUESTS_AT_ONCE)}
        min={1}
        max={MAX_REQUESTS_AT_ONCE}
        error={isValid(shown) ? null : `Enter a number from 1 to ${MAX_REQUESTS_AT_ONCE}.`}
        onValueChange={(next) => {
          setTyped(next);
          if (isValid(next)) onChange(next);
        }}
      />
    </div>
  );
}

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
        In seconds; 0 means no limit. Defaults are generous: slow models can take minutes, and
        abandoned requests may still be billed.
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Panel</th>
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
  changed: boolean;
  /** Null restores the defaults. */
  onChange: (timeouts: Timeouts | null) => void;
}

const columns = [
  { field: 'connectSeconds', label: 'connect' },
  { field: 'firstByteSeconds', label: 'first byte' },
  { field: 'stallSeconds', label: 'idle' },
] as const;

const DAY_SECONDS = 86_400;

function TimeoutRow({ operation, timeouts, changed, onChange }: TimeoutRowProps) {
  const label = getPanelLabel(operation);
  const defaults = defaultTimeouts[operation];
  const [typed, setTyped] = useState<Partial<Record<keyof Timeouts, number | null>>>({});
  const type = (field: keyof Timeouts, seconds: number | null) => {
    setTyped((before) => ({ ...before, [field]: seconds }));
    if (getTimeoutProblem(seconds) !== null) return;
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
              max={DAY_SECONDS}
              step={5}
              error={getTimeoutProblem(shown)}
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

function getTimeoutProblem(seconds: number | null): string | null {
  if (seconds === null || (seconds >= 0 && seconds <= DAY_SECONDS)) return null;
  return seconds < 0 ? 'Enter 0 or more seconds.' : 'Enter at most 86,400 seconds (one day).';
}
