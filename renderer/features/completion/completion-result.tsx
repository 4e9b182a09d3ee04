import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../shared/json.ts';
import type { CompletionState } from '../../../shared/operations/completion/completion.ts';
import { getOtherLogprobs } from '../../../shared/operations/response/token-probabilities.ts';
import { isFinished } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { ResponseFacts } from '../../run/body/fact-table.tsx';
import { OtherFields, withChoices } from '../../run/body/other-fields.tsx';
import { TokenProbabilities } from '../../run/body/token-probabilities.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/status.tsx';
import styles from './completion.module.css';
import { useShownChoice } from './completion-form.ts';
import { getContinuation, getSentCompletion, type SentCompletion } from './continuations.ts';
import { ResultText } from './result-text.tsx';

interface CompletionResultProps {
  runId: string;
  /** The prompt that was sent; the form's prompt may have changed since. */
  prompt: string;
  onContinue: (text: string) => void;
  onRetry: ((sent: SentCompletion) => void) | undefined;
}

export function CompletionResult({ runId, ...rest }: CompletionResultProps) {
  const view = useRun('completion', runId);
  const recorded = useRecordedInput(runId);
  if (view === null || recorded === null) return null;
  const { logprobs = null } = recorded.request;
  return (
    <Result
      {...rest}
      view={view}
      sent={getSentCompletion(recorded)}
      wantsProbabilities={logprobs !== null}
    />
  );
}

interface ResultProps extends Omit<CompletionResultProps, 'runId'> {
  view: RunView<'completion'>;
  sent: SentCompletion;
  wantsProbabilities: boolean;
}

const noProbabilities = 'Token probabilities were requested, but the response has none.';

function Result(props: ResultProps) {
  const { prompt, onContinue, onRetry, view, sent, wantsProbabilities } = props;
  const chosen = useShownChoice(({ runId, choiceIndex }) => (runId === view.id ? choiceIndex : 0));
  const running = !isFinished(view.status);
  const [showsDetails, setShowsDetails] = useState(false);
  const { scroller, content } = useFollowEnd(running);
  const { choices } = view.state;
  const lacksProbabilities =
    wantsProbabilities &&
    view.status === 'succeeded' &&
    choices.length > 0 &&
    choices.every(({ logprobs }) => logprobs === undefined);
  const warnings = lacksProbabilities
    ? [...view.state.warnings, noProbabilities]
    : view.state.warnings;
  const choiceIndex = Math.max(0, Math.min(chosen, choices.length - 1));
  const continuation = getContinuation(choices[choiceIndex]?.text ?? '', sent);
  const whole = sent.prompt + continuation;
  const otherFields = useMemo(() => getOtherFields(view.state), [view.state]);

  return (
    <ResultFrame
      run={view}
      fills
      actions={
        <div className="row-4 fixed">
          {choices.length > 1 && (
            <ChoiceSwitch
              index={choiceIndex}
              count={choices.length}
              onChoice={(index) => useShownChoice.setState({ runId: view.id, choiceIndex: index })}
            />
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can't scroll it otherwise. */}
      <div ref={scroller} className={styles.scroller} data-scroller tabIndex={0}>
        <ResultContent
          ref={content}
          error={view.error}
          failedAt={view.finishedAt}
          noResult={view.figures?.noResult ?? null}
          warnings={warnings}
          onRetry={onRetry && (() => onRetry(sent))}
        >
          <ResultText
            streaming={running}
            parts={[
              { kind: 'prompt', text: sent.prompt },
              { kind: 'continuation', text: continuation },
              { kind: 'suffix', text: sent.suffix },
            ]}
          />
          {showsDetails && !running && (
            <ResponseFacts
              runId={view.id}
              lead={
                <TokenProbabilities
                  key={choiceIndex}
                  logprobs={choices[choiceIndex]?.logprobs}
                  choice={choices.length > 1 ? choiceIndex : null}
                />
              }
            >
              <OtherFields fields={otherFields} />
            </ResponseFacts>
          )}
        </ResultContent>
      </div>
    </ResultFrame>
  );
}

function getOtherFields({ other, choices }: CompletionState): JsonObject {
  return withChoices(
    other,
    choices.map((choice) => ({ ...choice.other, ...getOtherLogprobs(choice.logprobs) })),
  );
}

interface ChoiceSwitchProps {
  index: number;
  count: number;
  onChoice: (index: number) => void;
}

function ChoiceSwitch({ index, count, onChoice }: ChoiceSwitchProps) {
  return (
    <span className={classNames(styles.choices, 'caption')}>
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

const NEAR_END_PIXELS = 24;

/** Keeps the end in view as content grows, until the user scrolls up. */
function useFollowEnd(isFollowing: boolean): {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(isFollowing);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    let lastTop = element.scrollTop;
    // Growing content also moves the end out of view, so stop only when the user scrolls up.
    const onScroll = () => {
      const left = element.scrollHeight - element.clientHeight - element.scrollTop;
      if (left <= NEAR_END_PIXELS) isAtEnd.current = true;
      else if (element.scrollTop < lastTop) isAtEnd.current = false;
      lastTop = element.scrollTop;
    };
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    observer.observe(inner);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { scroller, content };
}
