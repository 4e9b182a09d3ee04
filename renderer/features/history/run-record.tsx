import { useQuery } from '@tanstack/react-query';
import { canFollowAgain, isFinished, phaseTraits, type RunSummary } from '../../../shared/run.ts';
import { orpc } from '../../lib/api.ts';
import { formatClock } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { useIsDisconnected } from '../../lib/link-state.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { Fact, FactList } from '../../run/body/fact-table.tsx';
import { blindLabel, useBlindRuns, useIsBlind } from '../../run/compare/live-comparisons.ts';
import { NoResult } from '../../run/frame/empty-result.tsx';
import { RunError } from '../../run/frame/run-error.tsx';
import { RunFigures } from '../../run/frame/run-figures.tsx';
import { RunLiveness } from '../../run/frame/run-liveness.tsx';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import { useRunPart, useRunProblem } from '../../run/live/live-runs.ts';
import { useRunOnScreen } from '../../run/live/on-screen.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { StopIcon } from '../../ui/icons/actions.tsx';
import { guardDelete } from '../../ui/press-guard.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useHistory } from './history-store.ts';
import { getMessages, RecordedFields, RecordedMessages } from './recorded-request.tsx';
import { RecordedResponse } from './recorded-response.tsx';
import styles from './run-record.module.css';
import { useListedComparison } from './use-listed-comparison.ts';

interface RunRecordProps {
  runId: string;
  repeating: boolean;
  stopping: boolean;
  onOpen: (run: RunSummary) => void;
  onRunAgain: (run: RunSummary) => void;
  onFollow: (run: RunSummary, taskId: string) => void;
  onStop: (run: RunSummary) => void;
  onDelete: (run: RunSummary) => void;
}

export function RunRecord({ runId, repeating, stopping, ...on }: RunRecordProps) {
  const run = useRunPart(runId, ({ state: _state, seq: _seq, ...summary }): RunSummary => summary);
  const problem = useRunProblem(runId);
  const recorded = useRecordedInput(runId);
  const isLinkLost = useIsDisconnected();
  const isBlind = useIsBlind();
  useRunOnScreen(runId);
  if (problem?.kind === 'not-found') {
    return <EmptyState title="This run was deleted">Choose another run.</EmptyState>;
  }
  if (problem !== null) return <ErrorAlert error={problem} />;
  if (run === undefined) return <Spinner label="Loading run" />;
  if (isBlind(run)) return <BlindRun comparisonId={run.comparisonId} />;
  const messages = recorded === null ? null : getMessages(recorded.request);
  const noResult = run.figures?.noResult ?? null;
  const taskId = run.phase.task?.id ?? null;
  return (
    <article className="stack-12" aria-label="Run">
      <div className="wrap-12 between">
        <span className="wrap-12">
          <h2 className={styles.title}>{getPanelLabel(run.operation)}</h2>
          {isFinished(run.status) ? <RunStatusMark run={run} /> : <RunLiveness runId={runId} />}
        </span>
        <ActionBar>
          {!isFinished(run.status) && !isLinkLost && phaseTraits[run.phase.name].isActive && (
            <Button
              size="small"
              icon={<StopIcon size={14} />}
              busy={stopping}
              onClick={() => on.onStop(run)}
            >
              {phaseTraits[run.phase.name].runsAtGateway ? 'Stop following' : 'Stop'}
            </Button>
          )}
          {(run.operation !== 'chat' || run.conversationId !== null) && (
            <Button size="small" variant="primary" onClick={() => on.onOpen(run)}>
              {run.operation === 'chat'
                ? 'Open conversation'
                : `Open in ${getPanelLabel(run.operation)}`}
            </Button>
          )}
          {taskId !== null && canFollowAgain(run) && (
            <Button size="small" busy={repeating} onClick={() => on.onFollow(run, taskId)}>
              Follow again
            </Button>
          )}
          <Button size="small" busy={repeating} onClick={() => on.onRunAgain(run)}>
            Run again
          </Button>
          <CompareButton run={run} />
          <Button size="small" onClick={() => inspectRun(run.id)}>
            Inspect
          </Button>
          <Button
            size="small"
            variant="quiet"
            data-focus-fallback="undo"
            onClick={({ currentTarget }) => {
              if (guardDelete(run.id, currentTarget)) on.onDelete(run);
            }}
          >
            Delete
          </Button>
        </ActionBar>
      </div>
      <CompareHint run={run} />
      <FactList>
        <Fact name="Model">
          <span className="mono">{run.model || '–'}</span>
        </Fact>
        <Fact name="Connection">{run.connectionName}</Fact>
        <Fact name="Started">{formatClock(run.createdAt, Date.now())}</Fact>
        {run.httpStatus !== null && <Fact name="HTTP">{run.httpStatus}</Fact>}
        <RunChain run={run} />
      </FactList>
      <RunFigures run={run} besideModel />
      {run.error !== null && <RunError error={run.error} compact />}
      {noResult !== null && <NoResult reason={noResult} />}
      {recorded === null ? (
        <Spinner label="Loading request" />
      ) : messages === null ? (
        <RecordedFields recorded={recorded} />
      ) : (
        <RecordedMessages messages={messages} />
      )}
      <RecordedResponse runId={runId} />
      {recorded !== null && messages !== null && <RecordedFields recorded={recorded} />}
    </article>
  );
}

