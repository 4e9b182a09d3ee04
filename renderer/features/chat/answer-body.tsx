import { useState } from 'react';
import type { TreeMessage } from '../../../shared/conversation.ts';
import { isFinished } from '../../../shared/is-finished.ts';
import type { ChatState } from '../../../shared/operations/chat-state.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { useRun, useRunProblem } from '../../lib/live-runs.ts';
import { RunFigures } from '../../run/run-figures.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type Answer, liveAnswer, settledAnswer } from './answer.ts';
import { AnswerOutcome } from './answer-outcome.tsx';
import styles from './message.module.css';
import { Reasoning } from './reasoning.tsx';
import { ToolCalls } from './tool-calls.tsx';

interface AnswerBodyProps {
  message: TreeMessage;
  run: RunSummary;
  onRetry: () => void;
}

/** An answer with a run: as it streams, and as it was settled. */
export function AnswerBody({ message, run, onRetry }: AnswerBodyProps) {
  // A refusal and the warnings stand in the run alone, so an answer that says nothing asks it too.
  const [watched] = useState(!isFinished(run.status) || saysNothing(message));
  const view = useRun<ChatState>(watched ? run.id : null);
  const problem = useRunProblem(watched ? run.id : null);
  const running = !isFinished(view?.status ?? run.status);
  const answer =
    view === null ? settledAnswer(message) : liveAnswer(view.state, message.choiceIndex ?? 0);
  return (
    <>
      <AnswerText answer={answer} running={running} />
      {problem !== null && running && <ErrorAlert error={problem} compact />}
      {!running && <AnswerOutcome run={view ?? run} answer={answer} onRetry={onRetry} />}
      <div className={styles.figures}>
        <RunFigures run={view ?? run} />
      </div>
    </>
  );
}

interface AnswerTextProps {
  answer: Answer;
  running: boolean;
}

/** What an answer says, with or without a run. */
export function AnswerText({ answer, running }: AnswerTextProps) {
  const { content, reasoning, refusal, toolCalls, warnings } = answer;
  const silent = content === '' && refusal === '' && toolCalls.length === 0;
  return (
    <>
      {reasoning !== '' && <Reasoning text={reasoning} thinking={running && silent} />}
      {running && silent && reasoning === '' && (
        <p className={styles.waiting}>
          <Spinner /> Waiting for the first word
        </p>
      )}
      {content !== '' && <Markdown text={content} streaming={running} />}
      {refusal !== '' && (
        <p className={styles.refusal}>
          <strong>The model refused:</strong> {refusal}
        </p>
      )}
      {toolCalls.length > 0 && <ToolCalls calls={toolCalls} streaming={running} />}
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <WarningIcon size={14} /> {warning}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function saysNothing(message: TreeMessage): boolean {
  return message.content.length === 0 && message.toolCalls.length === 0;
}
