import { type ReactNode, useRef } from 'react';
import type { Cell, ComparedVariant } from '../../../shared/comparison.ts';
import type { AppError } from '../../../shared/errors.ts';
import { isFinished } from '../../../shared/run.ts';
import { getFirstOutputMs, getTotalMs } from '../../../shared/run-times.ts';
import { api } from '../../lib/api.ts';
import { useConnections } from '../../lib/connections.ts';
import { formatDuration, pluralize } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { useCappedAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon, PlayIcon, RetryIcon, StopIcon } from '../../ui/icons/actions.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useNearViewport } from '../../ui/use-near-viewport.ts';
import { RunError } from '../frame/run-error.tsx';
import { RunLiveness } from '../frame/run-liveness.tsx';
import { getStopLabel, RunStatusMark } from '../frame/run-status.tsx';
import { useRunPart } from '../live/live-runs.ts';
import { getCellStatus, isCellActive } from './cell-status.ts';
import type { CompareColumn, CompareFigure } from './compare-panel.ts';
import styles from './comparison.module.css';
import { editVariant, useIsEditable } from './variants.ts';

interface CellHeadProps {
  comparisonId: string;
  cell: Cell;
  /** A label such as `demo-chat, repeat 2`. */
  label: string;
  /** Hidden in a blind comparison, because the inspector would reveal the variant's name. */
  isHidden: boolean;
  /** The variant's name, unless it is shown above the cell. */
  heading?: ReactNode;
  /** True for a chat answer, which has its own Retry and Inspect. */
  isAnswer?: boolean;
  /** True if metrics are shown below the result instead. */
  hidesTimes?: boolean;
  /** Follows the request's own actions. */
  actions?: ReactNode;
}

interface CellFrameProps
  extends Pick<CellHeadProps, 'comparisonId' | 'cell' | 'label' | 'heading'> {
  column: CompareColumn;
  /** The question of a variant that has its own; null if it answers the row's. */
  question?: string | null;
  /** The metrics below the result; null if its times are in the header. */
  figures?: readonly CompareFigure[] | null;
  children: ReactNode;
}

/** Shows one request of a comparison, but renders its result only near the viewport. */
export function CellFrame(props: CellFrameProps) {
  const { comparisonId, cell, label, column, heading, children } = props;
  const { question = null, figures = null } = props;
  const { variant, isHidden } = column;
  const { state, run } = cell;
  const frame = useRef<HTMLElement>(null);
  const isNear = useNearViewport(frame);
  const error = getShownProblem(cell) ?? run?.error ?? null;
  return (
    <article ref={frame} aria-label={label} aria-busy={isCellActive(cell)} className={styles.cell}>
      <CellHead
        comparisonId={comparisonId}
        cell={cell}
        label={label}
        heading={heading}
        isHidden={isHidden}
        hidesTimes={figures !== null}
      />
      {question !== null && <p className={styles.cellQuestion}>{question}</p>}
      <div className={styles.cellBody}>
        {isNear && state !== 'waiting' && children}
        {error !== null && state !== 'waiting' && (
          <CellProblem error={isHidden ? hiddenError : error} variant={variant} />
        )}
        {run !== null && run.figures?.noResult != null && isFinished(run.status) && (
          <p className={styles.note}>{run.figures.noResult}</p>
        )}
        {isNear && run !== null && <CellWarnings runId={run.id} isHidden={isHidden} />}
      </div>
      {figures !== null && figures.length > 0 && <CellMetrics run={run} figures={figures} />}
    </article>
  );
}

interface CellMetricsProps {
  run: Cell['run'];
  figures: readonly CompareFigure[];
}

/** Gives each metric a slot, known or not, so that the metrics of all variants line up. */
function CellMetrics({ run, figures }: CellMetricsProps) {
  return (
    <dl className={styles.cellMetrics} aria-label="Metrics">
      {figures.map(({ id, label, help, of, format }) => {
        const value = run === null ? null : of(run);
        return (
          <Tooltip key={id} text={help}>
            <div>
              <dt>{label}</dt>
              <dd>{value === null ? '–' : format(value)}</dd>
            </div>
          </Tooltip>
        );
      })}
    </dl>
  );
}

/** Hides errors in a blind comparison, because gateways often mention the model in them. */
export const hiddenError: AppError = {
  kind: 'unexpected',
  message: 'This request failed.',
  nextStep: 'Turn off Blind to see the reason.',
  gateway: null,
  detail: null,
};

/** Excludes the daily cap error, which the comparison shows once for all held requests. */
export function getShownProblem({ state, problem }: Cell): AppError | null {
  return state === 'held' && problem?.kind === 'beyond-cap' ? null : problem;
}