/** Compares any two runs of the same panel, even if only one is part of a comparison. */
function CompareButton({ run }: { run: RunSummary }) {
  const from = useHistory((state) => state.compareFrom);
  const { compare, setCompareFrom } = useHistory.getState();
  if (from !== null && from.id !== run.id && from.operation === run.operation) {
    const [first, second] = from.createdAt <= run.createdAt ? [from, run] : [run, from];
    const clock = formatClock(from.createdAt, Date.now());
    return (
      <Button size="small" onClick={() => compare([first.id, second.id])}>
        Compare with {clock}
      </Button>
    );
  }
  const isFrom = from?.id === run.id;
  return (
    <Button size="small" onClick={() => setCompareFrom(isFrom ? null : run)}>
      {isFrom ? 'Cancel comparing' : 'Compare with…'}
    </Button>
  );
}

function CompareHint({ run: { id, operation } }: { run: RunSummary }) {
  const isFrom = useHistory((state) => state.compareFrom?.id === id);
  return (
    <p className="hint" role="status" hidden={!isFrom}>
      {isFrom && `Select another ${getPanelLabel(operation)} run, then Compare.`}
    </p>
  );
}

function BlindRun({ comparisonId }: Pick<RunSummary, 'comparisonId'>) {
  const { showComparison } = useHistory.getState();
  return (
    <EmptyState
      title={blindLabel}
      action={
        comparisonId !== null && (
          <Button onClick={() => showComparison(comparisonId)}>Show comparison</Button>
        )
      }
    >
      This run is part of a blind comparison. Open it and turn off Blind to see details.
    </EmptyState>
  );
}

function RunChain({ run }: { run: RunSummary }) {
  const { data } = useQuery(orpc.runs.chain.queryOptions({ input: { id: run.id } }));
  const { showRun, showComparison } = useHistory.getState();
  const comparison = useListedComparison(run.comparisonId).entry?.comparison;
  const [source] = useBlindRuns(data?.source ? [data.source] : []);
  const next = useBlindRuns(data?.next ?? []);
  const link = (one: RunSummary) => (
    <Button key={one.id} size="small" className={styles.chained} onClick={() => showRun(one.id)}>
      <span className="truncate">
        {getPanelLabel(one.operation)}: {one.preview || one.model || 'Untitled run'}
      </span>
    </Button>
  );
  return (
    <>
      {comparison !== undefined && (
        <Fact name="Part of">
          <Button size="small" onClick={() => showComparison(comparison.id)}>
            Comparison: {comparison.title}
          </Button>
        </Fact>
      )}
      {run.sourceRunId !== null && data !== undefined && (
        <Fact name="Started from">{source === undefined ? 'A deleted run' : link(source)}</Fact>
      )}
      {next.length > 0 && <Fact name="Continued in">{next.map(link)}</Fact>}
    </>
  );
}
