import { useQuery } from '@tanstack/react-query';
import { use, useCallback, useState } from 'react';
import type { Conversation, TreeMessage } from '../../../../../shared/conversation.ts';
import type { JsonValue } from '../../../../../shared/json.ts';
import { getRawShape } from '../../../../../shared/media.ts';
import type { AudioView } from '../../../../../shared/operations/chat/answer-view.ts';
import type { Content, ContentPart } from '../../../../../shared/operations/chat/message.ts';
import {
  explainWithheld,
  isPaused,
  NO_STREAM_END,
  PAUSED,
} from '../../../../../shared/operations/response/finish-reason.ts';
import { hasResult, type RunSummary } from '../../../../../shared/run.ts';
import { AudioPlayer } from '../../../../media/players/audio-player.tsx';
import { getMediaTitle } from '../../../../media/players/describe-media.ts';
import { MediaView } from '../../../../media/players/media-view.tsx';
import { useMedia } from '../../../../media/players/use-media.ts';
import { AnswerContent } from '../../../../run/body/answer-content.tsx';
import { FactTable } from '../../../../run/body/fact-table.tsx';
import { hiddenError } from '../../../../run/compare/cell-frame.tsx';
import { NoResult } from '../../../../run/frame/empty-result.tsx';
import { RunError } from '../../../../run/frame/run-error.tsx';
import { RunFigures } from '../../../../run/frame/run-figures.tsx';
import { RunLiveness } from '../../../../run/frame/run-liveness.tsx';
import { Button } from '../../../../ui/button.tsx';
import { ErrorAlert, getErrorFacts } from '../../../../ui/error-alert.tsx';
import { WarningIcon } from '../../../../ui/icons/status.tsx';
import { Markdown } from '../../../../ui/markdown/markdown.tsx';
import { getConversationQuery } from '../../conversation/conversation-query.ts';
import {
  type Answer,
  canContinue,
  getPlacedMedia,
  getSavedAnswer,
  HidesFiguresContext,
  HidesModelContext,
  isCutByLength,
  isEmptyAnswer,
  ShowsSourceContext,
  useAnswer,
} from './answer.ts';
import { AnswerCitations } from './answer-citations.tsx';
import { AnswerDetails, EarlierRuns } from './answer-details.tsx';
import styles from './message.module.css';
import { PartView, PlainText } from './message-parts.tsx';
import { Reasoning } from './reasoning.tsx';
import { useFieldsRetry } from './rejected-fields.tsx';
import { AnswerWithCheck } from './schema-check.tsx';
import { StepContext, StepLines } from './step-lines.tsx';
import { ToolCalls } from './tool-calls.tsx';

interface AnswerBodyProps {
  message: TreeMessage;
  run: RunSummary;
  onRetry: (() => void) | undefined;
  onContinue: ((message: TreeMessage) => void) | null;
}

export function AnswerBody({ message, run: summary, onRetry, onContinue }: AnswerBodyProps) {
  const shown = useAnswer(message, summary);
  const { answer, placed, run, running, problem, finishReason, stopDetails } = shown;
  const isContinuable = onContinue !== null && canContinue(answer, run, shown);
  // The warning stands beside Continue, unless there is nothing to continue.
  const isCut = shown.isCut && !isEmptyAnswer(answer);
  const warnings = shown.warnings.filter((warning) => !isCut || warning !== NO_STREAM_END);
  return (
    <>
      <AnswerWithCheck
        runId={run.id}
        choiceIndex={message.choiceIndex ?? 0}
        text={hasResult(run) ? answer.content : null}
      >
        <AnswerText answer={answer} running={running} />
        {run.media.length > 0 && <AnswerMedia run={run} placed={placed} />}
        <AnswerWarnings warnings={warnings} />
        {problem !== null && running && <ErrorAlert error={problem} compact />}
      </AnswerWithCheck>
      {!running && (
        <AnswerOutcome
          run={run}
          answer={answer}
          ending={isCut ? NO_STREAM_END : describeEnding(finishReason, stopDetails)}
          onRetry={onRetry}
          onContinue={isContinuable ? () => onContinue(message) : undefined}
        />
      )}
      <AnswerFigures
        run={run}
        running={running}
        choiceIndex={message.choiceIndex}
        earlierRunIds={message.continued?.runIds}
      />
    </>
  );
}

/** Shows an imported answer, which has metrics but no recorded run to inspect. */
export function ImportedAnswer({ message, run }: { message: TreeMessage; run: RunSummary }) {
  const answer = getSavedAnswer(message);
  const placed = getPlacedMedia(message);
  return (
    <>
      <AnswerText answer={answer} running={false} />
      {run.media
        .filter(({ id }) => !placed.includes(id))
        .map((item) => (
          <MediaView key={item.id} media={item} title={getMediaTitle(item)} />
        ))}
      <AnswerWarnings warnings={run.figures?.warnings ?? []} />
      <AnswerOutcome run={run} answer={answer} onRetry={undefined} />
      <div className={styles.figures}>
        <RunFigures run={run} />
      </div>
    </>
  );
}

