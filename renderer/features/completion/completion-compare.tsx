import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { isFinished } from '../../../shared/run.ts';
import {
  type ComparedCellProps,
  type ComparedResultsProps,
  type ComparePanel,
  createFirstOutputFigure,
  tokenFigures,
  totalFigure,
} from '../../run/compare/compare-panel.ts';
import { findCommonStart, SharedStart } from '../../run/compare/text-diff/common-start.tsx';
import { TextPair } from '../../run/compare/text-diff/text-diff.tsx';
import { useRun, useRunViews } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './completion.module.css';
import {
  getContinuation,
  getContinuationId,
  getContinuations,
  getSentCompletion,
} from './continuations.ts';
import { ResultText } from './result-text.tsx';

/** Maps `Continuation.id` to the length of the prefix shared by all continuations. */
const PrefixLengths = createContext<ReadonlyMap<string, number>>(new Map());

function CompletionCell({ run }: ComparedCellProps) {
  const view = useRun('completion', run.id);
  const recorded = useRecordedInput(run.id);
  const prefixLengths = useContext(PrefixLengths);
  if (view === null || recorded === null) return null;
  const sent = getSentCompletion(recorded);
  const { choices } = view.state;
  return choices.map((choice, index) => {
    const text = getContinuation(choice.text, sent);
    const prefixLength = prefixLengths.get(getContinuationId(run.id, index)) ?? text.length;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: choices keep their order.
      <div key={index} className={styles.choice}>
        {choices.length > 1 && <h3 className="label">Choice {index + 1}</h3>}
        <ResultText
          streaming={!isFinished(view.status)}
          parts={[
            { kind: 'prompt', text: text.slice(0, prefixLength) },
            { kind: 'continuation', text: text.slice(prefixLength) },
          ]}
        />
      </div>
    );
  });
}

function CompletionComparison({
  comparison,
  cells,
  columns,
  children,
}: ComparedResultsProps & { children: ReactNode }) {
  const [rowId, setRowId] = useState<string | null>(null);
  const [showsPrefix, setShowsPrefix] = useState(true);
  const [comparesTwo, setComparesTwo] = useState(false);
  const row = comparison.rows.find(({ id }) => id === rowId) ?? comparison.rows[0];
  const runIds = useMemo(
    () => cells.flatMap((cell) => (cell.rowId === row?.id ? (cell.run?.id ?? []) : [])),
    [cells, row],
  );
  const views = useRunViews('completion', runIds);
  const texts = useMemo(
    () => (row === undefined ? [] : getContinuations(comparison, row, cells, columns, views)),
    [comparison, row, cells, columns, views],
  );
  const prefix = useMemo(() => findCommonStart(texts.map(({ text }) => text)), [texts]);
  const isMarked = showsPrefix && texts.length > 1;
  const prefixLengths = useMemo(
    () =>
      new Map(
        isMarked && prefix.shared !== '' ? texts.map(({ id }) => [id, prefix.shared.length]) : [],
      ),
    [isMarked, texts, prefix],
  );
  const [first, second] = texts;
  if (cells.length < 2 || row === undefined) return children;
  return (
    <PrefixLengths value={prefixLengths}>
      <section aria-label="Continuations compared" className="stack-4">
        <header className={styles.head}>
          <h2 className="visually-hidden">Continuations compared</h2>
          <Switch label="Common prefix" checked={showsPrefix} onCheckedChange={setShowsPrefix} />
          {comparison.rows.length > 1 && (
            <Select
              label="Prompt to compare"
              hideLabel
              className={styles.promptPicker}
              value={row.id}
              options={comparison.rows.map(({ id, label }) => ({ value: id, label }))}
              onValueChange={setRowId}
            />
          )}
          <Button
            size="small"
            disabledReason={texts.length > 1 ? null : 'Wait for two finished continuations.'}
            onClick={() => setComparesTwo(true)}
          >
            Compare two
          </Button>
        </header>
        {isMarked && <SharedStart start={prefix} />}
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
    </PrefixLengths>
  );
}

export const completionComparePanel: ComparePanel = {
  figures: [createFirstOutputFigure('First token'), totalFigure, ...tokenFigures],
  cellFigures: ['first', 'total', 'out', 'cost'],
  Frame: CompletionComparison,
  Result: CompletionCell,
};
