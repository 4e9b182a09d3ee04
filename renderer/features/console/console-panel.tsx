import { useConnections } from '../../lib/connections.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { ConnectionPicker } from '../../run/form/run-pickers.tsx';
import { useForm, useLoaded } from '../../run/form/use-form.ts';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { useRunControl } from '../../run/live/use-panel-run.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ConsoleIcon } from '../../ui/icons/panels.tsx';
import styles from './console.module.css';
import { consoleProblems, consoleRequest, draftFrom } from './console-draft.ts';
import { ConsoleReply } from './console-reply.tsx';
import { consoleForm as form, openRequest } from './console-store.ts';
import { RequestForm } from './request-form.tsx';
import { SavedRequests } from './saved-requests.tsx';

/** Any request under the connection's base URL, by hand. */
export function ConsolePanel() {
  const { selected: connection } = useConnections();
  useLoaded(form);
  const run = useRunControl(form);
  const draft = useForm(form, ({ input }) => input);
  const problems = consoleProblems(draft);
  const request = consoleRequest(draft);

  useReopened('console', (recorded) => openRequest(draftFrom(recorded.request)));

  function start() {
    if (connection === null || request === null) return;
    void run.start({ connectionId: connection.id, request, extraBody: {}, wireNames: {} });
  }

  return (
    <PanelFrame
      title="Console"
      pickers={<ConnectionPicker form={form} className={styles.connection} />}
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
          <SavedRequests draft={draft} />
          <RequestForm
            draft={draft}
            problems={problems}
            baseUrl={connection?.baseUrl ?? ''}
            errors={run.fieldErrors}
          />
        </div>
        <div className={styles.outcome}>
          <FormProblem form={form} />
          {run.problem !== null && <ErrorAlert error={run.problem} onRetry={start} />}
          {run.runId === null ? (
            <section aria-label="Result" className={styles.empty}>
              <EmptyState icon={<ConsoleIcon size={20} />} title="No response yet">
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
