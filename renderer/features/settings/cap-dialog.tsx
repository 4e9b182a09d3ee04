import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import styles from './prices.module.css';

interface CapDialogProps {
  connection: Connection;
  onClose: () => void;
}

const formId = 'cap-form';
const most = 1_000_000;

/** How much a connection's runs may cost in a day before the user is asked. */
export function CapDialog({ connection, onClose }: CapDialogProps) {
  const { dailyCaps } = useSettings();
  const update = useUpdateSettings();
  const [dollars, setDollars] = useState(dailyCaps[connection.id] ?? null);
  const problem = problemWith(dollars);

  async function save() {
    if (problem !== null) return;
    const { [connection.id]: _before, ...others } = dailyCaps;
    const changed = dollars === null ? others : { ...others, [connection.id]: dollars };
    await update.mutateAsync({ dailyCaps: changed }).then(onClose, () => undefined);
  }

  return (
    <Dialog
      open
      size="small"
      title={`Daily cap for ${connection.name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={update.isPending}>
            Save
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
          void save();
        }}
      >
        <NumberField
          label="Daily cap"
          help="$ per day. Leave blank for no cap."
          value={dollars}
          min={0}
          max={most}
          step={1}
          error={problem}
          onValueChange={setDollars}
        />
        <p className={styles.capNote}>
          Gatehouse asks before a request could take today’s estimated cost over the cap. A day ends
          at midnight. Models without a price do not count.
        </p>
        {update.error !== null && <ErrorAlert error={toAppError(update.error)} compact />}
      </form>
    </Dialog>
  );
}

function problemWith(dollars: number | null): string | null {
  if (dollars === null || (dollars >= 0 && dollars <= most)) return null;
  return dollars < 0 ? 'Enter 0 or more.' : 'Enter at most 1,000,000.';
}
