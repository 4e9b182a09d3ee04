import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { KeyKeeping } from '../../../shared/connection.ts';
import { api, orpc } from '../../lib/api.ts';
import { editConnection, keepingLabels, useConnections } from '../../lib/connections.ts';
import { findFieldMessage, getFieldErrors } from '../../lib/field-errors.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { KeyIcon } from '../../ui/icons/status.tsx';
import { useFocusPassing } from '../../ui/pass-focus.ts';
import { SecretField } from '../../ui/secret-field.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './run-error.module.css';

type RunErrorProps = ComponentProps<typeof ErrorAlert>;

/** Shows why a run failed; an error about a connection's key leads to its key field. */
export function RunError(props: RunErrorProps) {
  const { error, actions } = props;
  const { connections } = useConnections();
  const reference = 'connection' in error ? error.connection : undefined;
  const connection = connections.find(({ id }) => id === reference?.id);
  // The keys of Demo and Environment can't be edited.
  if (connection?.kind !== 'custom') return <ErrorAlert {...props} />;
  const { id, name, lost } = connection;
  const needs = error.kind === 'key-needed' ? error.missing : null;
  if (needs === 'key' && lost.key) return <KeyNeeded {...props} connectionId={id} />;
  return (
    <ErrorAlert
      {...props}
      actions={
        <>
          {actions}
          <Button
            size="small"
            icon={<KeyIcon size={14} />}
            onClick={() => editConnection(id, needs ?? 'key')}
          >
            Edit {name}
          </Button>
        </>
      }
    />
  );
}

/** Asks for a key that was stored only for an earlier session, then retries the run. */
function KeyNeeded({
  connectionId: id,
  onRetry,
  ...alert
}: RunErrorProps & { connectionId: string }) {
  const [key, setKey] = useState('');
  const saving = useAttempt();
  const options = useQuery(orpc.system.info.queryOptions()).data?.keyKeeping ?? [];
  const [chosen, setChosen] = useState<KeyKeeping | null>(null);
  const keeping = chosen ?? options[0] ?? 'session';
  const save = async () => {
    if (await saving.attempt(() => api.connections.setKey({ id, key, keeping }))) onRetry?.();
  };
  const problem =
    findFieldMessage(getFieldErrors(saving.error), 'key') ?? saving.error?.message ?? null;
  return (
    <ErrorAlert
      {...alert}
      actions={
        <form
          ref={useFocusPassing()}
          data-focus-fallback="run"
          className={styles.key}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!saving.busy) void save();
          }}
        >
          <SecretField
            label={`Key of ${alert.error.kind === 'key-needed' ? alert.error.connection.name : ''}`}
            hideLabel
            placeholder="API key"
            value={key}
            error={problem}
            onValueChange={setKey}
          />
          {options.length > 1 && (
            <Select
              label="Store key"
              hideLabel
              value={keeping}
              options={options.map((option) => ({ value: option, label: keepingLabels[option] }))}
              onValueChange={setChosen}
            />
          )}
          <Button type="submit" variant="primary" size="small" busy={saving.busy}>
            {onRetry === undefined ? 'Save key' : 'Save and run again'}
          </Button>
        </form>
      }
    />
  );
}
