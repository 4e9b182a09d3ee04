import { api } from '../../lib/api.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Menu } from '../../ui/menu.tsx';
import styles from './history.module.css';
import { getRunFilter, type HistoryEntry, useHistory } from './history-store.ts';

interface SelectionBarProps {
  selected: readonly HistoryEntry[];
  onDelete: () => void;
}

export function SelectionBar({ selected, onDelete }: SelectionBarProps) {
  const { mark, compare } = useHistory.getState();
  return (
    <div className={classNames(styles.marked, 'row-8 fixed')}>
      <span>{formatCount(selected.length)} selected</span>
      <Button
        size="small"
        disabledReason={getCompareProblem(selected)}
        onClick={() => {
          const [first, second] = selected.toSorted((a, b) => a.run.createdAt - b.run.createdAt);
          if (first !== undefined && second !== undefined) compare([first.run.id, second.run.id]);
        }}
      >
        Compare
      </Button>
      <ExportMenu label="Export selected" selected={selected} />
      <Button size="small" variant="danger" onClick={onDelete}>
        Delete selected
      </Button>
      <Button size="small" variant="quiet" onClick={() => mark(new Set())}>
        Clear selection
      </Button>
    </div>
  );
}

function getCompareProblem(selected: readonly HistoryEntry[]): string | null {
  const [first, second] = selected;
  const isPair = selected.length === 2 && first?.run.operation === second?.run.operation;
  const areRuns = selected.every(({ id, run }) => id === run.id);
  return isPair && areRuns ? null : 'Select two runs of the same panel.';
}

interface ExportMenuProps {
  label: string;
  /** Null exports all runs that match the filter. */
  selected: readonly HistoryEntry[] | null;
}

export function ExportMenu({ label, selected }: ExportMenuProps) {
  const { busy, error, attempt } = useAttempt();
  const save = (format: 'csv' | 'jsonl') =>
    void attempt(async () => {
      const filter = getRunFilter(useHistory.getState().filter);
      const pieces: string[] = [];
      const file = await api.runs.export({
        format,
        filter,
        selected: selected && {
          runIds: selected.flatMap(({ id, run }) => (id === run.id ? id : [])),
          comparisonIds: selected.flatMap(
            ({ comparison, check }) => check?.comparisonIds ?? comparison?.id ?? [],
          ),
        },
      });
      for await (const piece of file) pieces.push(piece);
      const type = format === 'csv' ? 'text/csv' : 'application/jsonl';
      saveBlob(new Blob(pieces, { type }), `runs-${formatDate(new Date())}.${format}`);
    });
  return (
    <>
      <Menu
        label={label}
        size="small"
        trigger={busy ? 'Exporting…' : label}
        items={[
          {
            id: 'csv',
            label: 'CSV, for spreadsheets',
            disabled: busy,
            onSelect: () => save('csv'),
          },
          {
            id: 'jsonl',
            label: 'JSONL, with requests',
            disabled: busy,
            onSelect: () => save('jsonl'),
          },
        ]}
      />
      {error !== null && <ErrorAlert error={error} compact />}
    </>
  );
}

function formatDate(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
