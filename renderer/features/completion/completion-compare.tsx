import type { ReactNode } from 'react';
import { isFinished } from '../../../shared/is-finished.ts';
import type { ComparedCellProps, ComparePanel } from '../../run/compare/compare-panel.ts';
import { ComparisonView } from '../../run/compare/comparison-view.tsx';
import { firstOutputFigure, tokenFigures, totalFigure } from '../../run/compare/shared-figures.ts';
import type { Comparing } from '../../run/compare/use-comparing.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { ContinuationsCompared } from './continuations-compared.tsx';
import { requestedCompletion } from './requested-completion.ts';
import { continuationOf, ResultText } from './result-text.tsx';

interface CompletionCompareProps {
  compare: Comparing;
  /** Before the first comparison. */
  empty: ReactNode;
}

/** Several continuations of one prompt. */
export function CompletionCompare(props: CompletionCompareProps) {
  return <ComparisonView {...props} panel={panel} />;
}

function CompletionCell({ run }: ComparedCellProps) {
  const view = useRun('completion', run.id);
  const recorded = useRecordedInput(run.id);
  if (view === null || recorded === null) return null;
  const { prompt, echo } = requestedCompletion(recorded);
  return view.state.choices.map(({ text }, index) => (
    <ResultText
      // biome-ignore lint/suspicious/noArrayIndexKey: choices keep their order.
      key={index}
      streaming={!isFinished(view.status)}
      parts={[{ kind: 'continuation', text: continuationOf(text, prompt, echo) }]}
    />
  ));
}

const panel: ComparePanel = {
  figures: [firstOutputFigure('First token'), totalFigure, ...tokenFigures],
  Overview: ContinuationsCompared,
  Result: CompletionCell,
};
