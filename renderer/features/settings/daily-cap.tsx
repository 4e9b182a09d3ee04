import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { formatPrice } from '../../lib/format-quantity.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './prices.module.css';

interface DailyCapSummaryProps {
  connection: Connection;
  /** The cap in US dollars, or null if there is none. */
  cap: number | null;
  /** The estimated cost since midnight in US dollars, or null until it's known. */
  today: number | null;
  onEdit: () => void;
}

export function DailyCapSummary({ connection, cap, today, onEdit }: DailyCapSummaryProps) {
  const label = cap === null ? 'Set daily cap' : 'Edit daily cap';
  return (
    <span className="row-8 fixed">
      {today !== null && (
        <Tooltip text="Estimated from today’s usage and these prices.">
          <span className={styles.today}>
            {`Est. ${formatPrice(Number(today.toFixed(4)))}${cap === null ? '' : ` of ${formatPrice(cap)}`} today`}
          </span>
        </Tooltip>
      )}
      <Button
        size="small"
        variant="quiet"
        aria-label={`${connection.name}: ${label}`}
        onClick={onEdit}
      >
        {label}
      </Button>
    </span>
  );
}

interface CapDialogProps {
  connection: Connection;
  onClose: () => void;
}

const MAX_DOLLARS = 1_000_000;

export function CapDialog({ connection, onClose }: CapDialogProps) {
  const cap = useDailyCap(connection.id);
  const saving = useAttempt();

  async function save() {
    if (await saving.attempt(() => cap.save(connection.id))) onClose();
  }

  return (
    <FormDialog
      size="small"
      title={`Daily cap for ${connection.name}`}
      isChanged={cap.isChanged}
      disabledReason={cap.problem}
      busy={saving.busy}
      error={saving.error}
      onSave={() => void save()}
      onClose={onClose}
    >
      <DailyCapField cap={cap} />
    </FormDialog>
  );
}

export type DailyCap = ReturnType<typeof useDailyCap>;

/** Edits the daily cap of a connection; null stands for one that isn't saved yet. */
export function useDailyCap(connectionId: string | null) {
  const { dailyCaps } = useSettings();
  const update = useUpdateSettings();
  const [saved] = useState(connectionId === null ? null : (dailyCaps[connectionId] ?? null));
  const [dollars, setDollars] = useState(saved);
  return {
    dollars,
    setDollars,
    isChanged: dollars !== saved,
    problem: getCapProblem(dollars),
    async save(id: string): Promise<void> {
      if (dollars === saved) return;
      const { [id]: _before, ...others } = dailyCaps;
      await update.mutateAsync({
        dailyCaps: dollars === null ? others : { ...others, [id]: dollars },
      });
    },
  };
}

export function DailyCapField({ cap }: { cap: DailyCap }) {
  return (
    <NumberField
      label="Daily cap"
      help="US dollars per day. Gatehouse asks before sending a request that could exceed this cap, or whose cost can’t be estimated. Resets at midnight."
      placeholder="No cap"
      value={cap.dollars}
      min={0}
      max={MAX_DOLLARS}
      step={1}
      error={cap.problem}
      onValueChange={cap.setDollars}
    />
  );
}

function getCapProblem(dollars: number | null): string | null {
  if (dollars === null || (dollars >= 0 && dollars <= MAX_DOLLARS)) return null;
  return dollars < 0 ? 'Enter 0 or more.' : 'Enter at most 1,000,000.';
}
