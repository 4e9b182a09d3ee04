import { useState } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { isFinished } from '../../../../shared/is-finished.ts';
import type { RunSummary } from '../../../../shared/run.ts';
import { useRun, useRunProblem } from '../../../run/live/live-runs.ts';
import { liveAnswer, settledAnswer } from './answer.ts';

/** An answer with a run: as it streams, and as it was settled. */
export function useAnswer(message: TreeMessage, run: RunSummary) {
  // A refusal and the warnings stand in the run alone, so an answer that says nothing asks it too.
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
    run: view ?? run,
    running: !isFinished(view?.status ?? run.status),
    problem,
  };
}

function saysNothing({ content, toolCalls, audio }: TreeMessage): boolean {
  return content.length === 0 && toolCalls.length === 0 && audio === null;
}