export function CellHead(props: CellHeadProps) {
  const { comparisonId: id, cell, label, heading, isHidden, isAnswer = false, actions } = props;
  const { hidesTimes = isAnswer } = props;
  const { run, place, state } = cell;
  const { attempt, error, runAnyway } = useCappedAttempt();
  const places = [place];
  const hasOwnActions = isAnswer && run !== null;
  return (
    <>
      <header className={styles.cellHead}>
        {heading}
        <CellStatus cell={cell} isHidden={isHidden} />
        <span className={styles.cellFigures}>
          {run !== null && !isHidden && !hidesTimes && <CellTimes run={run} />}
        </span>
        {isCellActive(cell) ? (
          <IconButton
            size="small"
            label={`${run === null || state !== 'sent' ? 'Stop' : getStopLabel(run)} ${label}`}
            icon={<StopIcon size={14} />}
            // Ignore the second click of a double-click on Retry.
            onClick={({ detail }) =>
              detail < 2 && void attempt(() => api.comparisons.stop({ id, places }))
            }
          />
        ) : run?.phase.name === 'unfollowed' && !isFinished(run.status) ? (
          <IconButton
            size="small"
            label={`Resume ${label}`}
            icon={<PlayIcon size={14} />}
            onClick={() => void attempt(() => api.runs.resume({ id: run.id }))}
          />
        ) : hasOwnActions ? null : (
          <IconButton
            size="small"
            label={`Retry ${label}`}
            icon={<RetryIcon size={14} />}
            onClick={() =>
              void attempt((overCap) => api.comparisons.retry({ id, places, overCap }))
            }
          />
        )}
        {run !== null && !isHidden && !hasOwnActions && (
          <IconButton
            size="small"
            label={`Inspect ${label}`}
            icon={<InspectIcon size={14} />}
            onClick={() => inspectRun(run.id)}
          />
        )}
        {actions}
      </header>
      {error !== null && <RunError compact error={error} onRetry={runAnyway} />}
    </>
  );
}

/** Leaves out the elapsed time in a blind comparison, because speed gives a model away. */
function CellStatus({ cell, isHidden }: Pick<CellHeadProps, 'cell' | 'isHidden'>) {
  const { state, run } = cell;
  if (state !== 'sent' || run === null) return <StatusMark {...getCellStatus(cell)} />;
  if (isHidden && !isFinished(run.status)) return <StatusMark {...getCellStatus(cell)} />;
  if (!isFinished(run.status)) return <RunLiveness runId={run.id} />;
  return (
    <span className="row-4" data-succeeded={run.status === 'succeeded' || undefined}>
      <RunStatusMark run={run} />
    </span>
  );
}

/** Gives each time a slot, so that the times of all variants line up. */
function CellTimes({ run }: { run: Parameters<typeof getTotalMs>[0] }) {
  const times = [
    { label: 'First', ms: getFirstOutputMs(run) },
    { label: 'Total', ms: getTotalMs(run) },
  ];
  return times.map(
    ({ label, ms }) =>
      ms !== null && (
        <span key={label} className={styles.time} data-time={label}>
          {label} {formatDuration(ms)}
        </span>
      ),
  );
}

interface CellProblemProps {
  error: AppError;
  variant: ComparedVariant;
}

export function CellProblem({ error, variant: { id, connectionId } }: CellProblemProps) {
  const { connections, isPending, error: unknown } = useConnections();
  const canEdit = useIsEditable(id);
  const isDeleted =
    error.kind === 'not-found' &&
    error.gateway === null &&
    !isPending &&
    unknown === null &&
    connections.every((connection) => connection.id !== connectionId);
  if (!isDeleted) return <RunError compact error={error} />;
  return (
    <ErrorAlert
      compact
      error={{
        ...error,
        message: 'This variant’s connection was deleted.',
        nextStep: 'Choose another connection, then retry.',
      }}
      actions={
        canEdit && (
          <Button size="small" onClick={() => editVariant(id)}>
            Edit variant
          </Button>
        )
      }
    />
  );
}

interface CellWarningsProps {
  runId: string;
  /** A warning may name the model, so a blind comparison hides warnings. */
  isHidden: boolean;
}

export function CellWarnings({ runId, isHidden }: CellWarningsProps) {
  const warnings =
    useRunPart(runId, ({ state }) => ('warnings' in state ? state.warnings : none)) ?? none;
  if (warnings.length === 0) return null;
  const shown = isHidden
    ? [`${pluralize(warnings.length, 'warning')}. Turn off Blind to see.`]
    : warnings;
  return (
    <ul aria-label="Warnings" className={styles.warnings}>
      {shown.map((warning) => (
        <li key={warning}>
          <WarningIcon size={14} /> {warning}
        </li>
      ))}
    </ul>
  );
}

const none: readonly string[] = [];
