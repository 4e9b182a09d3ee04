import { useState } from 'react';
import { isFinished } from '../../../shared/is-finished.ts';
import { toAppError } from '../../lib/app-error.ts';
import {
  type InspectorTab,
  selectInspectedRun,
  setInspectorTab,
  useLayout,
} from '../../lib/layout.ts';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import { useRunPart, useRunProblem } from '../../run/live/live-runs.ts';
import { removeRun } from '../../run/live/remove-run.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { showToast } from '../../ui/show-toast.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { CodeTab } from './code/code-tab.tsx';
import { EventsTab } from './events/events-tab.tsx';
import styles from './inspector.module.css';
import { RequestTab } from './request-tab.tsx';
import { ResponseTab } from './response-tab.tsx';
import { TimingTab } from './timing/timing-tab.tsx';

/** One run: what was sent, what came back and when. */
export function RunDetails({ runId }: { runId: string }) {
  const tab = useLayout((layout) => layout.inspectorTab);
  const status = useRunPart(runId, (view) => view.status);
  const problem = useRunProblem(runId);
  const [asking, setAsking] = useState(false);

  if (problem !== null && problem.kind === 'not-found') {
    return <EmptyState title="This run was deleted">Choose another one at the left.</EmptyState>;
  }
  if (problem !== null) {
    return (
      <div className={styles.notice}>
        <ErrorAlert error={problem} />
      </div>
    );
  }
  if (status === undefined) return <Spinner label="Loading the run" />;

  async function remove() {
    try {
      await removeRun(runId);
      selectInspectedRun(null);
    } catch (error) {
      showToast({ message: toAppError(error).message, tone: 'danger' });
    }
  }

  const tabs: Tab<InspectorTab>[] = [
    { value: 'request', label: 'Request', content: <RequestTab runId={runId} /> },
    { value: 'response', label: 'Response', content: <ResponseTab runId={runId} /> },
    { value: 'events', label: 'Events', content: <EventsTab runId={runId} /> },
    { value: 'timing', label: 'Timing', content: <TimingTab runId={runId} /> },
    { value: 'code', label: 'Code', content: <CodeTab runId={runId} /> },
  ];
  return (
    <div className={styles.details}>
      <Tabs
        label="Run"
        value={tab}
        onValueChange={setInspectorTab}
        tabs={tabs}
        trailing={
          <>
            <RunStatusMark status={status} />
            <IconButton
              size="small"
              label="Delete run"
              icon={<TrashIcon size={14} />}
              onClick={() => setAsking(true)}
            />
          </>
        }
      />
      <ConfirmDialog
        open={asking}
        title="Delete this run?"
        confirmLabel="Delete"
        danger
        onConfirm={() => {
          setAsking(false);
          void remove();
        }}
        onClose={() => setAsking(false)}
      >
        {isFinished(status)
          ? 'Its request, reply and timings are removed for good.'
          : 'It still runs: it is stopped, and what came is removed for good.'}
      </ConfirmDialog>
    </div>
  );
}
