import { useConnections } from '../../lib/connections.ts';
import { useReopened } from '../../run/form/reopen.ts';
import { ConnectionPicker } from '../../run/form/run-pickers.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { useRunControl } from '../../run/live/use-run-control.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ConsoleIcon } from '../../ui/icons/panels.tsx';
import styles from './console.module.css';
import { consoleProblems, consoleRequest, draftFrom } from './console-draft.ts';
import { ConsoleReply } from './console-reply.tsx';
import { useConsole } from './console-store.ts';
import { RequestForm } from './request-form.tsx';
import { SavedRequests } from './saved-requests.tsx';

/** Any request under the connection's base URL, by hand. */
export function ConsolePanel() {
  const { selected: connection } = useConnections();
  const run = useRunControl('console');
  const draft = useConsole((state) => state.draft);
  const problems = consoleProblems(draft);
  const request = consoleRequest(draft);

  useReopened('console', (recorded) =>
    useConsole.getState().openDraft(draftFrom(recorded.request)),
  );

  function start() {
    if (connection === null || request === null) return;
    void run.start({ connectionId: connection.id, request, extraBody: {} });
  }

  return (
    <PanelFrame
      title="Console"
      pickers={<ConnectionPicker className={styles.connection} />}
      onRun={start}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runDisabledReason={
        connection === null ? 'Choose a connection first.' : (problems.path ?? problems.headers)
      }
    >
      <div className={styles.panel}>
        <div className={styles.form}>
          <SavedRequests />
          <RequestForm
            draft={draft}
            problems={problems}
            baseUrl={connection?.baseUrl ?? ''}
            errors={run.fieldErrors}
          />
        </div>
        <div className={styles.outcome}>
          {run.problem !== null && <ErrorAlert error={run.problem} onRetry={start} />}
          {run.runId === null ? (
            <section aria-label="Result" className={styles.empty}>
              <EmptyState icon={<ConsoleIcon size={20} />} title="No reply yet">
                Choose a saved request or write one, then run it.
              </EmptyState>
            </section>
          ) : (
            <ConsoleReply
              key={run.runId}
              runId={run.runId}
              onRetry={request === null ? undefined : start}
            />
          )}
        </div>
      </div>
    </PanelFrame>
  );
}
