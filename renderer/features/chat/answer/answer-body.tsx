import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Conversation, TreeMessage } from '../../../../shared/conversation.ts';
import type { Media } from '../../../../shared/media.ts';
import type { Content, ContentPart } from '../../../../shared/operations/chat/message.ts';
import type { AudioState } from '../../../../shared/operations/chat/state.ts';
import type { RunSummary } from '../../../../shared/run.ts';
import { AudioPlayer } from '../../../media/players/audio-player.tsx';
import { mediaTitle } from '../../../media/players/describe-media.ts';
import { MediaView } from '../../../media/players/media-view.tsx';
import { useMedia } from '../../../media/players/use-media.ts';
import { AnswerContent } from '../../../run/body/answer-content.tsx';
import { NoResult } from '../../../run/frame/no-result.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { WarningIcon } from '../../../ui/icons/status.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { conversationQuery } from '../conversations/conversation-query.ts';
import styles from '../messages/message.module.css';
import { PartView } from '../messages/message-parts.tsx';
import { type Answer, isEmptyAnswer, placedMedia, useAnswer } from './answer.ts';
import { AnswerFigures } from './answer-figures.tsx';
import { Reasoning } from './reasoning.tsx';
import { SchemaCheck } from './schema-check.tsx';
import { ToolCalls } from './tool-calls.tsx';

interface AnswerBodyProps {
  message: TreeMessage;
  run: RunSummary;
  onRetry: (() => void) | undefined;
}

/** An answer with a run: as it streams, and as it was settled. */
export function AnswerBody({ message, run: summary, onRetry }: AnswerBodyProps) {
  const { answer, placed, warnings, run, running, problem } = useAnswer(message, summary);
  return (
    <>
      <AnswerText answer={answer} running={running} />
      {run.media.length > 0 && <AnswerMedia run={run} placed={placed} />}
      <AnswerWarnings warnings={warnings} />
      {problem !== null && running && <ErrorAlert error={problem} compact />}
      {!running && (
        <SchemaCheck runId={run.id} choiceIndex={message.choiceIndex ?? 0} text={answer.content} />
      )}
      {!running && <AnswerOutcome run={run} answer={answer} onRetry={onRetry} />}
      <AnswerFigures run={run} running={running} />
    </>
  );
}

interface AnswerTextProps {
  answer: Answer;
  running: boolean;
}

/** What an answer says, with or without a run. */
export function AnswerText({ answer, running }: AnswerTextProps) {
  const { body, reasoning, isTagged, refusal, toolCalls, audio } = answer;
  const silent = isEmptyAnswer(answer);
  // One caret, in the last that is shown.
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
      <AnswerParts content={body} running={hasCaret('content')} />
      {audio !== null && <AnswerAudio audio={audio} streaming={hasCaret('audio')} />}
      {refusal !== '' && (
        <p className={styles.refusal} data-caret={hasCaret('refusal') || undefined}>
          <strong>The model refused:</strong> {refusal}
        </p>
      )}
      {toolCalls.length > 0 && <ToolCalls calls={toolCalls} streaming={running} />}
    </>
  );
}

/** What was odd about the reply; of all its choices. */
export function AnswerWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className={styles.warnings} aria-label="Warnings">
      {warnings.map((warning) => (
        <li key={warning}>
          <WarningIcon size={14} /> {warning}
        </li>
      ))}
    </ul>
  );
}

interface AnswerPartsProps {
  content: Content;
  /** More comes at its end. */
  running: boolean;
}

/** Its text as Markdown or JSON, and each other part to view or play. */
function AnswerParts({ content, running }: AnswerPartsProps) {
  if (content === '') return null;
  const parts: readonly ContentPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return parts.map((part, index) =>
    part.type === 'text' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts never change places.
      <AnswerContent key={index} text={part.text} running={running && index === parts.length - 1} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts never change places.
      <PartView key={index} part={part} received />
    ),
  );
}

interface AnswerMediaProps {
  run: RunSummary;
  /** Media IDs that are shown at their places in the answers. */
  placed: readonly string[];
}

/** Pictures and files that came with an answer. The run does not say with which of its choices: each shows them. */
export function AnswerMedia({
  run: { id: runId, media, conversationId },
  placed,
}: AnswerMediaProps) {
  // One function while the run is the same: the query then calls it only where the conversation has changed.
  const select = useCallback(
    ({ messages }: Conversation) =>
      messages.flatMap((message) => (message.run?.id === runId ? placedMedia(message) : [])),
    [runId],
  );
  // A settled answer does not know what the others of its run say.
  const { data: settled = [] } = useQuery({ ...conversationQuery(conversationId), select });
  return media
    .filter(({ id, complete }) => complete && !placed.includes(id) && !settled.includes(id))
    .map((medium) => <MediaView key={medium.id} media={medium} title={mediaTitle(medium)} />);
}

interface AnswerAudioProps {
  audio: AudioState;
  /** The transcript is what comes next. */
  streaming: boolean;
}

/** Samples without a header, which no player knows. */
function isRaw({ kind, type }: Media): boolean {
  return kind !== 'audio' || /pcm|\/l16/i.test(type);
}

/** Streamed sound has no header: the convention is 24 kHz, 16 bit, mono. */
const STREAMED = { sampleRate: 24_000, channels: 1 };

/** An audio answer, playable while it still arrives, with its transcript. */
function AnswerAudio({ audio, streaming }: AnswerAudioProps) {
  const { media, isPending } = useMedia(audio.media);
  return (
    <div className={styles.spoken}>
      {media !== null && (
        <AudioPlayer
          media={media}
          title="Audio answer"
          {...(isRaw(media) ? { pcm: STREAMED } : {})}
        />
      )}
      {media === null && audio.media !== null && !isPending && (
        <p className={styles.outcome}>This answer’s audio is no longer in the library.</p>
      )}
      {audio.transcript !== '' && <Markdown text={audio.transcript} streaming={streaming} />}
      {audio.expiresAt !== null && (
        <p className={styles.audioFacts}>
          Stored on the gateway as {audio.id ?? 'unnamed audio'} until{' '}
          {new Date(audio.expiresAt * 1000).toLocaleString()}.
        </p>
      )}
    </div>
  );
}

interface AnswerOutcomeProps {
  run: RunSummary;
  answer: Answer;
  onRetry: (() => void) | undefined;
}

/** How the answer ended, where that needs saying; the text that came stays above it. */
export function AnswerOutcome({ run, answer, onRetry }: AnswerOutcomeProps) {
  const words = describeOutcome(run, answer);
  return (
    <>
      {run.error !== null && run.status !== 'cancelled' && (
        <div data-focus-fallback="run">
          <ErrorAlert error={run.error} failedAt={run.finishedAt} onRetry={onRetry} />
        </div>
      )}
      {run.figures?.noResult != null && (
        <NoResult reason={run.figures.noResult} onRetry={onRetry} />
      )}
      {words !== null && <p className={styles.outcome}>{words}</p>}
    </>
  );
}

function describeOutcome(run: RunSummary, answer: Answer): string | null {
  const isEmpty = isEmptyAnswer(answer);
  switch (run.status) {
    case 'cancelled':
      return isEmpty ? 'Stopped before any output.' : 'Stopped. Partial answer kept.';
    case 'succeeded':
      return isEmpty && run.media.length === 0 && run.figures?.noResult == null
        ? 'This answer is empty.'
        : null;
    default:
      return null;
  }
}
