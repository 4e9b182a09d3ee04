import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { fieldMessage, fieldsOf } from '../../lib/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connections.module.css';
import { KeyFields } from './key-fields.tsx';
import { useSaveConnection } from './use-save-connection.ts';

export interface ConnectionDialogProps {
  /** Null adds one. */
  connection: Connection | null;
  onClose: () => void;
}

const formId = 'connection-form';

export function ConnectionDialog({ connection, onClose }: ConnectionDialogProps) {
  const [name, setName] = useState(connection?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(connection?.baseUrl ?? '');
  const form = useSaveConnection(connection, onClose);
  const nameError = fieldMessage(fieldsOf(form.error), 'name');
  const baseUrlError = fieldMessage(fieldsOf(form.error), 'baseUrl');
  const inFields = nameError !== null || baseUrlError !== null || form.keyProblem !== null;
  return (
    <Dialog
      open
      title={connection === null ? 'Add connection' : `Edit ${connection.name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isSaving}>
            {connection === null ? 'Add' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.save({ name, baseUrl });
        }}
      >
        <TextField
          label="Name"
          value={name}
          onValueChange={setName}
          placeholder="Staging"
          error={nameError}
        />
        <TextField
          label="Base URL"
          value={baseUrl}
          onValueChange={setBaseUrl}
          type="url"
          inputMode="url"
          monospace
          placeholder="https://gateway.example.com"
          help="With or without /v1 at the end."
          error={baseUrlError}
        />
        <KeyFields draft={form.keyDraft} known={form.known} problem={form.keyProblem} />
        {form.error !== null && !inFields && <ErrorAlert error={form.error} />}
      </form>
    </Dialog>
  );
}
