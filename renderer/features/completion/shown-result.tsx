import { isFinished } from '../../../shared/is-finished.ts';
import type { CompletionState } from '../../../shared/operations/completion-state.ts';
import { inspectRun } from '../../lib/layout.ts';
import { useRun } from '../../lib/live-runs.ts';
import { type ShownRun, useCompletion } from './completion-store.ts';
import { Result } from './result.tsx';

interface ShownResultProps {
  shown: ShownRun;
  onRetry: (() => void) | undefined;
}

/** The result of the panel's run as it comes in. */
export function ShownResult({ shown, onRetry }: ShownResultProps) {
  const view = useRun<CompletionState>(shown.runId);
  const choiceIndex = useCompletion((state) => state.choiceIndex);
  const { showChoice, continueFrom } = useCompletion.getState();
  if (view === null) return null;
  return (
    <Result
      shown={shown}
      view={view}
      running={!isFinished(view.status)}
      choiceIndex={choiceIndex}
      onChoice={showChoice}
      onContinue={continueFrom}
      onRetry={onRetry}
      onInspect={() => inspectRun(shown.runId)}
    />
  );
}
