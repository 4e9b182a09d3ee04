import type { ReactNode } from 'react';
import { Spinner } from '../../ui/spinner.tsx';
import { CompareGrid } from './compare-grid.tsx';
import type { ComparePanel } from './compare-panel.ts';
import { ComparisonFrame } from './comparison-frame.tsx';
import { useComparison } from './live-comparisons.ts';
import { OtherInput } from './other-input.tsx';
import { RowPick } from './row-pick.tsx';
import type { Comparing } from './use-comparing.ts';

interface ComparisonViewProps {
  compare: Comparing;
  panel: ComparePanel;
  /** Before the first one. */
  empty: ReactNode;
}

/** What came of the form's comparison. */
export function ComparisonView({ compare, panel, empty }: ComparisonViewProps) {
  const { comparisonId, problem } = compare;
  const live = useComparison(comparisonId);
  if (comparisonId === null) return empty;
  if (live === null) return problem === null ? <Spinner label="Loading comparison" /> : null;
  const { Overview, Result, columnWidth, Frame = Unframed } = panel;
  return (
    <ComparisonFrame
      key={comparisonId}
      live={live}
      form={compare.form}
      figures={panel.figures}
      facts={panel.facts}
      about={<OtherInput compare={compare} comparison={live.comparison} />}
    >
      {({ comparison, notes, cells, columns }) => (
        <Frame comparison={comparison} notes={notes} cells={cells} columns={columns}>
          {Overview !== undefined && (
            <Overview comparison={comparison} notes={notes} cells={cells} columns={columns} />
          )}
          <CompareGrid
            comparison={comparison}
            cells={cells}
            columns={columns}
            Result={Result}
            mostColumn={columnWidth?.(cells)}
            {...(notes.blind?.isHidden === true && {
              rowEnd: (row) => (
                <RowPick comparisonId={comparison.id} notes={notes} row={row} columns={columns} />
              ),
            })}
          />
        </Frame>
      )}
    </ComparisonFrame>
  );
}

function Unframed({ children }: { children: ReactNode }) {
  return children;
}
