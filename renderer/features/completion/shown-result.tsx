import { isFinished } from '../../../shared/is-finished.ts';
import { inspectRun } from '../../lib/layout.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { showRun } from '../../run/live/panel-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { type AskedCompletion, askedCompletion } from './asked-completion.ts';
import { useCompletion } from './completion-store.ts';
import { Result } from './result.tsx';

interface ShownResultProps {
  runId: string;
  /** Undefined while the form has something to mend. */
  onRetry: ((asked: AskedCompletion) => void) | undefined;
}

/** The result of the panel's run as it comes in. */
export function ShownResult({ runId, onRetry }: ShownResultProps) {
  const view = useRun('completion', runId);
  const recorded = useRecordedInput(runId);
  const choiceIndex = useCompletion((state) => state.choiceIndex);
  const { showChoice, writePrompt } = useCompletion.getState();
  if (view === null || recorded === null) return null;
  const asked = askedCompletion(recorded);

  /** The continuation becomes part of the prompt; the run stays in the history. */
  function continueFrom(text: string) {
    writePrompt(text);
    showChoice(0);
    showRun('completion', null);
  }

  return (
    <Result
      asked={asked}
      view={view}
      running={!isFinished(view.status)}
      choiceIndex={choiceIndex}
      onChoice={showChoice}
      onContinue={continueFrom}
      onRetry={onRetry && (() => onRetry(asked))}
      onInspect={() => inspectRun(runId)}
    />
  );
}
