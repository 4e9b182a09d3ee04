import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeepRunsDays } from '../../../shared/settings.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { SettingRow } from './setting-row.tsx';
import styles from './settings.module.css';

type Choice = 'never' | '90' | '30' | '7';

const choices: { value: Choice; label: string; days: KeepRunsDays | null }[] = [
  { value: 'never', label: 'Never', days: null },
  { value: '90', label: 'After 90 days', days: 90 },
  { value: '30', label: 'After 30 days', days: 30 },
  { value: '7', label: 'After 7 days', days: 7 },
];

export function Retention() {
  const { keepRunsDays } = useSettings();
  const update = useUpdateSettings();
  const [asked, setAsked] = useState<KeepRunsDays | null>(null);

  function choose(value: Choice): void {
    const days = choices.find((choice) => choice.value === value)?.days ?? null;
    const deletesMore = days !== null && (keepRunsDays === null || days < keepRunsDays);
    if (deletesMore) setAsked(days);
    else update.mutate({ keepRunsDays: days });
  }

  return (
    <>
      <h3 className={styles.subheading}>Old runs</h3>
      <div className={styles.card}>
        <SettingRow
          label="Delete old runs"
          help="Runs in conversations and media files are always kept."
        >
          <Select
            label="Delete old runs"
            hideLabel
            value={choices.find(({ days }) => days === keepRunsDays)?.value ?? 'never'}
            options={choices}
            onValueChange={choose}
          />
        </SettingRow>
      </div>
      {update.error !== null && <ErrorAlert error={toAppError(update.error)} />}
      {asked !== null && (
        <RetentionQuestion
          days={asked}
          onConfirm={() => {
            update.mutate({ keepRunsDays: asked });
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface RetentionQuestionProps {
  days: KeepRunsDays;
  onConfirm: () => void;
  onClose: () => void;
}

function RetentionQuestion({ days, onConfirm, onClose }: RetentionQuestionProps) {
  const { data, error } = useQuery({
    ...orpc.data.oldRuns.queryOptions({ input: { days } }),
    gcTime: 0,
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete runs older than ${days} days?`}
      confirmLabel="Delete old runs"
      busy={data === undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {error !== null && <ErrorAlert compact error={toAppError(error)} />}
      {data === undefined ? (
        error === null && <Spinner label="Counting runs" />
      ) : (
        <p>
          {data.count === 0
            ? 'No run is older now. Runs are deleted once they are.'
            : `${pluralize(data.count, 'run')} will be deleted now, and others once they are older. This can’t be undone.`}
        </p>
      )}
    </ConfirmDialog>
  );
}
