import { useMemo } from 'react';
import type { RunView } from '../../../shared/run-view.ts';
import { getResponse } from '../../../shared/run-view.ts';
import { formatClock } from '../../lib/format-quantity.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { getMediaTitle } from '../../media/players/describe-media.ts';
import { MediaView } from '../../media/players/media-view.tsx';
import { blindLabel, useIsBlind } from '../../run/compare/live-comparisons.ts';
import { TextDiff } from '../../run/compare/text-diff/text-diff.tsx';
import { RunFigures } from '../../run/frame/run-figures.tsx';
import { useRunProblem, useRunView } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ChevronLeftIcon } from '../../ui/icons/status.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './run-differences.module.css';

interface RunDifferencesProps {
  /** The earlier run first. */
  runIds: readonly [string, string];
  onClose: () => void;
}

export function RunDifferences({ runIds, onClose }: RunDifferencesProps) {
  const first = useRunView(runIds[0]);
  const title = first === null ? 'Compare runs' : `Compare ${getPanelLabel(first.operation)} runs`;
  return (
    <article className={styles.differences} aria-label="Run differences">
      <div className="row-8">
        <Button autoFocus size="small" icon={<ChevronLeftIcon size={14} />} onClick={onClose}>
          Back to runs
        </Button>
        <h2 className={styles.title}>{title}</h2>
      </div>
      <Differences runIds={runIds} />
    </article>
  );
}

function Differences({ runIds }: Pick<RunDifferencesProps, 'runIds'>) {
  const first = useRunView(runIds[0]);
  const second = useRunView(runIds[1]);
  const requests = [useRequestText(runIds[0]), useRequestText(runIds[1])] as const;
  const problems = [useRunProblem(runIds[0]), useRunProblem(runIds[1])];
  const isBlind = useIsBlind();
  const problem = problems.find((one) => one !== null) ?? null;
  if (problem !== null) return <ErrorAlert error={problem} />;
  if (first === null || second === null) return <Spinner label="Loading runs" />;
  if (isBlind(first) || isBlind(second)) {
    return <EmptyState title={blindLabel}>Turn off Blind to compare these runs.</EmptyState>;
  }
  const names = [getName(first), getName(second)] as const;
  return (
    <>
      <div className={styles.pair}>
        {[first, second].map((view, index) => (
          <div key={view.id} className="stack-8">
            <h3 className="heading">{names[index]}</h3>
            <RunFigures run={view} besideModel />
            {view.error !== null && <ErrorAlert error={view.error} compact />}
          </div>
        ))}
      </div>
      <Results first={first} second={second} names={names} />
      <section className="stack-8" aria-label="Request differences">
        <h3 className="heading">Request</h3>
        {requests[0] === null || requests[1] === null ? (
          <Spinner label="Loading requests" />
        ) : (
          <TextDiff
            subject="Request"
            first={{ name: names[0], text: requests[0] }}
            second={{ name: names[1], text: requests[1] }}
          />
        )}
      </section>
    </>
  );
}

interface ResultsProps {
  first: RunView;
  second: RunView;
  names: readonly [string, string];
}

function Results({ first, second, names }: ResultsProps) {
  const results = useMemo(
    () => [getResponse(first), getResponse(second)] as const,
    [first, second],
  );
  const [one, other] = results.map(({ text }) => text);
  const hasMedia = results.some(({ media }) => media.length > 0);
  return (
    <section className="stack-8" aria-label="Result differences">
      <h3 className="heading">Result</h3>
      {hasMedia && (
        <div className={styles.pair}>
          {results.map(({ media }, index) => (
            <div key={names[index]} className="stack-8">
              {media.map((item) => (
                <MediaView key={item.id} media={item} title={getMediaTitle(item)} />
              ))}
            </div>
          ))}
        </div>
      )}
      {one || other ? (
        <TextDiff
          subject="Result"
          first={{ name: names[0], text: one ?? '' }}
          second={{ name: names[1], text: other ?? '' }}
        />
      ) : (
        !hasMedia && <p className="hint">Neither run has a result.</p>
      )}
    </section>
  );
}

/** Returns the request with the extra body fields as JSON; null while loading. */
function useRequestText(runId: string): string | null {
  const recorded = useRecordedInput(runId);
  return useMemo(() => {
    if (recorded === null) return null;
    const { request, extraBody, wireNames } = recorded;
    const isSet = ([, value]: [string, unknown]) => value !== null;
    return JSON.stringify(
      {
        ...Object.fromEntries(Object.entries(request).filter(isSet)),
        ...(Object.keys(extraBody).length > 0 && { 'Extra JSON': extraBody }),
        ...(Object.keys(wireNames).length > 0 && { 'Renamed fields': wireNames }),
      },
      null,
      2,
    );
  }, [recorded]);
}

function getName({ model, createdAt }: RunView): string {
  const clock = formatClock(createdAt, Date.now());
  return model === '' ? clock : `${model}, ${clock}`;
}
