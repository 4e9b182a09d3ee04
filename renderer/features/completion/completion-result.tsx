import { useState } from 'react';
import { isFinished } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { ReplyFacts } from '../../run/frame/reply-facts.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/status.tsx';
import styles from './completion-result.module.css';
import { showChoice, useShownChoice } from './completion-store.ts';
import { type RequestedCompletion, requestedCompletion } from './requested-completion.ts';
import { getContinuation, ResultText } from './result-text.tsx';
import { useFollowEnd } from './use-follow-end.ts';

interface CompletionResultProps {
  runId: string;
  /** As it is in its box now. */
  prompt: string;
  onContinue: (text: string) => void;
  /** Undefined while the form has errors. */
  onRetry: ((requested: RequestedCompletion) => void) | undefined;
}

/** The result of the panel's run as it comes in. */
export function CompletionResult({ runId, onRetry, ...rest }: CompletionResultProps) {
  const view = useRun('completion', runId);
  const recorded = useRecordedInput(runId);
  if (view === null || recorded === null) return null;
  const requested = requestedCompletion(recorded);
  return (
    <Result
      {...rest}
      view={view}
      requested={requested}
      onRetry={onRetry && (() => onRetry(requested))}
    />
  );
}

interface ResultProps {
  prompt: string;
  onContinue: (text: string) => void;
  view: RunView<'completion'>;
  requested: RequestedCompletion;
  onRetry: (() => void) | undefined;
}

/** The prompt as it was sent with its continuation in place. */
function Result({ prompt, onContinue, view, requested, onRetry }: ResultProps) {
  const chosen = useShownChoice((state) => state.choiceIndex);
  const running = !isFinished(view.status);
  const [showsDetails, setShowsDetails] = useState(false);
  const { scroller, content } = useFollowEnd(running);
  const { choices, warnings } = view.state;
  const choiceIndex = Math.max(0, Math.min(chosen, choices.length - 1));
  const continuation = getContinuation(
    choices[choiceIndex]?.text ?? '',
    requested.prompt,
    requested.echo,
  );
  const whole = requested.prompt + continuation;

  return (
    <ResultFrame
      run={view}
      fills
      actions={
        <div className={styles.actions}>
          {choices.length > 1 && (
            <ChoiceSwitch index={choiceIndex} count={choices.length} onChoice={showChoice} />
          )}
          {continuation !== '' && !running && prompt !== whole && (
            <Button size="small" variant="quiet" onClick={() => onContinue(whole)}>
              Continue from here
            </Button>
          )}
          {continuation !== '' && (
            <CopyButton label="Copy continuation" content={() => continuation} />
          )}
          {!running && view.figures !== null && (
            <Button
              size="small"
              variant="quiet"
              aria-expanded={showsDetails}
              onClick={() => setShowsDetails(!showsDetails)}
            >
              Details
            </Button>
          )}
        </div>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop the keyboard cannot scroll it. */}
      <div ref={scroller} className={styles.scroller} data-scroller tabIndex={0}>
        <ResultContent
          ref={content}
          error={view.error}
          failedAt={view.finishedAt}
          noResult={view.figures?.noResult ?? null}
          warnings={warnings}
          onRetry={onRetry}
        >
          <ResultText
            streaming={running}
            parts={[
              { kind: 'prompt', text: requested.prompt },
              { kind: 'continuation', text: continuation },
              { kind: 'suffix', text: requested.suffix },
            ]}
          />
          {showsDetails && !running && <ReplyFacts runId={view.id} />}
        </ResultContent>
      </div>
    </ResultFrame>
  );
}

interface ChoiceSwitchProps {
  index: number;
  count: number;
  onChoice: (index: number) => void;
}

function ChoiceSwitch({ index, count, onChoice }: ChoiceSwitchProps) {
  return (
    <span className={styles.choices}>
      <IconButton
        size="small"
        label="Previous choice"
        icon={<ChevronLeftIcon size={14} />}
        disabled={index === 0}
        onClick={() => onChoice(index - 1)}
      />
      <span>
        {index + 1} / {count}
      </span>
      <IconButton
        size="small"
        label="Next choice"
        icon={<ChevronRightIcon size={14} />}
        disabled={index >= count - 1}
        onClick={() => onChoice(index + 1)}
      />
    </span>
  );
}
