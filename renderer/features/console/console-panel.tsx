import { useConnections } from '../../lib/connections.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { ConnectionPicker } from '../../run/form/run-pickers.tsx';
import { useForm, useLoaded } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { panelBlock, showRunBlock } from '../../run/frame/run-block.ts';
import { useRunControl } from '../../run/live/use-panel-run.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ConsoleIcon } from '../../ui/icons/panels.tsx';
import styles from './console.module.css';
import { consoleProblems, consoleRequest, draftFrom } from './console-draft.ts';
import { ConsoleReply } from './console-reply.tsx';
import { consoleForm as form, openRequest, writeRequest } from './console-store.ts';
import { consolePresets, type Preset } from './presets.ts';
import { RequestForm } from './request-form.tsx';
import { SavedRequests } from './saved-requests.tsx';

/** Of the presets: one that always works, one that streams, and the one that shows an error. */
const shownFirst = ['/v1/models', '/v1/completions', '/v1/fine-tunes'];

/** Any request under the connection's base URL, by hand. */
export function ConsolePanel() {
  const { selected: connection } = useConnections();
  useLoaded(form);
  const run = useRunControl(form);
  const draft = useForm(form, ({ input }) => input);
  const problems = consoleProblems(draft);
  const request = consoleRequest(draft);

  const presets = consolePresets(connection?.kind === 'demo');

  useReopened('console', ({ request }) => writeRequest(draftFrom(request)));

  function start() {
    if (connection === null || request === null) return showRunBlock();
    void run.start({ connectionId: connection.id, request, extraBody: {}, wireNames: {} });
  }

  const noConnection = panelBlock(connection === null ? 'Choose a connection first.' : null);

  function runPreset(preset: Preset) {
    if (connection === null) return;
    openRequest(preset.request);
    const request = consoleRequest(preset.request);
    if (request === null) return;
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
      runBlocked={noConnection ?? panelBlock(problems.path ?? problems.headers)}
    >
      <div className={styles.panel}>
        <div className={styles.form}>
          <SavedRequests draft={draft} presets={presets} />
          <RequestForm
            draft={draft}
            problems={problems}
            baseUrl={connection?.baseUrl ?? ''}
            errors={run.fieldErrors}
          />
        </div>
        <div className={styles.outcome}>
          <FormProblem form={form} />
          {run.problem !== null && <ErrorAlert error={run.problem} onRetry={run.retry ?? start} />}
          {run.runId === null ? (
            <ExampleResult
              icon={<ConsoleIcon size={20} />}
              title="Send any request"
              blocked={noConnection}
              examples={presets
                .filter(({ request: { path } }) => shownFirst.includes(path))
                .map((preset) => ({ ...preset, onRun: () => runPreset(preset) }))}
            >
              Write a request under the base URL, or start with an example.
            </ExampleResult>
          ) : (
            <ConsoleReply key={run.runId} runId={run.runId} onRetry={start} />
          )}
        </div>
      </div>
    </PanelFrame>
  );
}
