import { createContext, type ReactNode, useMemo, useState } from 'react';
import type { ComparedResultsProps } from '../../run/compare/compare-panel.ts';
import { findCommonStart } from '../../run/compare/text-diff/common-start.ts';
import { SharedStart } from '../../run/compare/text-diff/shared-start.tsx';
import { TextPair } from '../../run/compare/text-diff/text-pair.tsx';
import { useRuns } from '../../run/live/live-runs.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { getContinuations } from './continuations.ts';
import styles from './continuations-compared.module.css';

/** How much of each continuation the others begin with, too: its characters by `Continuation.id`. */
export const SharedLengthsContext = createContext<ReadonlyMap<string, number>>(new Map());

/** What the continuations of one prompt share from their start, marked in their cells, and any two of them side by side. */
export function ContinuationsCompared({
  comparison,
  cells,
  columns,
  children,
}: ComparedResultsProps & { children: ReactNode }) {
  const [rowId, setRowId] = useState<string | null>(null);
  const [showsStart, setShowsStart] = useState(true);
  const [comparesTwo, setComparesTwo] = useState(false);
  const row = comparison.rows.find(({ id }) => id === rowId) ?? comparison.rows[0];
  const runIds = useMemo(
    () => cells.flatMap((cell) => (cell.rowId === row?.id ? (cell.run?.id ?? []) : [])),
    [cells, row],
  );
  const views = useRuns('completion', runIds);
  const texts = useMemo(
    () => (row === undefined ? [] : getContinuations(comparison, row, cells, columns, views)),
    [comparison, row, cells, columns, views],
  );
  const start = useMemo(() => findCommonStart(texts.map(({ text }) => text)), [texts]);
  const isMarked = showsStart && texts.length > 1;
  const lengths = useMemo(
    () => new Map(isMarked ? texts.map(({ id }) => [id, start.shared.length]) : []),
    [isMarked, texts, start],
  );
  const [first, second] = texts;
  if (cells.length < 2 || row === undefined) return children;
  return (
    <SharedLengthsContext value={lengths}>
      <section aria-label="Continuations compared" className={styles.compared}>
        <header className={styles.head}>
          <h2 className="visually-hidden">Continuations compared</h2>
          <Switch label="Shared start" checked={showsStart} onCheckedChange={setShowsStart} />
          {comparison.rows.length > 1 && (
            <Select
              label="Prompt to compare"
              hideLabel
              className={styles.prompt}
              value={row.id}
              options={comparison.rows.map(({ id, label }) => ({ value: id, label }))}
              onValueChange={setRowId}
            />
          )}
          <Button
            size="small"
            disabledReason={texts.length > 1 ? null : 'Needs two finished continuations.'}
            onClick={() => setComparesTwo(true)}
          >
            Compare two
          </Button>
        </header>
        {isMarked && <SharedStart start={start} />}
        {comparesTwo && first !== undefined && second !== undefined && (
          <Dialog
            open
            title="Compare two continuations"
            size="full"
            onClose={() => setComparesTwo(false)}
          >
            <TextPair texts={texts} first={first} second={second} labels={['First', 'Second']} />
          </Dialog>
        )}
      </section>
      {children}
    </SharedLengthsContext>
  );
}
