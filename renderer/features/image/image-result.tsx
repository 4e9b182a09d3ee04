import {
  getDraftIds,
  type ImageCandidate,
  type ImageState,
} from '../../../shared/operations/image/state.ts';
import { isFinished } from '../../../shared/run.ts';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Candidate } from './candidate.tsx';
import { getRequestedImage } from './image-facts.ts';
import { ImageResponseDetails } from './image-response-details.tsx';
import styles from './result.module.css';
import { modelTurn, type ReferenceImage, readContents, type Turn } from './turns.ts';

interface ImageResultProps {
  runId: string;
  onRetry:
    | ((requested: { prompt: string; images: ReferenceImage[]; earlier: Turn[] }) => void)
    | undefined;
  onContinue: (turns: Turn[]) => void;
}

export function ImageResult({ runId, onRetry, onContinue }: ImageResultProps) {
  const view = useRun('image', runId);
  const recorded = useRecordedInput(runId);
  if (view === null || recorded === null) return null;
  const { state, status } = view;
  const requested = getRequestedImage(recorded);
  const running = !isFinished(status);
  // A file that can't be read can't be sent back either.
  const canContinue = !running && (view.figures?.noResult ?? null) === null;
  const text = getText(state);
  const drafts = getDraftIds(state.candidates);
  // If all candidates share a finish reason, the metrics show it once.
  const endedApart = new Set(state.candidates.map(({ finishReason }) => finishReason)).size > 1;

  function continueFrom(candidate: ImageCandidate) {
    const answer = modelTurn(candidate);
    if (answer !== null) onContinue([...requested.turns, answer]);
  }

  return (
    <ResultFrame
      run={view}
      actions={text !== '' && <CopyButton label="Copy text" content={() => text} />}
    >
      <ResultContent
        error={view.error}
        failedAt={view.finishedAt}
        noResult={view.figures?.noResult ?? null}
        warnings={state.warnings}
        onRetry={onRetry && (() => onRetry(readContents(recorded.request.contents)))}
      >
        {running && state.candidates.length === 0 && <Waiting>Generating image…</Waiting>}
        <div className={state.candidates.length > 1 ? styles.grid : 'stack-12'}>
          {state.candidates.map((candidate, index) => (
            <Candidate
              // biome-ignore lint/suspicious/noArrayIndexKey: candidates keep their order.
              key={index}
              candidate={candidate}
              number={state.candidates.length > 1 ? index + 1 : null}
              saysReason={endedApart}
              media={state.media}
              drafts={drafts}
              requested={requested}
              onContinue={canContinue ? () => continueFrom(candidate) : undefined}
            />
          ))}
        </div>
        {!running && <ImageResponseDetails state={state} />}
      </ResultContent>
    </ResultFrame>
  );
}

function getText({ candidates }: ImageState): string {
  return candidates
    .flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'text' && !part.thought ? [part.text] : [])),
    )
    .join('\n\n');
}
