import { useMemo } from 'react';
import type { RunEventKind } from '../../../shared/run.ts';
import { curlOf, keyVariable } from '../../lib/code-export.ts';
import { useRunPart } from '../../lib/live-runs.ts';
import { textLines } from '../../lib/text-lines.ts';
import { CopyButton } from '../../run/copy-button.tsx';
import { LineScroller } from '../../run/line-scroller.tsx';
import { useRunEvents } from '../../run/use-run-events.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './parts.module.css';

const kinds: readonly RunEventKind[] = ['request'];

/** The request as a command to run elsewhere. */
export function CodeTab({ runId }: { runId: string }) {
  const seq = useRunPart(runId, (view) => view.seq) ?? 0;
  const { events, problem, retry } = useRunEvents(runId, seq, kinds);
  const sent = events.find((event) => event.kind === 'request');
  const command = useMemo(() => (sent === undefined ? '' : curlOf(sent)), [sent]);

  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  if (sent === undefined) {
    return seq === 0 ? <EmptyState title="Nothing was sent yet" /> : null;
  }
  return (
    <LineScroller
      label="Code"
      lines={textLines(command)}
      head={
        <div className={styles.titleRow}>
          <h3 className={styles.title}>curl</h3>
          <span className={styles.note}>
            reads the key from <code>${keyVariable}</code>
          </span>
          <CopyButton label="Copy curl" text={() => command} />
        </div>
      }
    />
  );
}
