/** An answer ready to show, streaming or already saved in the conversation. */
import { useState } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { contentWith } from '../../../../shared/operations/chat/answer-parts.ts';
import type { Content } from '../../../../shared/operations/chat/message.ts';
import { getMediaId } from '../../../../shared/operations/chat/part-source.ts';
import type {
  AudioState,
  ChatState,
  ToolCallState,
} from '../../../../shared/operations/chat/state.ts';
import { getText } from '../../../../shared/operations/chat/text.ts';
import { isFinished, type RunSummary } from '../../../../shared/run.ts';
import { useRun, useRunProblem } from '../../../run/live/live-runs.ts';

export type Answer = {
  /** Its text alone. */
  content: string;
  /** The text, with parts that are not text where they came. */
  body: Content;
  reasoning: string;
  /** The reasoning was part of the text, in `<think>` tags. */
  isTagged: boolean;
  refusal: string;
  toolCalls: readonly ToolCallState[];
  audio: AudioState | null;
};

export function liveAnswer(state: ChatState, choiceIndex: number): Answer {
  const choice = state.choices.find(({ index }) => index === choiceIndex);
  return {
    content: choice?.content ?? '',
    body: choice === undefined ? '' : contentWith(choice.content, choice.parts),
    reasoning: choice?.reasoning ?? '',
    isTagged: choice?.think?.tagged ?? false,
    refusal: choice?.refusal ?? '',
    toolCalls: choice?.toolCalls ?? [],
    audio: choice?.audio ?? null,
  };
}

export function settledAnswer(message: TreeMessage): Answer {
  return {
    content: getText(message.content),
    body: message.content,
    reasoning: message.reasoning ?? '',
    isTagged: message.reasoningTagged,
    refusal: '',
    toolCalls: message.toolCalls.map((call) => ({
      id: call.id,
      name: call.function.name,
      arguments: call.function.arguments,
    })),
    audio: message.audio,
  };
}

export function isEmptyAnswer({ body, refusal, toolCalls, audio }: Answer): boolean {
  return body.length === 0 && refusal === '' && toolCalls.length === 0 && audio === null;
}

/** An answer with a run: as it streams, and as it was settled. */
export function useAnswer(message: TreeMessage, run: RunSummary) {
  // Only the run has the refusal, so an empty answer reads them there.
  const [watched] = useState(!isFinished(run.status) || saysNothing(message));
  const view = useRun('chat', watched ? run.id : null);
  const problem = useRunProblem(watched ? run.id : null);
  const choiceIndex = message.choiceIndex ?? 0;
  return {
    answer: view === null ? settledAnswer(message) : liveAnswer(view.state, choiceIndex),
    finishReason:
      view?.state.choices.find(({ index }) => index === choiceIndex)?.finishReason ??
      run.figures?.finishReasons[choiceIndex] ??
      null,
    warnings: view?.state.warnings ?? run.figures?.warnings ?? [],
    /** Media IDs that the run's answers show in their places, as far as they are known here. */
    placed:
      view === null
        ? placedMedia(message)
        : view.state.choices.flatMap(({ parts = [], audio = null }) =>
            placedMedia({ content: parts.map(({ part }) => part), audio }),
          ),
    run: view ?? run,
    running: !isFinished(view?.status ?? run.status),
    problem,
  };
}

/** Media IDs of the audio and the parts of an answer. */
export function placedMedia({ content, audio }: Pick<TreeMessage, 'content' | 'audio'>): string[] {
  const parts = typeof content === 'string' ? [] : content;
  return [...parts.map(getMediaId), audio?.media ?? null].filter((id) => id !== null);
}

function saysNothing({ content, toolCalls, audio }: TreeMessage): boolean {
  return content.length === 0 && toolCalls.length === 0 && audio === null;
}

/** The text of a message; a part that is not text is shown as its type in brackets. */
export function messageText(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
