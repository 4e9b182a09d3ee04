import { type ReactNode, useContext } from 'react';
import { isFinished } from '../../../shared/run.ts';
import type { ComparedCellProps, ComparePanel } from '../../run/compare/compare-panel.ts';
import { ComparisonView } from '../../run/compare/comparison-view.tsx';
import { firstOutputFigure, tokenFigures, totalFigure } from '../../run/compare/shared-figures.ts';
import type { Comparing } from '../../run/compare/use-comparing.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { continuationId } from './continuations.ts';
import { ContinuationsCompared, SharedLengthsContext } from './continuations-compared.tsx';
import { requestedCompletion } from './requested-completion.ts';
import { getContinuation, ResultText } from './result-text.tsx';

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
  const lengths = useContext(SharedLengthsContext);
  if (view === null || recorded === null) return null;
  const { prompt, echo } = requestedCompletion(recorded);
  return view.state.choices.map((choice, index) => {
    const text = getContinuation(choice.text, prompt, echo);
    const shared = lengths.get(continuationId(run.id, index)) ?? text.length;
    return (
      <ResultText
        // biome-ignore lint/suspicious/noArrayIndexKey: choices keep their order.
        key={index}
        streaming={!isFinished(view.status)}
        parts={[
          { kind: 'prompt', text: text.slice(0, shared) },
          { kind: 'continuation', text: text.slice(shared) },
        ]}
      />
    );
  });
}

const panel: ComparePanel = {
  figures: [firstOutputFigure('First token'), totalFigure, ...tokenFigures],
  Frame: ContinuationsCompared,
  Result: CompletionCell,
};
