import { useDeferredValue, useState } from 'react';
import { isSameJson } from '../../../shared/json.ts';
import { getTokenCounts } from '../../../shared/operations/response/usage.ts';
import type { RunFilterStatus, RunSummary } from '../../../shared/run.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { inspectNextRequest, selectInspectedRun, useLayout } from '../../lib/layout.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { blindLabel, useBlindRuns, useIsBlind } from '../../run/compare/live-comparisons.ts';
import { filterStatuses } from '../../run/frame/run-status.tsx';
import { RunList, RunRow } from '../../run/list/run-list.tsx';
import { useRuns } from '../../run/list/use-runs.ts';
import { useRunPart, useRunProblem } from '../../run/live/live-runs.ts';
import { useOnScreen, useShowsNextRequest } from '../../run/live/on-screen.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { FilterIcon } from '../../ui/icons/actions.tsx';
import { ChatIcon } from '../../ui/icons/panels.tsx';
import { Menu } from '../../ui/menu.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './inspector.module.css';
import { NextRequestDetails } from './next-request.tsx';
import { RunDetails } from './run-details.tsx';

export function Inspector() {
  const chosenId = useLayout((layout) => layout.inspectedRunId);
  const { runId: screenId, offersNext } = useOnScreen();
  const conversationId = useRunPart(screenId, (view) => view.conversationId) ?? null;
  const [filter, setFilter] = useState<ListFilter>(noFilter);
  const list = useRuns({
    search: useDeferredValue(filter.search),
    status: filter.status,
    conversationId: filter.isConversation ? conversationId : null,
  });
  const isFiltered = filter !== noFilter;
  const showsNext = useShowsNextRequest();
  const isGone = useRunProblem(screenId)?.kind === 'not-found';
  const panelId = isGone ? null : screenId;
  const runId = chosenId ?? panelId ?? list.runs[0]?.id ?? null;
  const shownId = showsNext ? null : runId;
  const older = useOlderRun(isFiltered ? null : (chosenId ?? panelId), list.runs.at(-1));
  const isBlind = useIsBlind();
  const comparisonId = useRunPart(shownId, (view) => view.comparisonId) ?? null;
  const runs = useBlindRuns(older === null ? list.runs : [older, ...list.runs]);

  if (list.error !== null) {
    return (
      <div className={styles.notice}>
        <ErrorAlert error={list.error} onRetry={list.retry} />
      </div>
    );
  }
  if (!list.isPending && runId === null && !offersNext && !isFiltered) {
    return <EmptyState title="No runs yet">Runs from every panel appear here.</EmptyState>;
  }
  return (
    <div className="fill">
      <div className={styles.runs}>
        <ListFilters
          filter={filter}
          hasConversation={conversationId !== null}
          onFilter={setFilter}
        />
        <UndoBars place="inspector" className={styles.undo} />
        {offersNext && (
          <button
            type="button"
            className={classNames(styles.next, 'bare')}
            aria-pressed={showsNext}
            onClick={inspectNextRequest}
          >
            <span className="grow">Next request</span>
            <span className="hint">Not sent yet</span>
          </button>
        )}
        {isFiltered && !list.isPending && runs.length === 0 && (
          <p role="status" className={`hint ${styles.none}`}>
            No matching runs
          </p>
        )}
        <RunList
          runs={runs}
          shownId={shownId}
          className={styles.list}
          onShow={({ id }) => selectInspectedRun(id)}
          onEndReached={list.showMore}
        >
          {(run) => (
            <RunRow
              run={run}
              heading={getPanelLabel(run.operation)}
              {...(run.preview !== '' && { preview: run.preview })}
              detail={describeRun(run)}
            />
          )}
        </RunList>
      </div>
      {showsNext && <NextRequestDetails />}
      {shownId !== null &&
        (isBlind({ comparisonId }) ? (
          <EmptyState title={blindLabel}>Turn off Blind to inspect this request.</EmptyState>
        ) : (
          <RunDetails key={shownId} runId={shownId} />
        ))}
    </div>
  );
}

interface ListFilter {
  search: string;
  status: RunFilterStatus | null;
  /** True to list only runs of the conversation on screen. */
  isConversation: boolean;
}

const noFilter: ListFilter = { search: '', status: null, isConversation: false };

interface ListFiltersProps {
  filter: ListFilter;
  hasConversation: boolean;
  onFilter: (filter: ListFilter) => void;
}

function ListFilters({ filter, hasConversation, onFilter }: ListFiltersProps) {
  function change(part: Partial<ListFilter>): void {
    const next = { ...filter, ...part };
    onFilter(isSameJson({ ...next }, { ...noFilter }) ? noFilter : next);
  }
  const status = filterStatuses.find(({ value }) => value === filter.status)?.label;
  return (
    <div className={`row-4 ${styles.filters}`}>
      <TextField
        label="Search runs"
        hideLabel
        type="search"
        placeholder="Search"
        className="grow"
        value={filter.search}
        onValueChange={(search) => change({ search })}
      />
      <Menu
        label={`Status: ${status ?? ANY}`}
        icon={<FilterIcon />}
        trigger={status}
        items={[{ value: null, label: ANY }, ...filterStatuses].map(({ value, label }) => ({
          id: value ?? 'any',
          label,
          onSelect: () => change({ status: value }),
        }))}
      />
      {hasConversation && (
        <IconButton
          label="Only this conversation"
          icon={<ChatIcon />}
          pressed={filter.isConversation}
          onClick={() => change({ isConversation: !filter.isConversation })}
        />
      )}
    </div>
  );
}

const ANY = 'Any status';

/** Returns the status of an HTTP error, else the tokens, else the connection. */
function describeRun({ error, figures, connectionName }: RunSummary): string {
  const status = error?.gateway?.status ?? null;
  if (status !== null && status >= 400) return `HTTP ${status}`;
  const { input, output } = getTokenCounts(figures?.usage ?? null);
  if (input === null && output === null) return connectionName;
  return pluralize((input ?? 0) + (output ?? 0), 'token');
}

/**
 * Returns the selected run if it's older than the loaded page, until its own page loads; else null.
 */
function useOlderRun(chosenId: string | null, oldest: RunSummary | undefined): RunSummary | null {
  const [olderId, setOlderId] = useState<string | null>(null);
  const chosenAt = useRunPart(chosenId, ({ createdAt }) => createdAt);
  const isOlder = chosenAt !== undefined && oldest !== undefined && chosenAt < oldest.createdAt;
  if (isOlder && olderId !== chosenId) setOlderId(chosenId);
  const older = useRunPart(olderId, (view): RunSummary => view);
  const isDeleted = useRunProblem(olderId)?.kind === 'not-found';
  if (older === undefined || oldest === undefined || isDeleted) return null;
  return older.createdAt < oldest.createdAt ? older : null;
}