export function AnswerText({ answer, running }: { answer: Answer; running: boolean }) {
  const { content, commentaryLength, body, reasoning, isTagged, isEncrypted, refusal } = answer;
  const { toolCalls, audio, sources } = answer;
  const step = use(StepContext);
  const silent = isEmptyAnswer(answer);
  // Only the last section shows a caret.
  const last =
    toolCalls.length > 0
      ? 'calls'
      : refusal !== ''
        ? 'refusal'
        : audio !== null && audio.transcript !== ''
          ? 'audio'
          : 'content';
  const hasCaret = (part: typeof last) => running && part === last;
  return (
    <>
      {reasoning !== '' && (
        <Reasoning text={reasoning} isTagged={isTagged} thinking={running && silent} />
      )}
      {isEncrypted && (
        <p className={styles.outcome}>
          {reasoning === '' ? 'The reasoning is' : 'Part of the reasoning is'} encrypted. Only the
          provider can read it.
        </p>
      )}
      <AnswerCitations sources={sources}>
        <div className={styles.text} data-message-text>
          {commentaryLength > 0 && (
            <section aria-label="Commentary" className={styles.commentary}>
              <AnswerParts
                content={content.slice(0, commentaryLength)}
                running={hasCaret('content') && content.length === commentaryLength}
              />
            </section>
          )}
          <AnswerParts
            content={withoutStart(body, commentaryLength)}
            running={hasCaret('content')}
          />
        </div>
      </AnswerCitations>
      {audio !== null && <AnswerAudio audio={audio} streaming={hasCaret('audio')} />}
      {refusal !== '' && (
        <p className={styles.refusal} dir="auto" data-caret={hasCaret('refusal') || undefined}>
          <strong>The model refused:</strong> {refusal}
        </p>
      )}
      {step !== null && <StepLines step={step} />}
      {toolCalls.length > 0 && step?.isOpen !== false && (
        <ToolCalls calls={toolCalls} streaming={running} />
      )}
    </>
  );
}

/** Removes the commentary, which is the start of the text, and the break after it. */
function withoutStart(body: Content, length: number): Content {
  if (length === 0) return body;
  if (typeof body === 'string') return body.slice(length).trimStart();
  const [first, ...rest] = body;
  if (first?.type !== 'text' || first.text.length < length) return body;
  return [{ ...first, text: first.text.slice(length).trimStart() }, ...rest];
}

/** Shows warnings about the whole response rather than a single choice. */
export function AnswerWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className={`stack-4 caption ${styles.warnings}`} aria-label="Warnings">
      {warnings.map((warning) => (
        <li key={warning}>
          <WarningIcon size={14} /> {warning}
        </li>
      ))}
    </ul>
  );
}

function AnswerParts({ content, running }: { content: Content; running: boolean }) {
  const showsSource = use(ShowsSourceContext);
  if (content === '') return null;
  const parts: readonly ContentPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return parts.map((part, index) =>
    part.type === 'text' && showsSource ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
      <div key={index} className={styles.source}>
        <PlainText text={part.text} />
      </div>
    ) : part.type === 'text' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
      <AnswerContent key={index} text={part.text} running={running && index === parts.length - 1} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
      <PartView key={index} part={part} received />
    ),
  );
}

interface AnswerMediaProps {
  run: RunSummary;
  /** Lists the media items already shown inside an answer. */
  placed: readonly string[];
}

/** Shows media that isn't inside any choice, because the run doesn't map media to choices. */
export function AnswerMedia({ run, placed }: AnswerMediaProps) {
  const { id: runId, media, conversationId } = run;
  // Keep the selector stable, so the query recomputes only when the conversation changes.
  const select = useCallback(
    ({ messages }: Conversation) =>
      messages.flatMap((message) => (message.run?.id === runId ? getPlacedMedia(message) : [])),
    [runId],
  );
  // A complete answer lists only its own media, so exclude other choices' media too.
  const { data: settled = [] } = useQuery({ ...getConversationQuery(conversationId), select });
  return media
    .filter(({ id, complete }) => complete && !placed.includes(id) && !settled.includes(id))
    .map((item) => <MediaView key={item.id} media={item} title={getMediaTitle(item)} />);
}

