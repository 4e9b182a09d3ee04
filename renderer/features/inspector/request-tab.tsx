import type { RunEventKind, SentRequest } from '../../../shared/run.ts';
import { FactTable } from '../../run/body/fact-table.tsx';
import { BodyHead, TextPane, useBodyView } from '../../run/body/text-pane.tsx';
import { useRunPart } from '../../run/live/live-runs.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './inspector.module.css';

const kinds: readonly RunEventKind[] = ['request'];

interface RequestTabProps {
  runId: string;
  exchange: number;
}

export function RequestTab({ runId, exchange }: RequestTabProps) {
  const seq = useRunPart(runId, (view) => view.seq) ?? 0;
  const { events, problem, retry } = useRunEvents(runId, seq, kinds, exchange);
  const sent = events.find((event) => event.kind === 'request');

  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  return sent === undefined ? null : <RequestPane sent={sent} />;
}

interface RequestPaneProps {
  sent: SentRequest;
  /** Sentences shown above the headers. */
  notes?: readonly string[];
}

export function RequestPane({ sent, notes = [] }: RequestPaneProps) {
  const body = sent.body ?? '';
  const view = useBodyView(body);
  return (
    <TextPane
      label="Request"
      text={body}
      json={view.json}
      aside={
        <>
          <div className={classNames(styles.target, 'row-8')}>
            <span className={classNames(styles.method, 'mono fixed')}>{sent.method}</span>
            <code className={styles.url}>{sent.url}</code>
            <CopyButton label="Copy URL" content={() => sent.url} />
          </div>
          {notes.map((note) => (
            <p key={note} className="hint">
              {note}
            </p>
          ))}
          <h3 className="heading">Headers</h3>
          <FactTable label="Request headers" facts={sent.headers} />
        </>
      }
      head={
        sent.body === null ? (
          <p className={classNames(styles.note, 'hint grow')}>No body</p>
        ) : (
          <BodyHead title="Body" text={body} view={view} />
        )
      }
    />
  );
}
