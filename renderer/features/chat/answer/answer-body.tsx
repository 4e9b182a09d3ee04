import type { TreeMessage } from '../../../../shared/conversation.ts';
import type { RunSummary } from '../../../../shared/run.ts';
import { RunFigures } from '../../../run/frame/run-figures.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { WarningIcon } from '../../../ui/icons/status.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import styles from '../messages/message.module.css';
import { type Answer, isEmptyAnswer } from './answer.ts';
import { AnswerAudio } from './answer-audio.tsx';
import { AnswerOutcome } from './answer-outcome.tsx';
import { Reasoning } from './reasoning.tsx';
import { SchemaCheck } from './schema-check.tsx';
import { ToolCalls } from './tool-calls.tsx';
import { useAnswer } from './use-answer.ts';

interface AnswerBodyProps {
  message: TreeMessage;
  run: RunSummary;
  onRetry: () => void;
}

/** An answer with a run: as it streams, and as it was settled. */
export function AnswerBody({ message, run: summary, onRetry }: AnswerBodyProps) {
  const { answer, run, running, problem } = useAnswer(message, summary);
  return (
    <>
      <AnswerText answer={answer} running={running} />
      {problem !== null && running && <ErrorAlert error={problem} compact />}
      {!running && (
        <SchemaCheck runId={run.id} choiceIndex={message.choiceIndex ?? 0} text={answer.content} />
      )}
      {!running && <AnswerOutcome run={run} answer={answer} onRetry={onRetry} />}
      <div className={styles.figures}>
        <RunFigures run={run} />
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
  const { content, reasoning, refusal, toolCalls, audio, warnings } = answer;
  const silent = isEmptyAnswer(answer);
  return (
    <>
      {reasoning !== '' && <Reasoning text={reasoning} thinking={running && silent} />}
      {running && silent && reasoning === '' && (
        <p className={styles.waiting}>
          <Spinner /> Waiting for the first word
        </p>
      )}
      {content !== '' && <Markdown text={content} streaming={running} />}
      {audio !== null && <AnswerAudio audio={audio} running={running} />}
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