function AnswerAudio({ audio, streaming }: { audio: AudioView; streaming: boolean }) {
  const { media, isPending } = useMedia(audio.media);
  return (
    <div className={`stack-8 ${styles.spoken}`}>
      {media !== null && (
        <AudioPlayer
          media={media}
          title="Audio answer"
          // Audio of an unknown type has no header.
          {...(media.kind !== 'audio' && { pcm: getRawShape(media) })}
        />
      )}
      {media === null && audio.media !== null && !isPending && (
        <p className={styles.outcome}>This answer’s audio is no longer in the library.</p>
      )}
      {audio.transcript !== '' && <Markdown text={audio.transcript} streaming={streaming} />}
      {audio.expiresAt !== null && (
        <p className="hint">
          Stored on the gateway as {audio.id ?? 'unnamed audio'}; expires{' '}
          {new Date(audio.expiresAt * 1000).toLocaleString()}.
        </p>
      )}
    </div>
  );
}

interface AnswerOutcomeProps {
  run: RunSummary;
  answer: Answer;
  /** Why the answer ended early; null if it didn’t. */
  ending?: string | null;
  onRetry: (() => void) | undefined;
  onContinue?: (() => void) | undefined;
}

/** Shows why an answer failed or is empty; any partial text stays above it. */
export function AnswerOutcome(props: AnswerOutcomeProps) {
  const { run, answer, ending = null, onRetry, onContinue } = props;
  const outcome = describeOutcome(run, answer, ending);
  const { finishedAt, status, figures } = run;
  const hidesModel = use(HidesModelContext);
  const { error, actions } = useFieldsRetry(run, onRetry);
  const hasAlert = error !== null && status !== 'cancelled';
  const continuing =
    onContinue === undefined ? null : (
      <Button size="small" onClick={onContinue}>
        Continue
      </Button>
    );
  return (
    <>
      {hasAlert && (
        <div data-focus-fallback="run">
          <RunError
            compact
            error={hidesModel ? hiddenError : error}
            failedAt={finishedAt}
            onRetry={onRetry}
            actions={
              continuing === null ? (
                actions
              ) : (
                <>
                  {continuing}
                  {actions}
                </>
              )
            }
          />
        </div>
      )}
      {figures?.noResult != null && <NoResult reason={figures.noResult} onRetry={onRetry} />}
      {outcome !== null && (
        <div className="wrap-8" data-focus-fallback="run">
          <p className={styles.outcome}>{outcome}</p>
          {!hasAlert && continuing}
        </div>
      )}
    </>
  );
}

/** Returns why an answer ended early; null if it didn’t. */
export function describeEnding(
  reason: string | null,
  details: JsonValue | undefined,
): string | null {
  if (isCutByLength(reason)) return 'Cut off at the token limit.';
  return isPaused(reason) ? PAUSED : explainWithheld(reason, details);
}

function describeOutcome(run: RunSummary, answer: Answer, ending: string | null): string | null {
  const isEmpty = isEmptyAnswer(answer);
  if (run.status === 'cancelled') {
    return isEmpty ? 'Stopped before any output.' : 'Stopped. Partial answer kept.';
  }
  if (run.status === 'succeeded' && ending !== null && !isEmpty) return ending;
  const hasResult = !isEmpty || run.media.length > 0 || run.figures?.noResult != null;
  return run.status === 'succeeded' && !hasResult ? 'This answer is empty.' : null;
}

interface AnswerFiguresProps {
  run: RunSummary;
  running: boolean;
  /** The choice whose details to show; null shows all choices. */
  choiceIndex: number | null;
  /** The runs that wrote the start of a continued answer, oldest first. */
  earlierRunIds?: readonly string[] | undefined;
}

export function AnswerFigures(props: AnswerFiguresProps) {
  const { run, running, choiceIndex, earlierRunIds = [] } = props;
  const [isOpen, setIsOpen] = useState(false);
  const hidesModel = use(HidesModelContext);
  const hidesFigures = use(HidesFiguresContext);
  const isFolded = use(StepContext)?.isOpen === false;
  if (hidesModel || isFolded) return null;
  // The message is shown above, so list only its details here, with all others.
  const errorFacts = run.error === null ? [] : getErrorFacts(run.error);
  return (
    <>
      <div className={styles.figures}>
        {running && <RunLiveness runId={run.id} />}
        {!running && !hidesFigures && <RunFigures run={run} part="slots" />}
        {!running && (run.figures !== null || errorFacts.length > 0) && (
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            Details
          </Button>
        )}
      </div>
      {isOpen && !running && (
        <>
          <FactTable label="Error" facts={errorFacts} />
          <RunFigures run={run} part={hidesFigures ? 'all' : 'others'} />
          <EarlierRuns runIds={earlierRunIds} />
          <AnswerDetails runId={run.id} choiceIndex={choiceIndex} />
        </>
      )}
    </>
  );
}
