import { createContext, use, useState } from 'react';
import type { RunSummary } from '../../../../shared/run.ts';
import { ReplyFacts } from '../../../run/frame/reply-facts.tsx';
import { RunFigures } from '../../../run/frame/run-figures.tsx';
import { RunLiveness } from '../../../run/frame/run-liveness.tsx';
import { Button } from '../../../ui/button.tsx';
import styles from '../messages/message.module.css';

interface AnswerFiguresProps {
  run: RunSummary;
  running: boolean;
}

/** True if the user compares answers without knowing which model they are from. */
export const HidesModelContext = createContext(false);

/** The line under an answer: its figures, and on demand all that the reply says about itself. */
export function AnswerFigures({ run, running }: AnswerFiguresProps) {
  const [isOpen, setIsOpen] = useState(false);
  const hidesModel = use(HidesModelContext);
  if (hidesModel && !running) return null;
  return (
    <>
      <div className={styles.figures}>
        {running ? <RunLiveness runId={run.id} /> : <RunFigures run={run} />}
        {!running && run.figures !== null && (
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
      {isOpen && !running && <ReplyFacts runId={run.id} />}
    </>
  );
}
