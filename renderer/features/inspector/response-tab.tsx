import { useDeferredValue } from 'react';
import type { Reply } from '../../../shared/operations/operation.ts';
import type { RunEventKind } from '../../../shared/run.ts';
import { replyOf } from '../../../shared/run-view.ts';
import { BodyHead } from '../../run/body/body-head.tsx';
import { FactTable } from '../../run/body/fact-table.tsx';
import { LineScroller } from '../../run/body/line-scroller.tsx';
import { textLines } from '../../run/body/text-lines.ts';
import { useBodyView } from '../../run/body/use-body-view.ts';
import { useAnyRun } from '../../run/live/live-runs.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './parts.module.css';

const kinds: readonly RunEventKind[] = ['response', 'body'];

/** What came back: the head, and the document, or the stream put together again. */
export function ResponseTab({ runId }: { runId: string }) {
  // Deferred: putting a long stream together again must not hold up the panel above.
  const view = useDeferredValue(useAnyRun(runId));
  const { events, problem, retry } = useRunEvents(runId, view?.seq ?? 0, kinds);
  const response = events.find((event) => event.kind === 'response');
  const document = events.find((event) => event.kind === 'body');
  const body = useBodyView(document?.text ?? '');
  if (view === null) return null;
  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;

  const reply = replyOf(view);
  const joined = document === undefined ? reply.sections : [];
  const joinedText = joined
    .map(({ title, text }) => (joined.length > 1 ? `— ${title} —\n${text}` : text))
    .join('\n\n');
  return (
    <LineScroller
      label="Response"
      lines={document === undefined ? (joinedText === '' ? [] : textLines(joinedText)) : body.lines}
      json={body.mode === 'pretty'}
      aside={
        <>
          {view.error !== null && <ErrorAlert error={view.error} />}
          {response !== undefined && (
            <>
              <div className={styles.target}>
                <span className={styles.method}>HTTP {response.status}</span>
              </div>
              <h3 className={styles.title}>Headers</h3>
              <FactTable label="Response headers" facts={response.headers} />
            </>
          )}
          {response === undefined && view.error === null && (
            <p className={styles.note}>Waiting for the gateway to answer.</p>
          )}
          <ReplyDetails facts={reply.facts} warnings={reply.warnings} />
        </>
      }
      head={
        <>
          {document !== undefined && (
            <BodyHead
              title="Body"
              text={document.text}
              view={body}
              note={document.truncated ? 'only its start was kept' : undefined}
            />
          )}
          {joined.length > 0 && (
            <div className={styles.titleRow}>
              <h3 className={styles.title}>{joined.length === 1 ? joined[0]?.title : 'Text'}</h3>
              <span className={styles.note}>the stream put together; each frame is in Events</span>
              <CopyButton label="Copy text" content={() => joinedText} />
            </div>
          )}
        </>
      }
    />
  );
}

function ReplyDetails({ facts, warnings }: Pick<Reply, 'facts' | 'warnings'>) {
  if (facts.length === 0 && warnings.length === 0) return null;
  return (
    <>
      <h3 className={styles.title}>Reply</h3>
      <FactTable label="Reply" facts={facts} />
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </>
  );
}
