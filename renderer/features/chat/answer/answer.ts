/** An answer ready to show, streaming or already saved in the conversation. */
import { useState } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { isFinished } from '../../../../shared/is-finished.ts';
import type { Content } from '../../../../shared/operations/chat/message.ts';
import type {
  AudioState,
  ChatState,
  ToolCallState,
} from '../../../../shared/operations/chat/state.ts';
import type { RunSummary } from '../../../../shared/run.ts';
import { useRun, useRunProblem } from '../../../run/live/live-runs.ts';

export type Answer = {
  content: string;
  reasoning: string;
  /** The reasoning was part of the text, in `<think>` tags. */
  isTagged: boolean;
  refusal: string;
  toolCalls: readonly ToolCallState[];
  audio: AudioState | null;
  warnings: readonly string[];
};

export function liveAnswer(state: ChatState, choiceIndex: number): Answer {
  const choice = state.choices.find(({ index }) => index === choiceIndex);
  return {
    content: choice?.content ?? '',
    reasoning: choice?.reasoning ?? '',
    isTagged: choice?.think?.tagged ?? false,
    refusal: choice?.refusal ?? '',
    toolCalls: choice?.toolCalls ?? [],
    audio: choice?.audio ?? null,
    warnings: state.warnings,
  };
}

export function settledAnswer(message: TreeMessage): Answer {
  return {
    content: messageText(message.content),
    reasoning: message.reasoning ?? '',
    isTagged: message.reasoningTagged,
    refusal: '',
    toolCalls: message.toolCalls.map((call) => ({
      id: call.id,
      name: call.function.name,
      arguments: call.function.arguments,
    })),
    audio: message.audio,
    warnings: [],
  };
}

export function isEmptyAnswer({ content, refusal, toolCalls, audio }: Answer): boolean {
  return content === '' && refusal === '' && toolCalls.length === 0 && audio === null;
}

/** An answer with a run: as it streams, and as it was settled. */
export function useAnswer(message: TreeMessage, run: RunSummary) {
  // Only the run has the refusal and the warnings, so an empty answer reads them there.
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
    /** Media IDs of the run's spoken answers, as far as they are known here. */
    spoken: (view?.state.choices ?? [message]).flatMap(({ audio }) => audio?.media ?? []),
    run: view ?? run,
    running: !isFinished(view?.status ?? run.status),
    problem,
  };
}

function saysNothing({ content, toolCalls, audio }: TreeMessage): boolean {
  return content.length === 0 && toolCalls.length === 0 && audio === null;
}

/** The text of a message; a part that is not text is shown as its type in brackets. */
export function messageText(content: Content): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
