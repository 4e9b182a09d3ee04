import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import { api } from '../../lib/api.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { pickPlace, tie } from './blind.ts';
import type { CompareColumn } from './compare-panel.ts';
import styles from './comparison.module.css';
import type { GridRow } from './grid-rows.ts';

interface RowPickProps {
  comparisonId: string;
  notes: ComparisonNotes;
  row: GridRow;
  columns: readonly CompareColumn[];
}

/** Which of a row's results is the best, chosen without knowing whose it is. */
export function RowPick({ comparisonId, notes: { blind }, row, columns }: RowPickProps) {
  const { attempt, error } = useAttempt();
  const place = pickPlace(row);
  const pick = (id: string) =>
    void attempt(() =>
      api.comparisons.note({ id: comparisonId, change: { kind: 'pick', place, pick: id } }),
    );
  return (
    <div className={styles.pick}>
      <span className={styles.pickLabel}>Best</span>
      <Segmented
        label={row.label === '' ? 'Best' : `Best of ${row.label}`}
        value={blind?.picks[place] ?? ''}
        options={[
          ...columns.map(({ variant, name }) => ({ value: variant.id, label: name })),
          { value: tie, label: 'Tie' },
        ]}
        onValueChange={pick}
      />
      {error !== null && <ErrorAlert compact error={error} />}
    </div>
  );
}
