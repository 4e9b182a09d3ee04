import { createContext, useState } from 'react';
import type { TreeMessage } from '../../../../../shared/conversation.ts';
import { toAnswerContent } from '../../../../../shared/operations/chat/answer-parts.ts';
import {
  type AudioView,
  type ToolCallView,
  viewAnswer,
} from '../../../../../shared/operations/chat/answer-view.ts';
import { joinContent, joinReasoning } from '../../../../../shared/operations/chat/continuation.ts';
import { createChatChoice } from '../../../../../shared/operations/chat/delta.ts';
import {
  type Content,
  getContentText,
  getMediaId,
} from '../../../../../shared/operations/chat/message.ts';
import { readSources, type Source } from '../../../../../shared/operations/chat/sources.ts';
import type { ChatState } from '../../../../../shared/operations/chat/state.ts';
import {
  isPaused,
  NO_STREAM_END,
} from '../../../../../shared/operations/response/finish-reason.ts';
import { isFinished, type RunSummary } from '../../../../../shared/run.ts';
import { useLiveRuns, useRun, useRunProblem } from '../../../../run/live/live-runs.ts';
import { getMessageText } from '../../conversation/written-message.ts';

export type Answer = {
  /** Contains only the text parts; see `body` for the rest. */
  content: string;
  /** The number of characters at the start of `content` that are commentary. */
  commentaryLength: number;
  /** All parts, in order. */
  body: Content;
  reasoning: string;
  /** True if the model sent its reasoning inside `<think>` tags in the text. */
  isTagged: boolean;
  /** True if some of the reasoning is readable only by the provider. */
  isEncrypted: boolean;
  refusal: string;
  toolCalls: readonly ToolCallView[];
  audio: AudioView | null;
  sources: readonly Source[];
};

export function getLiveAnswer(state: ChatState, choiceIndex: number): Answer {
  const choice = state.choices.find(({ index }) => index === choiceIndex);
  const known = choice ?? createChatChoice(choiceIndex);
  const view = viewAnswer(known);
  return {
    ...view,
    body: toAnswerContent(view.content, view.parts),
    sources: readSources(state, known),
  };
}

export function getSavedAnswer(message: TreeMessage): Answer {
  return {
    content: getContentText(message.content),
    commentaryLength: message.commentaryLength,
    body: message.content,
    reasoning: message.reasoning ?? '',
    isTagged: message.reasoningTagged,
    isEncrypted: message.reasoningEncrypted,
    refusal: '',
    toolCalls: message.toolCalls.map((call) => ({
      id: call.id,
      name: call.function.name,
      arguments: call.function.arguments,
    })),
    audio: message.audio,
    sources: message.sources,
  };
}

function continueFrom(continued: TreeMessage['continued'], answer: Answer): Answer {
  if (continued === null) return answer;
  const body = joinContent(continued.content, answer.body);
  const reasoning = joinReasoning(continued.reasoning, answer.reasoning) ?? '';
  return { ...answer, body, content: getContentText(body), commentaryLength: 0, reasoning };
}

/** Returns true if the provider paused, or a text-only answer was stopped, cut off or reached the limit. */
export function canContinue(
  answer: Answer,
  run: RunSummary,
  { finishReason, isCut }: AnswerEnd,
): boolean {
  const { body, toolCalls, audio, refusal } = answer;
  if (isPaused(finishReason)) return run.status === 'succeeded';
  const isText = typeof body === 'string' && body.trim() !== '' && refusal === '';
  if (!isText || toolCalls.length > 0 || audio !== null) return false;
  const isEarly = isCut || isCutByLength(finishReason);
  return run.status === 'succeeded' ? isEarly : isFinished(run.status);
}

interface AnswerEnd {
  finishReason: string | null;
  /** The stream ended without a finish reason. */
  isCut: boolean;
}

export function isCutByLength(finishReason: string | null): boolean {
  return /^(length|max_tokens|max_output_tokens|model_length)$/i.test(finishReason ?? '');
}

export function isEmptyAnswer({ body, refusal, toolCalls, audio }: Answer): boolean {
  return body.length === 0 && refusal === '' && toolCalls.length === 0 && audio === null;
}

export function useAnswer(message: TreeMessage, run: RunSummary) {
  // Only the run stores a refusal, so read the run even if the answer is empty.
  const [watched] = useState(!isFinished(run.status) || isEmptyAnswer(getSavedAnswer(message)));
  const view = useRun('chat', watched ? run.id : null);
  const problem = useRunProblem(watched ? run.id : null);
  const choiceIndex = message.choiceIndex ?? 0;
  const finishReason =
    view?.state.choices.find(({ index }) => index === choiceIndex)?.finishReason ??
    run.figures?.finishReasons[choiceIndex] ??
    null;
  const warnings = view?.state.warnings ?? run.figures?.warnings ?? [];
  const isCut = finishReason === null && warnings.includes(NO_STREAM_END);
  return {
    answer:
      view === null
        ? getSavedAnswer(message)
        : continueFrom(message.continued, getLiveAnswer(view.state, choiceIndex)),
    finishReason,
    isCut,
    /** The gateway's explanation of a refusal; undefined unless the run is loaded. */
    stopDetails: view?.state.choices.find(({ index }) => index === choiceIndex)?.other.stop_details,
    warnings,
    /** Lists the media items already shown in the run's answers. */
    placed:
      view === null
        ? getPlacedMedia(message)
        : view.state.choices
            .map(viewAnswer)
            .flatMap(({ parts, audio }) =>
              getPlacedMedia({ content: parts.map(({ part }) => part), audio }),
            ),
    run: view ?? run,
    running: !isFinished(view?.status ?? run.status),
    problem,
  };
}

export function getPlacedMedia({
  content,
  audio,
}: Pick<TreeMessage, 'content' | 'audio'>): string[] {
  const parts = typeof content === 'string' ? [] : content;
  return [...parts.map(getMediaId), audio?.media ?? null].filter((id) => id !== null);
}

/** Reads a streaming answer from its run, because the conversation updates later. */
export function readMessageText({ content, run, choiceIndex }: TreeMessage): string {
  const saved = getMessageText(content);
  const view = run === null ? undefined : useLiveRuns.getState().views[run.id];
  return saved === '' && view?.operation === 'chat'
    ? getLiveAnswer(view.state, choiceIndex ?? 0).content
    : saved;
}

/** True if the answer shows its Markdown source. */
export const ShowsSourceContext = createContext(false);

/** True in a blind comparison, which also hides times. */
export const HidesModelContext = createContext(false);

/** True beside other answers, where a row below the column shows the metrics. */
export const HidesFiguresContext = createContext(false);
