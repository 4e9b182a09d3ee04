import type { JsonObject } from '../../../shared/json.ts';
import { useConnections } from '../../lib/connections.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import { ConnectionPicker } from '../../run/form/run-pickers.tsx';
import { useForm, useLoaded } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { panelBlock, showRunBlock } from '../../run/frame/run-block.ts';
import { RunError } from '../../run/frame/run-error.tsx';
import { SplitPanel } from '../../run/frame/run-panel.tsx';
import { useRunOnScreen } from '../../run/live/on-screen.ts';
import { useRunControl } from '../../run/live/use-panel-run.ts';
import { ConsoleIcon } from '../../ui/icons/panels.tsx';
import styles from './console.module.css';
import { getConsoleProblems, toConsoleInput, toConsoleRequest } from './console-draft.ts';
import { consoleForm as form, openRequest, writeRequest } from './console-form.ts';
import { ConsoleResponse } from './console-response.tsx';
import { getConsolePresets, type Preset } from './presets.ts';
import { RequestForm } from './request-form.tsx';
import { SavedRequests } from './saved-requests.tsx';

const examplePaths = ['/v1/models', '/v1/completions', '/v1/fine-tunes'];

export function ConsolePanel() {
  const { selected: connection } = useConnections();
  useLoaded(form);
  const run = useRunControl(form);
  useRunOnScreen(run.runId);
  const draft = useForm(form, ({ input }) => input);
  const problems = getConsoleProblems(draft);

  const presets = getConsolePresets(connection?.kind === 'demo');

  useReopened('console', ({ request }) => writeRequest(toConsoleInput(request)));

  function send(request: JsonObject | null) {
    if (connection === null || request === null) return showRunBlock();
    void run.start({ connectionId: connection.id, request, extraBody: {}, wireNames: {} });
  }

  const start = () => send(toConsoleRequest(draft));

  const noConnection = panelBlock(connection === null ? 'Choose a connection first.' : null);

  function runPreset(preset: Preset) {
    openRequest(preset.request);
    send(toConsoleRequest(preset.request));
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
      <SplitPanel
        fields={
          <>
            <SavedRequests draft={draft} presets={presets} />
            <RequestForm
              draft={draft}
              problems={problems}
              baseUrl={connection?.baseUrl ?? ''}
              errors={run.fieldErrors}
            />
          </>
        }
      >
        <FormProblem form={form} />
        {run.problem !== null && <RunError error={run.problem} onRetry={run.retry ?? start} />}
        {run.runId === null ? (
          <ExampleResult
            icon={<ConsoleIcon size={20} />}
            title="Send any request"
            blocked={noConnection}
            examples={presets
              .filter(({ request: { path } }) => examplePaths.includes(path))
              .map((preset) => ({ ...preset, onRun: () => runPreset(preset) }))}
          >
            Enter a path relative to the base URL, or start with an example.
          </ExampleResult>
        ) : (
          <ConsoleResponse key={run.runId} runId={run.runId} onRetry={start} />
        )}
      </SplitPanel>
    </PanelFrame>
  );
}
