import { useLayoutEffect, useMemo, useRef } from 'react';
import { replyOf } from '../../../shared/run-view.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { FactTable } from '../body/fact-table.tsx';
import { useRunProblem, useRunView } from '../live/live-runs.ts';
import styles from './reply-facts.module.css';

/** What the reply of a run says about itself: IDs, dates, and every count of its usage. */
export function ReplyFacts({ runId }: { runId: string }) {
  const view = useRunView(runId);
  const problem = useRunProblem(runId);
  const facts = useMemo(() => (view === null ? null : replyOf(view).facts), [view]);
  const box = useRef<HTMLDivElement>(null);
  const isLoaded = facts !== null;
  // It opens below what was pressed, which may be the last line that is shown.
  useLayoutEffect(() => {
    if (isLoaded) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isLoaded]);
  return (
    <div ref={box} className={styles.facts}>
      {facts === null &&
        (problem === null ? (
          <Spinner label="Loading details" />
        ) : (
          <ErrorAlert error={problem} compact />
        ))}
      {facts?.length === 0 && <p className={styles.none}>The response has no details.</p>}
      {facts !== null && <FactTable label="Response details" facts={facts} />}
    </div>
  );
}
