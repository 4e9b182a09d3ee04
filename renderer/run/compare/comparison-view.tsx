import { type ReactNode, useMemo } from 'react';
import type { Comparison } from '../../../shared/comparison.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { changeWithUndo } from '../form/change-with-undo.ts';
import { getColumns, getRows } from './compare-columns.ts';
import { CompareGrid, RowPick } from './compare-grid.tsx';
import { type CompareFigure, type ComparePanel, costFigure } from './compare-panel.ts';
import styles from './comparison.module.css';
import { ComparisonFrame, withoutRevealing } from './comparison-frame.tsx';
import { type LiveComparison, useComparison } from './live-comparisons.ts';
import { restoreInput, useInputState } from './load-comparison.ts';
import type { Comparing } from './use-comparing.ts';

export interface ComparisonViewProps {
  compare: Comparing;
  panel: ComparePanel;
  empty: ReactNode;
}

export function ComparisonView({ compare, panel, empty }: ComparisonViewProps) {
  const { comparisonId, problem } = compare;
  const live = useComparison(comparisonId);
  if (comparisonId === null) return empty;
  if (live === null) return problem === null ? <Spinner label="Loading comparison" /> : null;
  return <LoadedComparison key={comparisonId} live={live} compare={compare} panel={panel} />;
}

interface LoadedComparisonProps extends Pick<ComparisonViewProps, 'compare' | 'panel'> {
  live: LiveComparison;
}

const noFigures: readonly CompareFigure[] = [];
const useNoFigures = () => noFigures;

function LoadedComparison({ live, compare, panel }: LoadedComparisonProps) {
  const { comparison, notes, cells } = live;
  const columns = useMemo(() => getColumns(comparison, notes), [comparison, notes]);
  // A panel never changes its hook.
  const { useFigures = useNoFigures } = panel;
  const own = useFigures({ comparison, notes, cells, columns });
  const figures = useMemo(() => [...own, ...panel.figures], [own, panel.figures]);
  const { Overview, Result, hasResultsInOverview = false, fitsRows, Frame = Unframed } = panel;
  const isHidden = notes.blind?.isHidden === true;
  const inputState = useInputState(compare.form, compare.input, comparison);
  const cellFigures = useMemo(() => {
    if (panel.cellFigures === undefined) return null;
    const shown = panel.cellFigures;
    const isKnown = ({ of }: CompareFigure) =>
      cells.some(({ run }) => run !== null && of(run) !== null);
    const known = [...figures, costFigure].filter(
      (figure) => shown.includes(figure.id) && (figure.id === 'total' || isKnown(figure)),
    );
    known.sort((one, other) => shown.indexOf(one.id) - shown.indexOf(other.id));
    return withoutRevealing(known, isHidden);
  }, [panel.cellFigures, figures, cells, isHidden]);
  // With several rows, each has its overview, and the status of all requests comes last.
  const isBelow = hasResultsInOverview && comparison.rows.length === 1;
  return (
    <ComparisonFrame
      live={live}
      form={compare.form}
      figures={figures}
      facts={panel.facts}
      about={<OtherInput compare={compare} comparison={comparison} />}
    >
      {({ comparison, notes, cells, columns }) => (
        <Frame comparison={comparison} notes={notes} cells={cells} columns={columns}>
          {Overview !== undefined && !isBelow && (
            <Overview comparison={comparison} notes={notes} cells={cells} columns={columns} />
          )}
          <CompareGrid
            comparison={comparison}
            cells={cells}
            columns={columns}
            Result={Result}
            isCompact={hasResultsInOverview}
            fitsRows={fitsRows}
            figures={cellFigures}
            readQuestion={cellFigures === null ? undefined : compare.input.promptField?.read}
            isQuestionInForm={inputState === 'same' && comparison.rows.length === 1}
            {...(isHidden && {
              rowEnd: (row) => (
                <RowPick
                  comparisonId={comparison.id}
                  notes={notes}
                  row={row}
                  rows={getRows(comparison, cells)}
                  columns={columns}
                />
              ),
            })}
          />
          {Overview !== undefined && isBelow && (
            <Overview comparison={comparison} notes={notes} cells={cells} columns={columns} />
          )}
        </Frame>
      )}
    </ComparisonFrame>
  );
}

function Unframed({ children }: { children: ReactNode }) {
  return children;
}

interface OtherInputProps {
  compare: Pick<Comparing, 'form' | 'input'>;
  comparison: Comparison;
}

/** Shows the comparison's input if it differs from the form's. */
export function OtherInput({ compare: { form, input }, comparison }: OtherInputProps) {
  const state = useInputState(form, input, comparison);
  if (state === 'same') return null;
  const label = comparison.rows[0]?.label ?? '';
  const words =
    input.promptField === null || label === ''
      ? comparison.title
      : `${input.promptField.label}: ${label}`;
  const use = () => restoreInput(form, input, comparison);
  return (
    <>
      <span className={styles.otherInput}>Ran with a different input · {words}</span>
      {state === 'other' && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => changeWithUndo(form, use, 'Input replaced')}
        >
          Use this input
        </Button>
      )}
    </>
  );
}
