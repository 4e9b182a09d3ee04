import { useState } from 'react';
import { DEFAULT_REQUESTS_AT_ONCE } from '../../../shared/default-settings.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import styles from './settings.module.css';

const most = 50;

/** How many requests of comparisons each connection gets at once. */
export function CompareSection() {
  const { requestsAtOnce } = useSettings();
  const { connections } = useConnections();
  const update = useUpdateSettings();
  return (
    <>
      <p className={styles.intro}>
        Maximum concurrent comparison requests per connection. Requests start at least 50 ms apart.
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
  /** Null for the default. */
  value: number | null;
  onChange: (value: number | null) => void;
}

function AtOnceRow({ name, value, onChange }: AtOnceRowProps) {
  const [typed, setTyped] = useState<number | null | undefined>(undefined);
  const shown = typed === undefined ? value : typed;
  const isValid = shown === null || (Number.isInteger(shown) && shown >= 1 && shown <= most);
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
        max={most}
        error={isValid ? null : `Enter a number from 1 to ${most}.`}
        onValueChange={(next) => {
          setTyped(next);
          if (next === null || (Number.isInteger(next) && next >= 1 && next <= most)) {
            onChange(next);
          }
        }}
      />
    </div>
  );
}
