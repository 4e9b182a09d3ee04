import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import styles from './prices.module.css';

interface CapDialogProps {
  connection: Connection;
  onClose: () => void;
}

const most = 1_000_000;

/** How much a connection's runs may cost in a day before the user is asked. */
export function CapDialog({ connection, onClose }: CapDialogProps) {
  const { dailyCaps } = useSettings();
  const update = useUpdateSettings();
  const saving = useAttempt();
  const [saved] = useState(dailyCaps[connection.id] ?? null);
  const [dollars, setDollars] = useState(saved);
  const problem = problemWith(dollars);

  async function save() {
    const { [connection.id]: _before, ...others } = dailyCaps;
    const changed = dollars === null ? others : { ...others, [connection.id]: dollars };
    if (await saving.attempt(() => update.mutateAsync({ dailyCaps: changed }))) onClose();
  }

  return (
    <FormDialog
      size="small"
      title={`Daily cap for ${connection.name}`}
      isChanged={dollars !== saved}
      disabledReason={problem}
      busy={saving.busy}
      error={saving.error}
      onSave={() => void save()}
      onClose={onClose}
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
    </FormDialog>
  );
}

function problemWith(dollars: number | null): string | null {
  if (dollars === null || (dollars >= 0 && dollars <= most)) return null;
  return dollars < 0 ? 'Enter 0 or more.' : 'Enter at most 1,000,000.';
}
