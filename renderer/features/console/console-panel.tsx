import { useMemo } from 'react';
import type { ConsoleInput } from '../../../shared/operations/console/request.ts';
import { useConnections } from '../../lib/connections.ts';
import type { InputMapping } from '../../run/compare/compared-input.ts';
import { FormProblem } from '../../run/form/form-problem.tsx';
import { useReopened } from '../../run/form/reopen.ts';
import type { ReadyRun } from '../../run/form/resolve-form.ts';
import { createPanelBlock, showRunBlock } from '../../run/form/run-block.ts';
import { ConnectionPicker } from '../../run/form/run-pickers.tsx';
import { useForm, useLoaded } from '../../run/form/use-form.ts';
import { ExampleResult } from '../../run/frame/empty-result.tsx';
import { RunError } from '../../run/frame/run-error.tsx';
import { useRunOnScreen } from '../../run/live/on-screen.ts';
import { PanelFrame } from '../../run/panel/panel-frame.tsx';
import { SplitPanel } from '../../run/panel/run-panel.tsx';
import { useRunControl } from '../../run/panel/use-panel-run.ts';
import { RequestFields } from '../../run/views/request-fields.tsx';
import { usePanelRequest } from '../../run/views/viewed-request.ts';
import { ConsoleIcon } from '../../ui/icons/panels.tsx';
import styles from './console.module.css';
import { getConsoleProblems, toConsoleInput, toConsoleRequest } from './console-draft.ts';
import { consoleForm as form, openRequest, writeRequest } from './console-form.ts';
import { type ConsolePreset, getConsolePresets } from './console-presets.ts';
import { ConsoleResponse } from './console-response.tsx';
import { RequestForm } from './request-form.tsx';
import { SavedRequests } from './saved-requests.tsx';

/** Examples that aren't among the saved requests of a new installation. */
const examplePaths = ['/v1/chat/completions', '/v1/completions', '/v1/audio/speech'];

export function ConsolePanel() {
  const { selected: connection } = useConnections();
  useLoaded(form);
  const run = useRunControl(form);
  useRunOnScreen(run.runId);
  const draft = useForm(form, ({ input }) => input);
  const problems = getConsoleProblems(draft);

  const presets = getConsolePresets(connection?.kind === 'demo');

  useReopened('console', ({ request }) => writeRequest(toConsoleInput(request)));

  const noConnection = createPanelBlock(connection === null ? 'Choose a connection first.' : null);
  const blocked = noConnection ?? createPanelBlock(problems.path ?? problems.headers);
  const connectionId = connection?.id;
  const ready = useMemo(() => toRun(connectionId, draft), [connectionId, draft]);
  const viewed = usePanelRequest(form, wholeRequest, { ready, blocked });

  function send(request: ReadyRun | null) {
    if (request === null) showRunBlock();
    else void run.start(request);
  }

  const start = () => send(ready);

  function runPreset(preset: ConsolePreset) {
    openRequest(preset.request);
    send(toRun(connectionId, preset.request));
  }

  return (
    <PanelFrame
      title="Console"
      pickers={<ConnectionPicker form={form} className={styles.connection} />}
      viewed={form}
      onRun={start}
      onStop={() => void run.stop()}
      running={run.running}
      runBusy={run.starting}
      runBlocked={blocked}
    >
      <SplitPanel
        fields={
          <>
            <SavedRequests draft={draft} presets={presets} />
            <RequestFields viewed={viewed} blocked={blocked} onRun={start}>
              <RequestForm
                draft={draft}
                problems={problems}
                baseUrl={connection?.baseUrl ?? ''}
                errors={run.fieldErrors}
                onRun={start}
              />
            </RequestFields>
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

/** Returns null if the request can’t be sent yet. */
function toRun(connectionId: string | undefined, draft: ConsoleInput): ReadyRun | null {
  const request = toConsoleRequest(draft);
  if (connectionId === undefined || request === null) return null;
  return { connectionId, request, extraBody: {}, wireNames: {} };
}

/** Adds nothing, because the Console’s request has no parameters other than its input. */
const wholeRequest: InputMapping = { write: () => ({}), read: toConsoleInput };
