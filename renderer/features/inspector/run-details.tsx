import { Fragment, type ReactNode, useMemo, useState } from 'react';
import type { Exchange } from '../../../shared/exchange.ts';
import type { RunEventKind } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import {
  type InspectorTab,
  selectInspectedRun,
  setInspectorTab,
  useLayout,
} from '../../lib/layout.ts';
import { getCodeResponse } from '../../run/code/code-export.ts';
import { CodePane } from '../../run/code/code-pane.tsx';
import { RunError } from '../../run/frame/run-error.tsx';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import { deleteRuns } from '../../run/live/delete-runs.ts';
import { isStoppedByDeletion } from '../../run/live/deletion-text.ts';
import { useLiveRuns, useRunPart, useRunProblem, useRunView } from '../../run/live/live-runs.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { type RunPageSource, useRunPages } from '../../run/live/use-run-pages.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { showToast } from '../../ui/show-toast.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { EventsTab } from './events/events-tab.tsx';
import { ExchangeList } from './exchanges/exchange-list.tsx';
import { getShownExchange } from './exchanges/exchange-rows.ts';
import styles from './inspector.module.css';
import { RequestTab } from './request-tab.tsx';
import { ResponseTab } from './response-tab.tsx';
import { TimingTab } from './timing/timing-tab.tsx';

export function RunDetails({ runId }: { runId: string }) {
  const tab = useLayout((layout) => layout.inspectorTab);
  const run = useRunPart(runId, (view) => ({
    status: view.status,
    seq: view.seq,
    error: view.error,
    figures: view.figures,
    stopsWhenDeleted: isStoppedByDeletion(view),
  }));
  const problem = useRunProblem(runId);
  const exchanges = useExchanges(runId, run?.seq ?? 0);
  const [chosen, setChosen] = useState<number | null>(null);
  const [chosenTab, setChosenTab] = useState<InspectorTab | null>(null);
  const [isConfirming, setConfirming] = useState(false);

  if (problem !== null && problem.kind === 'not-found') {
    return <EmptyState title="This run was deleted">Choose another run.</EmptyState>;
  }
  if (problem !== null) {
    return (
      <div className={styles.notice}>
        <ErrorAlert error={problem} />
      </div>
    );
  }
  if (run === undefined) return <Spinner label="Loading run" />;

  async function remove() {
    const view = useLiveRuns.getState().views[runId];
    if (view === undefined) return;
    const { error } = await deleteRuns([view], {
      place: 'inspector',
      onUndone: () => selectInspectedRun(runId),
    });
    if (error === null) selectInspectedRun(null);
    else showToast({ message: error.message, tone: 'danger' });
  }

  const all = exchanges.content ?? [];
  const exchange = getShownExchange(all, chosen, run.status);
  function getTab(content: (exchange: Exchange) => ReactNode): ReactNode {
    if (exchange !== null) return <Fragment key={exchange.number}>{content(exchange)}</Fragment>;
    if (exchanges.problem !== null) {
      return <ErrorAlert error={exchanges.problem} onRetry={exchanges.retry} />;
    }
    if (run?.error != null) return <RunError error={run.error} />;
    return run?.seq === 0 ? <EmptyState title="Nothing sent yet" /> : null;
  }

  const tabs: Tab<InspectorTab>[] = [
    {
      value: 'request',
      label: 'Request',
      content: getTab(({ number }) => <RequestTab runId={runId} exchange={number} />),
    },
    {
      value: 'response',
      label: 'Response',
      content: getTab((shown) => (
        <ResponseTab
          runId={runId}
          exchange={shown}
          isOnly={all.length === 1}
          isLast={shown.number === all.at(-1)?.number}
        />
      )),
    },
    {
      value: 'events',
      label: 'Events',
      content: getTab((shown) => <EventsTab runId={runId} exchange={shown} />),
    },
    {
      value: 'timing',
      label: 'Timing',
      content: getTab((shown) => <TimingTab exchange={shown} />),
    },
    {
      value: 'code',
      label: 'Code',
      content: getTab(({ number }) => <CodeTab runId={runId} exchange={number} />),
    },
  ];
  return (
    <div className="fill">
      {all.length > 1 && exchange !== null && (
        <ExchangeList exchanges={all} shown={exchange.number} onShow={setChosen} />
      )}
      <Tabs
        label="Run"
        // The reason of a failure is in the response.
        value={chosenTab ?? (tab === 'request' && run.status === 'failed' ? 'response' : tab)}
        onValueChange={(next) => {
          setInspectorTab(next);
          setChosenTab(next);
        }}
        tabs={tabs}
        trailing={
          <>
            <RunStatusMark run={run} />
            <IconButton
              size="small"
              label="Delete run"
              icon={<TrashIcon size={14} />}
              onClick={() => (run.stopsWhenDeleted ? setConfirming(true) : void remove())}
            />
          </>
        }
      />
      <ConfirmDialog
        open={isConfirming}
        title="Delete this run?"
        confirmLabel="Delete"
        danger
        onConfirm={() => {
          setConfirming(false);
          void remove();
        }}
        onClose={() => setConfirming(false)}
      >
        This run is in progress. Deleting it also stops it.
      </ConfirmDialog>
    </div>
  );
}

/** A task polled for days has thousands of exchanges; a page of this size loads in milliseconds. */
const PAGE_SIZE = 100;

/** Updates while the run is in progress, without refetching finished exchanges. */
function useExchanges(runId: string, seq: number) {
  const source = useMemo((): RunPageSource<Exchange[]> => {
    let known: Exchange[] = [];
    return {
      async fetchPage(after, signal) {
        const unfinished = known.find(({ ending }) => ending === null) ?? known.at(-1);
        for (let from = unfinished?.number ?? 0; ; ) {
          const page = { id: runId, from, limit: PAGE_SIZE };
          const { exchanges, next } = await api.runs.exchanges(page, { signal });
          const [first] = exchanges;
          if (first) known = [...known.filter(({ number }) => number < first.number), ...exchanges];
          if (next === null) return { content: known, last: after, more: false };
          from = next;
        }
      },
      join: (_before, all) => all,
    };
  }, [runId]);
  return useRunPages(source, seq);
}

const kinds: readonly RunEventKind[] = ['request', 'media'];

interface CodeTabProps {
  runId: string;
  exchange: number;
}

function CodeTab({ runId, exchange }: CodeTabProps) {
  const view = useRunView(runId);
  const { events, problem, retry } = useRunEvents(runId, view?.seq ?? 0, kinds, exchange);
  const sent = events.find((event) => event.kind === 'request');
  const file = events.findLast((event) => event.kind === 'media')?.media ?? null;
  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  if (sent === undefined || view === null) return null;
  return <CodePane sent={sent} response={getCodeResponse(view, sent, file)} />;
}
