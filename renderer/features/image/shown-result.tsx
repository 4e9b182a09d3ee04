import { isFinished } from '../../../shared/is-finished.ts';
import { inspectRun } from '../../lib/layout.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { askedImage } from './asked-image.ts';
import { Result } from './result.tsx';
import { modelTurn, type PictureInput, readContents, type Turn } from './turns.ts';

interface ShownResultProps {
  runId: string;
  /** Undefined while the form has something to mend. */
  onRetry:
    | ((asked: { prompt: string; images: PictureInput[]; earlier: Turn[] }) => void)
    | undefined;
  /** The contents so far, with the answer behind them. */
  onContinue: (turns: Turn[]) => void;
}

/** The result of the panel's run as it comes in. */
export function ShownResult({ runId, onRetry, onContinue }: ShownResultProps) {
  const view = useRun('image', runId);
  const recorded = useRecordedInput(runId);
  if (view === null || recorded === null) return null;
  const asked = askedImage(recorded);
  return (
    <Result
      view={view}
      asked={asked}
      running={!isFinished(view.status)}
      onRetry={onRetry && (() => onRetry(readContents(recorded.request.contents)))}
      onContinue={(candidate) => {
        const answer = modelTurn(candidate);
        if (answer !== null) onContinue([...asked.turns, answer]);
      }}
      onInspect={() => inspectRun(runId)}
    />
  );
}
