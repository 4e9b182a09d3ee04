import type { RunSummary } from '../../../../shared/run.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import styles from '../messages/message.module.css';
import { type Answer, isEmptyAnswer } from './answer.ts';

interface AnswerOutcomeProps {
  run: RunSummary;
  answer: Answer;
  onRetry: () => void;
}

/** How the answer ended, where that needs saying; the text that came stays above it. */
export function AnswerOutcome({ run, answer, onRetry }: AnswerOutcomeProps) {
  const words = outcomeWords(run, answer);
  return (
    <>
      {run.error !== null && run.status !== 'cancelled' && (
        <ErrorAlert error={run.error} onRetry={onRetry} />
      )}
      {words !== null && <p className={styles.outcome}>{words}</p>}
    </>
  );
}

function outcomeWords(run: RunSummary, answer: Answer): string | null {
  const isEmpty = isEmptyAnswer(answer);
  switch (run.status) {
    case 'cancelled':
      return isEmpty ? 'Cancelled before anything came.' : 'Cancelled; this is what had come.';
    case 'interrupted':
      return isEmpty ? null : 'Interrupted; this is what had come. It may have been billed.';
    case 'unknown':
      return 'Nobody knows whether the gateway carried this out: it may have been billed.';
    case 'succeeded':
      return isEmpty ? 'The answer is empty.' : null;
    default:
      return null;
  }
}
